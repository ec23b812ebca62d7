// Whose certificate must be shown, at every hop and after a renegotiation.

package link

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"oranet_exporter/link/tns"
)

// authority signs the certificates of several servers.
type authority struct {
	key  *ecdsa.PrivateKey
	cert *x509.Certificate
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{cert: &x509.Certificate{Subject: pkix.Name{CommonName: "authority"}, IsCA: true, BasicConstraintsValid: true}}
	a.cert, a.key = a.sign(t, a.cert)
	return a
}

func (a *authority) sign(t *testing.T, template *x509.Certificate) (*x509.Certificate, *ecdsa.PrivateKey) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signer := a.key
	if signer == nil {
		signer = key
	}
	template.SerialNumber, template.NotAfter = big.NewInt(time.Now().UnixNano()), time.Now().Add(time.Hour)
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, key.Public(), signer)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return cert, key
}

// server is a server whose certificate has that common name and alternative name.
func (a *authority) server(t *testing.T, commonName, host string) *tls.Config {
	t.Helper()
	template := &x509.Certificate{Subject: pkix.Name{CommonName: commonName, Organization: []string{"Example"}}}
	if ip := net.ParseIP(host); ip != nil {
		template.IPAddresses = []net.IP{ip}
	} else {
		template.DNSNames = []string{host}
	}
	cert, key := a.sign(t, template)
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{cert.Raw}, PrivateKey: key}}}
}

// wallet is the directory of a wallet that trusts the authority.
func (a *authority) wallet(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	content := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.cert.Raw})
	if err := os.WriteFile(filepath.Join(dir, "ewallet.pem"), content, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// secure is the peer behind a TLS handshake.
func (p *peer) secure(config *tls.Config) *peer { return &peer{tls.Server(p.Conn, config)} }

func portOf(l *listener) string {
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

func TestARedirectDoesNotChooseWhoseCertificateIsExpected(t *testing.T) {
	trusted, other := newAuthority(t), newAuthority(t)
	dn, off := "o=Example,  CN = database ", false
	for _, c := range []struct {
		name   string
		second *tls.Config // of where the redirect leads, 127.0.0.1
		change func(*Config)
		reason Reason
	}{
		{"the configured host", trusted.server(t, "x", "localhost"), func(*Config) {}, ""},
		{"the redirect's host", trusted.server(t, "x", "127.0.0.1"), func(*Config) {}, ReasonTLSNameMismatch},
		{"the configured DN", trusted.server(t, "database", "x"), func(c *Config) { c.SSLServerCertDN = dn }, ""},
		{"another DN, the configured host", trusted.server(t, "x", "localhost"), func(c *Config) { c.SSLServerCertDN = dn }, ReasonTLSNameMismatch},
		{"anybody, no match asked", trusted.server(t, "x", "x"), func(c *Config) { c.SSLServerDNMatch = &off }, ""},
		{"another authority", other.server(t, "x", "localhost"), func(*Config) {}, ReasonTLSUntrusted},
		{"another authority, no match asked", other.server(t, "x", "x"), func(c *Config) { c.SSLServerDNMatch = &off }, ReasonTLSUntrusted},
	} {
		t.Run(c.name, func(t *testing.T) {
			first := trusted.server(t, "database", "localhost")
			next := listen(t, func(p *peer) { p = p.secure(c.second); p.connect(); p.accept(319, 8192) })
			l := listen(t, func(p *peer) {
				p = p.secure(first)
				p.connect()
				p.redirect("(ADDRESS=(PROTOCOL=TCPS)(HOST=127.0.0.1)(PORT="+portOf(next)+"))", true)
			})
			cfg := Config{DSN: "tcps://localhost:" + portOf(l) + "/svc", WalletLocation: trusted.wallet(t)}
			c.change(&cfg)
			a, err := mustLink(t, cfg).Negotiate(within(t, time.Minute), 8192)
			if a.Redirects != 1 {
				t.Errorf("%d redirects, want 1 (%v)", a.Redirects, err)
			}
			if c.reason != "" {
				wantFailure(t, err, PhaseTLS, c.reason)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
}

func TestTheCertificateIsVerifiedAgainWhenTheListenerRenegotiates(t *testing.T) {
	trusted := newAuthority(t)
	first := trusted.server(t, "x", "localhost")
	for host, reason := range map[string]Reason{"localhost": "", "elsewhere": ReasonTLSNameMismatch} {
		second := trusted.server(t, "y", host)
		l := listen(t, func(p *peer) {
			before := p.secure(first)
			before.connect()
			before.send(tns.Resend, tns.FlagTLSRenegotiation, nil)
			after := p.secure(second)
			after.connect()
			after.accept(319, 8192)
		})
		a, err := mustLink(t, Config{DSN: "tcps://localhost:" + portOf(l) + "/svc", WalletLocation: trusted.wallet(t)}).Negotiate(within(t, time.Minute), 8192)
		if a.Resends != 1 || a.ServerCerts[0].Subject != "CN=y,O=Example" {
			t.Errorf("%d resends, the certificate of %v; want 1 and that of the second handshake (%v)", a.Resends, a.ServerCerts, err)
		}
		if reason != "" {
			wantFailure(t, err, PhaseTLS, reason)
		} else if err != nil {
			t.Error(err)
		}
	}
}
