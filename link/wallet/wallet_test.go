package wallet

import (
	"bytes"
	"crypto"
	"crypto/aes"
	"crypto/cipher"
	"crypto/des"
	"crypto/x509"
	"encoding/binary"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/sijms/go-ora/v2/configurations"
	"software.sslmate.com/src/go-pkcs12"

	simulated "oranet_exporter/simulator/wallet"
)

const (
	password     = "Wallet#Pass1"
	autoPassword = "0123456789abcdef" // of auto-login wallets: one AES block
)

// shared is one wallet for all tests that only read it.
var shared = sync.OnceValues(func() (*simulated.Wallet, error) {
	dir, err := os.MkdirTemp("", "wallet")
	if err != nil {
		return nil, err
	}
	return simulated.Generate(dir, simulated.Options{Hosts: []string{"db.example.com"}, Password: password, Key: simulated.ECP256})
})

func TestMain(m *testing.M) {
	code := m.Run()
	if w, err := shared(); err == nil {
		os.RemoveAll(w.Dir)
	}
	os.Exit(code)
}

func sharedWallet(t testing.TB) *simulated.Wallet {
	t.Helper()
	w, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func sharedFile(t testing.TB, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(sharedWallet(t).Dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// directory makes a wallet directory of the files given.
func directory(t *testing.T, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func plainPEM(t testing.TB) []byte {
	t.Helper()
	own := sharedWallet(t).Client.Certificates[0]
	key, err := x509.MarshalPKCS8PrivateKey(own.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	return append(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key}),
		pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: own.Certificate[0]})...)
}

func TestLoadChoosesAFileAsTheDriversDo(t *testing.T) {
	encrypted, p12, sso := sharedFile(t, pemFile), sharedFile(t, p12File), sharedFile(t, ssoFile)
	certificates := encrypted[bytes.Index(encrypted, []byte("-----BEGIN CERTIFICATE")):]
	garbage := []byte("garbage")
	for name, test := range map[string]struct {
		files    map[string][]byte
		password string
		source   string // "" if an error is due
		kind     Kind
		says     string
	}{
		"all files and the password":           {map[string][]byte{pemFile: encrypted, p12File: p12, ssoFile: sso}, password, pemFile, 0, ""},
		"all files and no password":            {map[string][]byte{pemFile: encrypted, p12File: p12, ssoFile: sso}, "", ssoFile, 0, ""},
		"all files and a wrong password":       {map[string][]byte{pemFile: encrypted, p12File: p12, ssoFile: sso}, "Wrong#Secret9", "", Invalid, "check the wallet password"},
		"ewallet.p12, sso and the password":    {map[string][]byte{p12File: p12, ssoFile: sso}, password, p12File, 0, ""},
		"ewallet.p12, sso and no password":     {map[string][]byte{p12File: p12, ssoFile: sso}, "", ssoFile, 0, ""},
		"ewallet.p12, sso, a wrong password":   {map[string][]byte{p12File: p12, ssoFile: sso}, "Wrong#Secret9", "", Invalid, "check the wallet password"},
		"ewallet.p12 and the password":         {map[string][]byte{p12File: p12}, password, p12File, 0, ""},
		"ewallet.p12 and no password":          {map[string][]byte{p12File: p12}, "", "", Invalid, "give the wallet password"},
		"ewallet.pem, p12 and no password":     {map[string][]byte{pemFile: encrypted, p12File: p12}, "", "", Invalid, "ewallet.pem cannot be used"},
		"half an ewallet.p12 beside the sso":   {map[string][]byte{p12File: p12[:len(p12)/2], ssoFile: sso}, password, "", Invalid, "damaged"},
		"an empty ewallet.p12 beside the sso":  {map[string][]byte{p12File: nil, ssoFile: sso}, password, "", Invalid, "damaged"},
		"half an ewallet.pem beside the sso":   {map[string][]byte{pemFile: encrypted[:len(encrypted)-100], ssoFile: sso}, password, "", Invalid, "damaged"},
		"a damaged block in ewallet.pem":       {map[string][]byte{pemFile: bytes.Replace(encrypted, []byte("-----BEGIN CERTIFICATE-----\nMI"), []byte("-----BEGIN CERTIFICATE-----\n?!"), 1)}, password, "", Invalid, "damaged"},
		"both files and the password":          {map[string][]byte{pemFile: encrypted, ssoFile: sso}, password, pemFile, 0, ""},
		"both files and no password":           {map[string][]byte{pemFile: encrypted, ssoFile: sso}, "", ssoFile, 0, ""},
		"both files and a wrong password":      {map[string][]byte{pemFile: encrypted, ssoFile: sso}, "Wrong#Secret9", "", Invalid, "check the wallet password"},
		"ewallet.pem and the password":         {map[string][]byte{pemFile: encrypted}, password, pemFile, 0, ""},
		"ewallet.pem and no password":          {map[string][]byte{pemFile: encrypted}, "", "", Invalid, "give the wallet password"},
		"ewallet.pem with a plain key":         {map[string][]byte{pemFile: plainPEM(t), ssoFile: sso}, "", pemFile, 0, ""},
		"ewallet.pem without a key":            {map[string][]byte{pemFile: certificates, ssoFile: sso}, "", pemFile, 0, ""},
		"a damaged ewallet.pem beside the sso": {map[string][]byte{pemFile: garbage, ssoFile: sso}, "", "", Invalid, "no certificate"},
		"cwallet.sso alone":                    {map[string][]byte{ssoFile: sso}, "", ssoFile, 0, ""},
		"cwallet.sso and a password unneeded":  {map[string][]byte{ssoFile: sso}, password, ssoFile, 0, ""},
		"a damaged cwallet.sso":                {map[string][]byte{ssoFile: garbage}, "", "", Invalid, "not an auto-login wallet"},
		"no password and a damaged sso":        {map[string][]byte{pemFile: encrypted, ssoFile: garbage}, "", "", Invalid, "not an auto-login wallet"},
		"neither file":                         {map[string][]byte{"tnsnames.ora": nil}, "", "", Missing, "neither ewallet.pem nor ewallet.p12 nor cwallet.sso"},
		"a file too big":                       {map[string][]byte{pemFile: make([]byte, maxSize+1)}, "", "", Invalid, "more than the 1048576 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := directory(t, test.files)
			w, err := Load(dir, test.password)
			if test.source != "" {
				if err != nil {
					t.Fatal(err)
				}
				if want := filepath.Join(dir, test.source); w.Source != want {
					t.Errorf("read %s, want %s", w.Source, want)
				}
				return
			}
			var walletErr *Error
			if !errors.As(err, &walletErr) || walletErr.Kind != test.kind || !strings.Contains(err.Error(), test.says) {
				t.Errorf("got %v, want one of kind %v that says %q", err, test.kind, test.says)
			}
			if test.password != "" && strings.Contains(fmt.Sprintf("%v %+v", err, walletErr), test.password) {
				t.Errorf("the error holds the password: %v", err)
			}
		})
	}
}

