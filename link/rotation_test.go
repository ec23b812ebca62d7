// Wallets as they come out of an Autonomous Database's zip, and what happens to
// them while the exporter runs.

package link_test

import (
	"crypto/tls"
	"encoding/pem"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"oranet_exporter/link"
	"oranet_exporter/link/linktest"
	"oranet_exporter/simulator"
	"oranet_exporter/simulator/wallet"
)

func TestAnUnzippedWalletNeedsItsDirectoryAndAnAlias(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "wallet")
	made, err := wallet.Generate(dir, wallet.Options{Hosts: []string{"127.0.0.1"}, Password: walletPassword, Key: wallet.ECP256})
	if err != nil {
		t.Fatal(err)
	}
	server, cfg := database(t, simulator.Options{TLSListenAddress: "127.0.0.1:0", TLSConfig: made.Server})
	if err := made.WriteNames(server.TLSAddr(), "FREEPDB1", "orders_low"); err != nil {
		t.Fatal(err)
	}
	// sqlnet.ora says that the wallet is in "?/network/admin".
	cfg.DSN, cfg.ConfigDir, cfg.WalletLocation = "ORDERS_LOW", dir, ""
	for name, files := range map[string][]string{
		"as it is":    {"ewallet.pem", "ewallet.p12", "cwallet.sso"},
		"ewallet.pem": {"ewallet.pem"},
		"ewallet.p12": {"ewallet.p12"},
		"cwallet.sso": {"cwallet.sso"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := cfg
			cfg.ConfigDir = t.TempDir()
			for _, file := range append(files, "tnsnames.ora", "sqlnet.ora") {
				copyFile(t, filepath.Join(dir, file), filepath.Join(cfg.ConfigDir, file))
			}
			if name != "cwallet.sso" {
				cfg.WalletPassword = linktest.Secret(t, walletPassword)
			}
			open(t, newLink(t, cfg), 100)
		})
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	content, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestARotatedWalletIsPickedUpAndAHalfWrittenOneIsSaid(t *testing.T) {
	for _, name := range []string{"ewallet.pem", "ewallet.p12", "cwallet.sso"} {
		t.Run(name, func(t *testing.T) {
			generate := func() (*tls.Config, []byte) {
				t.Helper()
				made, err := wallet.Generate(t.TempDir(), wallet.Options{Hosts: []string{"127.0.0.1"}, Password: walletPassword, Key: wallet.ECP256})
				if err != nil {
					t.Fatal(err)
				}
				content, err := os.ReadFile(filepath.Join(made.Dir, name))
				if err != nil {
					t.Fatal(err)
				}
				return made.Server, content
			}
			var current atomic.Pointer[tls.Config]
			before, content := generate()
			current.Store(before)
			server, cfg := database(t, simulator.Options{TLSListenAddress: "127.0.0.1:0", TLSConfig: &tls.Config{
				GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) { return current.Load(), nil },
			}})
			cfg.DSN = "tcps://" + server.TLSAddr() + "/FREEPDB1"
			cfg.WalletLocation, cfg.WalletPassword = t.TempDir(), linktest.Secret(t, walletPassword)
			file := filepath.Join(cfg.WalletLocation, name)
			write := func(content []byte) {
				t.Helper()
				if err := os.WriteFile(file, content, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			write(content)
			l := newLink(t, cfg) // the one link for all that follows
			negotiate := func() error {
				_, err := l.Negotiate(minute(t), 8192)
				return err
			}
			if err := negotiate(); err != nil {
				t.Fatal(err)
			}
			after, content := generate()
			current.Store(after)
			wantFailure(t, negotiate(), link.PhaseTLS, link.ReasonTLSUntrusted, 0)
			for range 2 {
				write(content[:len(content)*2/3])
				err := negotiate()
				wantFailure(t, err, link.PhaseConfig, link.ReasonWalletInvalid, 0)
				if !strings.Contains(err.Error(), file) || strings.Contains(err.Error(), walletPassword) {
					t.Errorf("error %v, want one that names the file and no secret", err)
				}
				write(nil)
				wantFailure(t, negotiate(), link.PhaseConfig, link.ReasonWalletInvalid, 0)
			}
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
			wantFailure(t, negotiate(), link.PhaseConfig, link.ReasonWalletMissing, 0)
			write(content)
			if err := negotiate(); err != nil {
				t.Errorf("the new wallet was not picked up: %v", err)
			}
		})
	}
}

// One-way TLS, as with a public authority's certificate: no wallet, the
// system's authorities. They are read once a process, hence the second one.
func TestWithoutAWalletTheSystemsAuthoritiesAreTrusted(t *testing.T) {
	switch runtime.GOOS {
	case "darwin", "windows":
		t.Skip("SSL_CERT_FILE says nothing to this system")
	}
	const server = "ORANET_ONE_WAY_SERVER"
	if dsn := os.Getenv(server); dsn != "" {
		if a, err := newLink(t, link.Config{DSN: dsn}).Negotiate(minute(t), 8192); err != nil || len(a.ServerCerts) == 0 {
			t.Fatal(err)
		}
		return
	}
	_, cfg := tlsDatabaseOf(t, wallet.Options{}, func(server *tls.Config) { server.ClientAuth = tls.NoClientCert })
	content, err := os.ReadFile(filepath.Join(cfg.WalletLocation, "ewallet.pem"))
	if err != nil {
		t.Fatal(err)
	}
	authority := filepath.Join(t.TempDir(), "ca.pem")
	var block *pem.Block
	for b, rest := pem.Decode(content); b != nil; b, rest = pem.Decode(rest) {
		block = b // the last one
	}
	if err := os.WriteFile(authority, pem.EncodeToMemory(block), 0o600); err != nil {
		t.Fatal(err)
	}
	again := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	again.Env = append(os.Environ(), server+"="+cfg.DSN, "SSL_CERT_FILE="+authority)
	if out, err := again.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	cfg.WalletLocation = ""
	_, err = newLink(t, cfg).Negotiate(minute(t), 8192)
	wantFailure(t, err, link.PhaseTLS, link.ReasonTLSUntrusted, 0)
}
