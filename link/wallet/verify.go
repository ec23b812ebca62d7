// Whether a server is the one that was meant, by the rules of Oracle's clients.

package wallet

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"strings"
)

// NameMismatchError says that a server's certificate, though trusted, is
// another server's.
type NameMismatchError struct {
	Expected string // the host, or the DN after "the DN "
	Subject  string // of the server's certificate
	Names    []string
}

// Error is a sentence.
func (e *NameMismatchError) Error() string {
	names := ""
	if len(e.Names) > 0 {
		names = " (also for " + strings.Join(e.Names, ", ") + ")"
	}
	return fmt.Sprintf("the server's certificate is for %s%s, not for %s; correct the host or ssl_server_cert_dn", e.Subject, names, e.Expected)
}

// VerifyServer returns nil if the server that shook hands is to be trusted.
// It suits tls.Config.VerifyConnection beside InsecureSkipVerify, as the rules
// for names are not those of HTTPS:
//
//   - the certificate must always lead to one of roots, or with nil to one of
//     the system's;
//   - with dnMatch (SSL_SERVER_DN_MATCH) and certDN (SSL_SERVER_CERT_DN), its
//     subject must have exactly the attributes of certDN, in whatever order;
//     the host does not matter then;
//   - with dnMatch alone, it must be for host: one of its alternative names, or
//     else its common name (python-oracledb impl/thin/crypto.pyx);
//   - without dnMatch no name is looked at.
//
// A broken chain is an error with the cause that crypto/x509 gives, such as
// x509.UnknownAuthorityError or x509.CertificateInvalidError; a wrong name is
// a *NameMismatchError.
func VerifyServer(state tls.ConnectionState, roots *x509.CertPool, host string, dnMatch bool, certDN string) error {
	if len(state.PeerCertificates) == 0 {
		return errors.New("the server showed no certificate; check that the port speaks TCPS")
	}
	server := state.PeerCertificates[0]
	if err := verifyChain(server, state.PeerCertificates[1:], roots); err != nil {
		return err
	}
	switch {
	case !dnMatch:
		return nil
	case certDN != "":
		if sameDN(certDN, server.Subject) {
			return nil
		}
		return mismatch(server, "the DN "+certDN)
	case isFor(server, host):
		return nil
	}
	return mismatch(server, "the host "+host)
}

func verifyChain(server *x509.Certificate, others []*x509.Certificate, roots *x509.CertPool) error {
	intermediates := x509.NewCertPool()
	for _, cert := range others {
		intermediates.AddCert(cert)
	}
	_, err := server.Verify(x509.VerifyOptions{Roots: roots, Intermediates: intermediates})
	var invalid x509.CertificateInvalidError
	var unknown x509.UnknownAuthorityError
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return fmt.Errorf("the certificate of %s is valid from %s to %s only: %w", invalid.Cert.Subject,
			invalid.Cert.NotBefore.Format("2006-01-02"), invalid.Cert.NotAfter.Format("2006-01-02"), err)
	case errors.As(err, &unknown):
		trust := "the wallet does"
		if roots == nil {
			trust = "this system does"
		}
		return fmt.Errorf("the certificate of %s is signed by %s, whom %s not trust: %w", server.Subject, server.Issuer, trust, err)
	}
	return err
}

func mismatch(server *x509.Certificate, expected string) error {
	names := append([]string(nil), server.DNSNames...)
	for _, ip := range server.IPAddresses {
		names = append(names, ip.String())
	}
	return &NameMismatchError{Expected: expected, Subject: server.Subject.String(), Names: names}
}

// isFor tells whether a certificate is for a host.
func isFor(cert *x509.Certificate, host string) bool {
	if cert.VerifyHostname(host) == nil {
		return true
	}
	name := cert.Subject.CommonName
	if name == "" {
		return false
	}
	if net.ParseIP(host) != nil {
		return name == host
	}
	// A certificate that had the common name among its alternative names.
	asAlternative := &x509.Certificate{DNSNames: []string{name}}
	return asAlternative.VerifyHostname(host) == nil
}