func TestLoadWantsADirectoryOfRegularFiles(t *testing.T) {
	file := filepath.Join(directory(t, map[string][]byte{pemFile: nil}), pemFile)
	nested := t.TempDir()
	if err := os.Mkdir(filepath.Join(nested, pemFile), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		dir  string
		kind Kind
	}{
		"no directory":     {filepath.Join(nested, "missing"), Missing},
		"a file":           {file, Missing},
		"not a file in it": {nested, Invalid},
	} {
		t.Run(name, func(t *testing.T) {
			var walletErr *Error
			if _, err := Load(test.dir, ""); !errors.As(err, &walletErr) || walletErr.Kind != test.kind {
				t.Errorf("got %v, want kind %v", err, test.kind)
			}
		})
	}
}

func TestUnreadableFileIsAMatterOfPermission(t *testing.T) {
	if got := kindOf(&fs.PathError{Op: "open", Path: pemFile, Err: fs.ErrPermission}); got != Permission {
		t.Errorf("a refused open is of kind %v", got)
	}
	if os.Geteuid() == 0 {
		t.Skip("root may read everything")
	}
	dir := directory(t, map[string][]byte{pemFile: plainPEM(t), ssoFile: sharedFile(t, ssoFile)})
	if err := os.Chmod(filepath.Join(dir, pemFile), 0); err != nil {
		t.Fatal(err)
	}
	var walletErr *Error
	if _, err := Load(dir, ""); !errors.As(err, &walletErr) || walletErr.Kind != Permission {
		t.Errorf("got %v, want kind permission", err)
	}
}

