// The keys and certificates: one authority, which signs a server and a client.

package wallet

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"fmt"
	"math/big"
	"net"
	"slices"
	"strings"
	"time"
)

type pki struct {
	authority, server, client identity
}

// identity is a certificate with its private key.
type identity struct {
	key  crypto.Signer
	cert *x509.Certificate
}

func (i identity) forTLS() tls.Certificate {
	return tls.Certificate{Certificate: [][]byte{i.cert.Raw}, PrivateKey: i.key, Leaf: i.cert}
}

func newPKI(o Options) (*pki, error) {
	serverDN := o.ServerDN
	if serverDN == "" {
		serverDN = "CN=" + o.Hosts[0]
	}
	subject, err := parseDN(serverDN)
	if err != nil {
		return nil, err
	}
	p := new(pki)
	if p.authority, err = issue(authorityTemplate(), nil, o.Key); err != nil {
		return nil, err
	}
	if p.server, err = issue(serverTemplate(subject, o), &p.authority, o.Key); err != nil {
		return nil, err
	}
	if p.client, err = issue(clientTemplate(o), &p.authority, o.Key); err != nil {
		return nil, err
	}
	return p, nil
}

func authorityTemplate() *x509.Certificate {
	t := template(time.Now().AddDate(10, 0, 0))
	t.Subject = pkix.Name{CommonName: "Throw-away Root CA", Organization: []string{"oranet_exporter simulator"}}
	t.IsCA, t.BasicConstraintsValid = true, true
	t.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageCRLSign
	return t
}

func serverTemplate(rawSubject []byte, o Options) *x509.Certificate {
	t := template(orNextYear(o.ServerNotAfter))
	t.RawSubject = rawSubject
	t.KeyUsage = x509.KeyUsageDigitalSignature | x509.KeyUsageKeyEncipherment
	t.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	for _, host := range o.Hosts {
		if ip := net.ParseIP(host); ip != nil {
			t.IPAddresses = append(t.IPAddresses, ip)
		} else {
			t.DNSNames = append(t.DNSNames, host)
		}
	}
	return t
}

func clientTemplate(o Options) *x509.Certificate {
	t := template(orNextYear(o.ClientNotAfter))
	t.Subject = pkix.Name{CommonName: "Throw-away client", Organization: []string{"oranet_exporter simulator"}}
	t.KeyUsage = x509.KeyUsageDigitalSignature
	t.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
	return t
}

func orNextYear(t time.Time) time.Time {
	if t.IsZero() {
		return time.Now().AddDate(1, 0, 0)
	}
	return t
}

// template is valid from a day before it ends or now, whichever is earlier.
func template(notAfter time.Time) *x509.Certificate {
	begin := time.Now()
	if notAfter.Before(begin) {
		begin = notAfter
	}
	return &x509.Certificate{NotBefore: begin.AddDate(0, 0, -1), NotAfter: notAfter}
}

// issue makes a key and has its certificate signed by the issuer, nil for itself.
func issue(t *x509.Certificate, issuer *identity, kind KeyType) (identity, error) {
	key, err := newKey(kind)
	if err != nil {
		return identity{}, err
	}
	if t.SerialNumber, err = rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127)); err != nil {
		return identity{}, err
	}
	if issuer == nil {
		issuer = &identity{key: key, cert: t}
	}
	der, err := x509.CreateCertificate(rand.Reader, t, issuer.cert, key.Public(), issuer.key)
	if err != nil {
		return identity{}, err
	}
	cert, err := x509.ParseCertificate(der)
	return identity{key, cert}, err
}

func newKey(kind KeyType) (crypto.Signer, error) {
	if kind == ECP256 {
		return ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	}
	return rsa.GenerateKey(rand.Reader, 2048)
}

var attributes = map[string]asn1.ObjectIdentifier{
	"CN": {2, 5, 4, 3},
	"C":  {2, 5, 4, 6},
	"L":  {2, 5, 4, 7},
	"ST": {2, 5, 4, 8},
	"O":  {2, 5, 4, 10},
	"OU": {2, 5, 4, 11},
}

// parseDN encodes a distinguished name as its text orders it. Text goes from
// the most specific attribute to the least, a certificate the other way.
func parseDN(dn string) ([]byte, error) {
	var sequence pkix.RDNSequence
	for part := range strings.SplitSeq(dn, ",") {
		name, value, ok := strings.Cut(part, "=")
		oid, known := attributes[strings.ToUpper(strings.TrimSpace(name))]
		if !ok || !known {
			return nil, fmt.Errorf("server DN %q: %q is not one of CN=, C=, L=, ST=, O=, OU= and a value", dn, part)
		}
		sequence = append(sequence, pkix.RelativeDistinguishedNameSET{{Type: oid, Value: strings.TrimSpace(value)}})
	}
	slices.Reverse(sequence)
	return asn1.Marshal(sequence)
}
