// What was found inside a wallet file, whatever its format, and what a TLS
// client makes of it.

package wallet

import (
	"bytes"
	"crypto"
	"crypto/tls"
	"crypto/x509"
	"slices"
)

type contents struct {
	keys         []crypto.Signer
	certificates []*x509.Certificate
}

// addCertificate skips what cannot be parsed and what is there already: some
// wallets still carry authorities of the nineties, which nobody needs until a
// server shows a certificate of theirs.
func (c *contents) addCertificate(der []byte) {
	cert, err := x509.ParseCertificate(der)
	if err != nil || slices.ContainsFunc(c.certificates, cert.Equal) {
		return
	}
	c.certificates = append(c.certificates, cert)
}

// addKey takes a key that signs, as RSA and EC keys do.
func (c *contents) addKey(key any) error {
	signer, ok := key.(crypto.Signer)
	if !ok {
		return damaged("a private key of a kind that TLS has no use for")
	}
	c.keys = append(c.keys, signer)
	return nil
}

func (c *contents) wallet() (*Wallet, error) {
	if len(c.certificates) == 0 {
		return nil, errNoCertificate
	}
	w := &Wallet{Certificates: c.certificates}
	if len(c.keys) > 0 {
		own, key := c.pair()
		if own == nil {
			return nil, errNoPair
		}
		w.Certificates = ownFirst(c.certificates, own)
		w.Certificate = c.chain(own, key)
	}
	for _, cert := range w.Certificates {
		if w.Certificate != nil && cert == w.Certificate.Leaf && !selfSigned(cert) {
			continue
		}
		if w.Roots == nil {
			w.Roots = x509.NewCertPool()
		}
		w.Roots.AddCert(cert)
	}
	return w, nil
}

// pair finds the client's own certificate: the one that has the key's other half.
func (c *contents) pair() (*x509.Certificate, crypto.Signer) {
	for _, key := range c.keys {
		public, ok := key.Public().(interface{ Equal(crypto.PublicKey) bool })
		if !ok {
			continue
		}
		for _, cert := range c.certificates {
			if public.Equal(cert.PublicKey) {
				return cert, key
			}
		}
	}
	return nil, nil
}

// chain follows the issuers from the client's own certificate as far as the
// wallet knows them; an authority that signed itself need not be sent.
func (c *contents) chain(own *x509.Certificate, key crypto.Signer) *tls.Certificate {
	out := &tls.Certificate{PrivateKey: key, Leaf: own, Certificate: [][]byte{own.Raw}}
	last := own
	for range c.certificates {
		i := slices.IndexFunc(c.certificates, func(cert *x509.Certificate) bool {
			return bytes.Equal(cert.RawSubject, last.RawIssuer) && !selfSigned(cert)
		})
		if i < 0 || selfSigned(last) {
			break
		}
		last = c.certificates[i]
		out.Certificate = append(out.Certificate, last.Raw)
	}
	return out
}

func ownFirst(certificates []*x509.Certificate, own *x509.Certificate) []*x509.Certificate {
	out := []*x509.Certificate{own}
	for _, cert := range certificates {
		if cert != own {
			out = append(out, cert)
		}
	}
	return out
}

func selfSigned(cert *x509.Certificate) bool {
	return bytes.Equal(cert.RawSubject, cert.RawIssuer)
}
