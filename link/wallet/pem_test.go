package wallet

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func block(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}

func TestPEMHoldsAKeyOfAnyUsualKind(t *testing.T) {
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	ecKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	ecDER, err := x509.MarshalECPrivateKey(ecKey)
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		content []byte
		keys    int
		says    string
	}{
		"PKCS#1":             {block("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(rsaKey)), 1, ""},
		"SEC 1":              {block("EC PRIVATE KEY", ecDER), 1, ""},
		"parameters and key": {append(block("EC PARAMETERS", []byte{6, 0}), block("EC PRIVATE KEY", ecDER)...), 1, ""},
		"text around it":     {slices.Concat([]byte("Bag Attributes\n    friendlyName: orakey\n"), block("EC PRIVATE KEY", ecDER)), 1, ""},
		"no key":             {[]byte("nothing"), 0, ""},
		"damaged":            {block("PRIVATE KEY", []byte("nonsense")), 0, "damaged"},
		"damaged, encrypted": {block("ENCRYPTED PRIVATE KEY", []byte("nonsense")), 0, "damaged"},
		"old encryption": {pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: []byte("x"),
			Headers: map[string]string{"Proc-Type": "4,ENCRYPTED", "DEK-Info": "DES-EDE3-CBC,0011223344556677"}}), 0, "openssl pkcs8 -topk8"},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := parsePEM(test.content, password)
			if test.says != "" {
				if err == nil || !strings.Contains(err.Error(), test.says) {
					t.Errorf("got %v, want an error that says %q", err, test.says)
				}
				return
			}
			if err != nil || len(found.keys) != test.keys {
				t.Errorf("got %+v, %v; want %d keys", found, err, test.keys)
			}
		})
	}
}

// openssl runs the tool that people make and convert wallets with.
func openssl(t *testing.T, args ...string) {
	t.Helper()
	tool, err := exec.LookPath("openssl")
	if err != nil {
		t.Skip("openssl is not installed")
	}
	if text, err := exec.Command(tool, args...).CombinedOutput(); err != nil {
		t.Fatalf("openssl %s: %v\n%s", strings.Join(args, " "), err, text)
	}
}

// What people's OpenSSL made of a key over the years.
func TestPEMIsDecryptedHoweverOpenSSLEncryptedIt(t *testing.T) {
	encryptions := map[string][]string{"PKCS#12 3DES": {"-v1", "PBE-SHA1-3DES"}}
	for _, cipher := range []string{"des3", "aes-128-cbc", "aes-192-cbc", "aes-256-cbc"} {
		for _, prf := range []string{"hmacWithSHA1", "hmacWithSHA224", "hmacWithSHA256", "hmacWithSHA384", "hmacWithSHA512"} {
			encryptions[cipher+", "+prf] = []string{"-v2", cipher, "-v2prf", prf}
		}
	}
	plain := filepath.Join(directory(t, map[string][]byte{pemFile: plainPEM(t)}), pemFile)
	for name, args := range encryptions {
		t.Run(name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "key.pem")
			openssl(t, append([]string{"pkcs8", "-topk8", "-in", plain, "-out", out, "-passout", "pass:" + password}, args...)...)
			content, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			found, err := parsePEM(content, password)
			if err != nil || len(found.keys) != 1 {
				t.Fatalf("got %+v, %v", found, err)
			}
			if _, err := parsePEM(content, "wrong"); err != errWrongPassword {
				t.Errorf("a wrong password: %v", err)
			}
		})
	}
}

// Keys and certificates of every kind that databases' authorities issue.
func TestWalletsThatOpenSSLMade(t *testing.T) {
	for name, kind := range map[string][]string{
		"RSA 2048": {"rsa:2048"},
		"RSA 4096": {"rsa:4096"},
		"P-256":    {"ec", "-pkeyopt", "ec_paramgen_curve:P-256"},
		"P-384":    {"ec", "-pkeyopt", "ec_paramgen_curve:P-384"},
		"P-521":    {"ec", "-pkeyopt", "ec_paramgen_curve:P-521"},
		"Ed25519":  {"ed25519"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			key, cert := filepath.Join(dir, "key"), filepath.Join(dir, "cert")
			request := append([]string{"req", "-x509", "-newkey"}, kind...)
			openssl(t, append(request, "-keyout", key, "-out", cert, "-subj", "/CN=probe", "-passout", "pass:"+password)...)
			pemContent := slices.Concat(mustRead(t, key), mustRead(t, cert))

			p12 := filepath.Join(dir, "p12")
			openssl(t, "pkcs12", "-export", "-inkey", key, "-passin", "pass:"+password, "-in", cert, "-out", p12, "-passout", "pass:"+password)
			for _, files := range []map[string][]byte{{pemFile: pemContent}, {p12File: mustRead(t, p12)}} {
				w, err := Load(directory(t, files), password)
				if err != nil {
					t.Error(err)
				} else if w.Certificate == nil || w.Certificate.Leaf.Subject.CommonName != "probe" {
					t.Errorf("%s holds %+v", w.Source, w)
				}
			}
		})
	}
}

func mustRead(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func TestKeyOfAnotherCertificateIsAnError(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	found := &contents{}
	found.addCertificate(sharedWallet(t).Client.Certificates[0].Certificate[0])
	if err := found.addKey(key); err != nil {
		t.Fatal(err)
	}
	if _, err := found.wallet(); err != errNoPair {
		t.Errorf("got %v, want %v", err, errNoPair)
	}
}

func FuzzLoadPEM(f *testing.F) {
	f.Add(sharedFile(f, pemFile), password)
	f.Add(plainPEM(f), "")
	f.Add(block("ENCRYPTED PRIVATE KEY", []byte{0x30, 0}), "p")
	f.Fuzz(func(_ *testing.T, content []byte, password string) {
		if found, err := parsePEM(content, password); err == nil {
			_, _ = found.wallet() // whatever it says, it must not panic
		}
	})
}
