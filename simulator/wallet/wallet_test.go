package wallet

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sijms/go-ora/v2/configurations"
	"software.sslmate.com/src/go-pkcs12"
)

const password = "Wallet#Pass1"

func generate(t *testing.T, change func(*Options)) *Wallet {
	t.Helper()
	o := Options{
		Hosts:    []string{"adb.example.com", "localhost", "127.0.0.1"},
		ServerDN: "CN=adb.example.com,O=Example Corporation,L=Tokyo,ST=Tokyo,C=JP",
		Password: password,
		Key:      ECP256,
	}
	if change != nil {
		change(&o)
	}
	w, err := Generate(filepath.Join(t.TempDir(), "wallet"), o)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestWalletHoldsTheFilesOfAnAutonomousDatabaseForItsOwnerOnly(t *testing.T) {
	w := generate(t, nil)
	if err := w.WriteNames("localhost:2484", "FREEPDB1", "orders_low"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"tnsnames.ora", "sqlnet.ora", "README", "ewallet.pem", "ewallet.p12", "cwallet.sso"} {
		info, err := os.Stat(filepath.Join(w.Dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if mode := info.Mode().Perm(); mode != 0o600 {
			t.Errorf("%s has mode %o, want 600", name, mode)
		}
	}
	for name, want := range map[string]string{
		"tnsnames.ora": "orders_low = (description= (retry_count=20)(retry_delay=3)(address=(protocol=tcps)(port=2484)(host=localhost))",
		"sqlnet.ora":   `(DIRECTORY="?/network/admin")`,
	} {
		if content, _ := os.ReadFile(filepath.Join(w.Dir, name)); !strings.Contains(string(content), want) {
			t.Errorf("%s does not contain %s:\n%s", name, want, content)
		}
	}
}

func TestBothSidesShakeHandsAndTheServerDemandsTheClientsCertificate(t *testing.T) {
	for name, key := range map[string]KeyType{"RSA": RSA2048, "EC": ECP256} {
		t.Run(name, func(t *testing.T) {
			w := generate(t, func(o *Options) { o.Key = key })
			if err := handshake(t, w.Server, w.Client); err != nil {
				t.Errorf("mTLS: %v", err)
			}
			anonymous := w.Client.Clone()
			anonymous.Certificates = nil
			if err := handshake(t, w.Server, anonymous); err == nil {
				t.Error("a client without a certificate was let in")
			}
		})
	}
}

// handshake returns the server's verdict.
func handshake(t *testing.T, server, client *tls.Config) error {
	t.Helper()
	s, c := net.Pipe()
	defer s.Close()
	defer c.Close()
	go func() {
		conn := tls.Client(c, client)
		// The server's verdict is what counts; reading takes its alert off the pipe.
		_ = conn.Handshake()
		_, _ = io.Copy(io.Discard, conn)
	}()
	return tls.Server(s, server).Handshake()
}

func TestServerCertificateSaysWhatWasAskedFor(t *testing.T) {
	end := time.Now().Add(-time.Hour).Truncate(time.Second)
	w := generate(t, func(o *Options) { o.ServerNotAfter = end })
	cert := w.Server.Certificates[0].Leaf
	if got, want := cert.Subject.String(), "CN=adb.example.com,O=Example Corporation,L=Tokyo,ST=Tokyo,C=JP"; got != want {
		t.Errorf("subject %s, want %s", got, want)
	}
	for _, host := range []string{"adb.example.com", "localhost", "127.0.0.1"} {
		if err := cert.VerifyHostname(host); err != nil {
			t.Error(err)
		}
	}
	if !cert.NotAfter.Equal(end) {
		t.Errorf("valid until %v, want %v", cert.NotAfter, end)
	}
	if !w.Client.Certificates[0].Leaf.NotAfter.After(time.Now()) {
		t.Error("the client certificate ended with the server's")
	}
}

// go-ora's reader is of other hands than this package.
func TestDriverReadsTheAutoLoginWallet(t *testing.T) {
	w := generate(t, func(o *Options) { o.Key = RSA2048 })
	read, err := configurations.NewWallet(filepath.Join(w.Dir, "cwallet.sso"))
	if err != nil {
		t.Fatal(err)
	}
	if len(read.Certificates) != 2 || len(read.PrivateKeys) != 1 {
		t.Fatalf("read %d certificates and %d keys, want 2 and 1", len(read.Certificates), len(read.PrivateKeys))
	}
	own := w.Client.Certificates[0]
	if string(read.Certificates[0]) != string(own.Certificate[0]) {
		t.Error("the first certificate is not the client's")
	}
	// The driver takes the key out of its PKCS#8 wrapping.
	key, err := x509.ParsePKCS1PrivateKey(read.PrivateKeys[0])
	if err != nil {
		t.Fatal(err)
	}
	if !key.Equal(own.PrivateKey) {
		t.Error("the key is not the client's")
	}
}

// The driver finds keys where Oracle puts them, beside the certificates.
func TestDriverReadsTheWalletWithAPassword(t *testing.T) {
	w := generate(t, func(o *Options) { o.Key = RSA2048 })
	config, err := configurations.ParseConfig("oracle://probe:probe@localhost:2484/x?wallet=" + url.QueryEscape(w.Dir) + "&wallet+password=" + url.QueryEscape(password))
	if err != nil {
		t.Fatal(err)
	}
	if read := config.Wallet; len(read.Certificates) != 2 || len(read.PrivateKeys) != 1 {
		t.Errorf("read %d certificates and %d keys, want 2 and 1", len(read.Certificates), len(read.PrivateKeys))
	}
}

func TestPKCS12IsReadByALibrary(t *testing.T) {
	w := generate(t, nil)
	content, err := os.ReadFile(filepath.Join(w.Dir, "ewallet.p12"))
	if err != nil {
		t.Fatal(err)
	}
	_, cert, authorities, err := pkcs12.DecodeChain(content, password)
	if err != nil {
		t.Fatal(err)
	}
	if !cert.Equal(w.Client.Certificates[0].Leaf) || len(authorities) != 1 {
		t.Errorf("read %v and %d authorities, want the client's and 1", cert.Subject, len(authorities))
	}
	if _, _, _, err := pkcs12.DecodeChain(content, "wrong"); err != pkcs12.ErrIncorrectPassword {
		t.Errorf("a wrong password: %v, want that said", err)
	}
}

func TestOpenSSLReadsWhatNeedsThePassword(t *testing.T) {
	openssl, err := exec.LookPath("openssl")
	if err != nil {
		t.Skip("openssl is not installed")
	}
	w := generate(t, nil)
	for name, args := range map[string][]string{
		"ewallet.pem": {"pkey", "-in", filepath.Join(w.Dir, "ewallet.pem"), "-passin", "pass:" + password, "-noout", "-check"},
		"ewallet.p12": {"pkcs12", "-in", filepath.Join(w.Dir, "ewallet.p12"), "-passin", "pass:" + password, "-nodes"},
	} {
		if out, err := exec.Command(openssl, args...).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

func TestGenerateRefusesWhatMakesNoWallet(t *testing.T) {
	valid := Options{Hosts: []string{"localhost"}, Password: password, Key: ECP256}
	for name, test := range map[string]struct {
		change func(*Options)
		want   string
	}{
		"no host":                     {func(o *Options) { o.Hosts = nil }, "at least one host"},
		"short password":              {func(o *Options) { o.Password = "short" }, "at least 8 characters"},
		"unknown attribute in the DN": {func(o *Options) { o.ServerDN = "CN=a,X=b" }, `"X=b"`},
	} {
		t.Run(name, func(t *testing.T) {
			o := valid
			test.change(&o)
			_, err := Generate(t.TempDir(), o)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want an error that says %s", err, test.want)
			}
		})
	}
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Generate(blocked, valid); err == nil {
		t.Error("a file was taken for a directory")
	}
}

func TestGenerateReplacesAnEarlierWallet(t *testing.T) {
	w := generate(t, nil)
	before, _ := os.ReadFile(filepath.Join(w.Dir, "ewallet.pem"))
	if err := os.Chmod(filepath.Join(w.Dir, "ewallet.pem"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Generate(w.Dir, Options{Hosts: []string{"localhost"}, Password: password, Key: ECP256}); err != nil {
		t.Fatal(err)
	}
	after, _ := os.ReadFile(filepath.Join(w.Dir, "ewallet.pem"))
	if string(before) == string(after) {
		t.Error("the old certificate is still there")
	}
	if info, _ := os.Stat(filepath.Join(w.Dir, "ewallet.pem")); info.Mode().Perm() != 0o600 {
		t.Errorf("the file kept its mode %o, want 600", info.Mode().Perm())
	}
}

func TestGenerateReplacesItsOwnWalletsAndNoOther(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "wallet")
	options := Options{Hosts: []string{"127.0.0.1"}, Password: "Wallet_1234", Key: ECP256}
	for range 2 {
		if _, err := Generate(dir, options); err != nil {
			t.Fatal(err)
		}
	}
	real := t.TempDir()
	names := filepath.Join(real, "tnsnames.ora")
	if err := os.WriteFile(names, []byte("orders_low = …"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Generate(real, options); err == nil {
		t.Error("a wallet that somebody else made was overwritten")
	}
	if text, err := os.ReadFile(names); err != nil || string(text) != "orders_low = …" {
		t.Errorf("tnsnames.ora became %q, %v", text, err)
	}
}