func TestEachFileGivesTheSameWallet(t *testing.T) {
	for key, name := range map[simulated.KeyType]string{simulated.RSA2048: "RSA", simulated.ECP256: "EC"} {
		t.Run(name, func(t *testing.T) {
			made, err := simulated.Generate(t.TempDir(), simulated.Options{Hosts: []string{"localhost"}, Password: password, Key: key})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range files {
				w, err := loadFile(filepath.Join(made.Dir, f.name), password, f.parse)
				if err != nil {
					t.Fatal(err)
				}
				own := made.Client.Certificates[0]
				if w.Certificate == nil || !w.Certificate.Leaf.Equal(own.Leaf) || !w.Roots.Equal(made.Client.RootCAs) || len(w.Certificates) != 2 {
					t.Fatalf("%s: %+v", w.Source, w)
				}
				if key := w.Certificate.PrivateKey.(interface{ Equal(crypto.PrivateKey) bool }); !key.Equal(own.PrivateKey) {
					t.Errorf("%s: another key", w.Source)
				}
			}
		})
	}
}

func TestAuthoritiesAloneAreAWalletForOneWayTLS(t *testing.T) {
	authority := sharedWallet(t).Server.ClientCAs
	found, err := parsePEM(sharedFile(t, pemFile), password)
	if err != nil {
		t.Fatal(err)
	}
	trusted := found.certificates[1:]
	store, err := pkcs12.LegacyDES.EncodeTrustStore(trusted, autoPassword)
	if err != nil {
		t.Fatal(err)
	}
	w, err := Load(directory(t, map[string][]byte{ssoFile: wrapAES('6', autoPassword, store)}), "")
	if err != nil {
		t.Fatal(err)
	}
	if w.Certificate != nil || !w.Roots.Equal(authority) || len(w.Certificates) != 1 {
		t.Errorf("got %+v, want the authority and no certificate of our own", w)
	}
}

func TestKeyAndCertificateAloneTrustTheSystem(t *testing.T) {
	w, err := Load(directory(t, map[string][]byte{pemFile: plainPEM(t)}), "")
	if err != nil {
		t.Fatal(err)
	}
	if w.Roots != nil || w.Certificate == nil {
		t.Errorf("got %+v, want a certificate and nil roots", w)
	}
}

// Other hands' files: go-pkcs12 writes two contents, and the key shrouded.
func TestWalletsMayHoldAnyUsualPKCS12(t *testing.T) {
	own := sharedWallet(t).Client.Certificates[0]
	for name, encoder := range map[string]*pkcs12.Encoder{
		"3DES, SHA-1":         pkcs12.LegacyDES,
		"AES-256, SHA-256":    pkcs12.Modern2023,
		"more iterations":     pkcs12.Modern2023.WithIterations(20_000),
		"3DES, one iteration": pkcs12.LegacyDES.WithIterations(1),
	} {
		p12, err := encoder.Encode(own.PrivateKey, own.Leaf, nil, autoPassword)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name+", ewallet.p12", func(t *testing.T) {
			w, err := Load(directory(t, map[string][]byte{p12File: p12}), autoPassword)
			if err != nil || !w.Certificate.Leaf.Equal(own.Leaf) {
				t.Errorf("got %+v, %v", w, err)
			}
		})
		for header, sso := range map[string][]byte{
			"AES header": wrapAES('6', autoPassword, p12),
			"DES header": wrapDES(autoPassword, p12),
		} {
			t.Run(name+", "+header, func(t *testing.T) {
				found, err := parseSSO(sso)
				if err != nil {
					t.Fatal(err)
				}
				if w, err := found.wallet(); err != nil || !w.Certificate.Leaf.Equal(own.Leaf) {
					t.Errorf("got %+v, %v", w, err)
				}
			})
		}
	}
}

