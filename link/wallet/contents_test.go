package wallet

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"testing"
	"time"
)

// signed makes the certificate of name, signed by the issuer or by itself.
func signed(t *testing.T, name string, issuer *x509.Certificate, issuerKey *ecdsa.PrivateKey) (*x509.Certificate, *ecdsa.PrivateKey) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotAfter: time.Now().Add(time.Hour)}
	if issuer == nil {
		issuer, issuerKey = template, key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, issuer, key.Public(), issuerKey)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return cert, key
}

func TestOwnCertificateIsSentWithItsIntermediatesInWhateverOrderTheyLie(t *testing.T) {
	root, rootKey := signed(t, "root", nil, nil)
	upper, upperKey := signed(t, "upper", root, rootKey)
	lower, lowerKey := signed(t, "lower", upper, upperKey)
	own, key := signed(t, "own", lower, lowerKey)
	other, _ := signed(t, "other", nil, nil)

	found := &contents{}
	for _, cert := range []*x509.Certificate{root, other, upper, own, lower, root} {
		found.addCertificate(cert.Raw)
	}
	if err := found.addKey(key); err != nil {
		t.Fatal(err)
	}
	w, err := found.wallet()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, der := range w.Certificate.Certificate {
		cert, err := x509.ParseCertificate(der)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, cert.Subject.CommonName)
	}
	if len(names) != 3 || names[0] != "own" || names[1] != "lower" || names[2] != "upper" {
		t.Errorf("sends %v, want own, lower, upper", names)
	}
	if len(w.Certificates) != 5 || !w.Certificates[0].Equal(own) {
		t.Errorf("lists %d certificates, the first of %v; want 5 and our own first", len(w.Certificates), w.Certificates[0].Subject)
	}
}

// As orapki's -self_signed makes a wallet for both sides of a test system.
func TestOwnCertificateThatSignedItselfIsTrusted(t *testing.T) {
	own, key := signed(t, "self", nil, nil)
	found := &contents{}
	found.addCertificate(own.Raw)
	if err := found.addKey(key); err != nil {
		t.Fatal(err)
	}
	w, err := found.wallet()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := own.Verify(x509.VerifyOptions{Roots: w.Roots}); err != nil {
		t.Error(err)
	}
	if len(w.Certificate.Certificate) != 1 {
		t.Errorf("sends %d certificates, want 1", len(w.Certificate.Certificate))
	}
}

func TestUnreadableAuthorityDoesNotSpoilTheWallet(t *testing.T) {
	root, _ := signed(t, "root", nil, nil)
	found := &contents{}
	found.addCertificate([]byte("of the nineties"))
	found.addCertificate(root.Raw)
	if w, err := found.wallet(); err != nil || len(w.Certificates) != 1 {
		t.Errorf("got %+v, %v; want the other authority", w, err)
	}
}