// The DES header is known from go-ora's reader alone, so this test's writer is held to it.
func TestDESHeaderIsWhatTheDriverReads(t *testing.T) {
	sso := sharedFile(t, ssoFile)
	plainPassword, p12, err := ssoPassword(schemeAES, 33, sso[ssoHeaderSize:])
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(directory(t, map[string][]byte{ssoFile: wrapDES(plainPassword, p12)}), ssoFile)
	read, err := configurations.NewWallet(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(read.Certificates) != 2 {
		t.Errorf("the driver reads %d certificates, want 2", len(read.Certificates))
	}
}

// wrapAES puts a header around PKCS#12.
func wrapAES(kind byte, password string, p12 []byte) []byte {
	plain := []byte(password)
	key := slices.Repeat([]byte{7}, aes.BlockSize)
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(err)
	}
	cipher.NewCBCEncrypter(block, ssoIV).CryptBlocks(plain, plain)
	out := append(slices.Clone(ssoMagic), kind)
	out = binary.BigEndian.AppendUint32(out, ssoVersion)
	out = binary.BigEndian.AppendUint32(out, uint32(1+len(key)+len(plain)))
	out = append(out, schemeAES)
	return slices.Concat(out, key, plain, p12)
}

func wrapDES(password string, p12 []byte) []byte {
	padding := 24 - len(password)
	plain := append([]byte(password), slices.Repeat([]byte{byte(padding)}, padding)...)
	key := []byte("8 bytes.")
	block, err := des.NewCipher(key)
	if err != nil {
		panic(err)
	}
	cipher.NewCBCEncrypter(block, make([]byte, des.BlockSize)).CryptBlocks(plain, plain)
	out := append(slices.Clone(ssoMagic), '6')
	out = binary.BigEndian.AppendUint32(out, ssoVersion)
	out = binary.BigEndian.AppendUint32(out, 65)
	out = append(out, schemeDES)
	return slices.Concat(out, []byte(hex.EncodeToString(key)), []byte(hex.EncodeToString(plain)), p12)
}

// What is wrong with a wallet goes into logs and onto pages.
func TestErrorsQuoteNothingOfTheWallet(t *testing.T) {
	const secret = "Wrong#Secret9"
	for _, f := range files {
		content := sharedFile(t, f.name)
		if f.name == pemFile {
			content = append(plainPEM(t), content...)
		}
		for at := 0; at < len(content); at += 1 + len(content)/25 {
			damaged := slices.Clone(content)
			damaged[at] ^= 0x41
			for _, text := range [][]byte{content[:at], damaged} {
				_, err := loadFile(filepath.Join(directory(t, map[string][]byte{f.name: text}), f.name), secret, f.parse)
				if err != nil {
					requireNoQuote(t, err.Error(), content, secret)
				}
			}
		}
	}
}

// requireNoQuote fails if eight bytes of the content stand in the error.
func requireNoQuote(t *testing.T, text string, content []byte, secret string) {
	t.Helper()
	if strings.Contains(text, secret) {
		t.Errorf("the error tells the password: %s", text)
	}
	for line := range bytes.Lines(content) {
		if line = bytes.TrimSpace(line); len(line) >= 8 && strings.Contains(text, string(line[:8])) && !bytes.HasPrefix(line, []byte("-----")) {
			t.Errorf("the error quotes the file: %s", text)
		}
	}
}
