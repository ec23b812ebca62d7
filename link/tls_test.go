package link_test

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"oranet_exporter/link"
	"oranet_exporter/link/linktest"
	"oranet_exporter/simulator"
	"oranet_exporter/simulator/wallet"
)

const walletPassword = "Wallet_1234"

// tlsDatabase starts a simulated database over mutual TLS with the wallet of
// those options.
func tlsDatabase(t *testing.T, w wallet.Options) (*simulator.Server, link.Config) {
	t.Helper()
	return tlsDatabaseOf(t, w, func(*tls.Config) {})
}

// tlsDatabaseOf changes the server's side of TLS.
func tlsDatabaseOf(t *testing.T, w wallet.Options, change func(*tls.Config)) (*simulator.Server, link.Config) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "wallet")
	if len(w.Hosts) == 0 {
		w.Hosts = []string{"127.0.0.1"}
	}
	w.Password, w.Key = walletPassword, wallet.ECP256
	made, err := wallet.Generate(dir, w)
	if err != nil {
		t.Fatal(err)
	}
	change(made.Server)
	server, cfg := database(t, simulator.Options{TLSListenAddress: "127.0.0.1:0", TLSConfig: made.Server})
	cfg.DSN = "tcps://" + server.TLSAddr() + "/FREEPDB1"
	cfg.WalletLocation = dir
	cfg.WalletPassword = linktest.Secret(t, walletPassword)
	return server, cfg
}

func TestTheMeterCountsWhatTheDatabaseCountsUnderTLS(t *testing.T) {
	server, cfg := tlsDatabase(t, wallet.Options{})
	for _, arraysize := range []int{100, 1000, 10000} {
		t.Run(fmt.Sprint(arraysize), func(t *testing.T) {
			compareWithTruth(t, server, cfg, arraysize, false)
		})
	}
}

func TestTheListenerClampsTheSDUUnderTLS(t *testing.T) {
	_, cfg := tlsDatabase(t, wallet.Options{})
	for requested, want := range map[int]int{2048: 2048, 8192: 8192, 65536: 32768, 2097152: 32768} { // MEASUREMENTS M1
		a, err := newLink(t, cfg).Negotiate(minute(t), requested)
		if err != nil {
			t.Fatal(err)
		}
		if a.Accepted.SDU != want {
			t.Errorf("asked for %d, granted %d, want %d", requested, a.Accepted.SDU, want)
		}
	}
}

func TestTheAutoLoginWalletNeedsNoPassword(t *testing.T) {
	_, cfg := tlsDatabase(t, wallet.Options{})
	cfg.WalletPassword = link.Secret{}
	open(t, newLink(t, cfg), 100)
}

func TestBothSidesCertificatesAreKnownWhateverTheHandshakeCameTo(t *testing.T) {
	yesterday := time.Now().Add(-24 * time.Hour).Truncate(time.Second)
	_, stranger := tlsDatabase(t, wallet.Options{})
	for _, c := range []struct {
		name   string
		wallet wallet.Options
		change func(*link.Config)
		reason link.Reason
	}{
		{"good", wallet.Options{}, nil, ""},
		{"server certificate expired", wallet.Options{ServerNotAfter: yesterday}, nil, link.ReasonTLSExpired},
		{"client certificate expired", wallet.Options{ClientNotAfter: yesterday}, nil, link.ReasonTLSClientCert},
		{"both expired", wallet.Options{ServerNotAfter: yesterday, ClientNotAfter: yesterday}, nil, link.ReasonTLSExpired},
		{"certificate of another host", wallet.Options{Hosts: []string{"db.example.com"}}, nil, link.ReasonTLSNameMismatch},
		{"another DN", wallet.Options{}, func(c *link.Config) { c.SSLServerCertDN = "CN=other" }, link.ReasonTLSNameMismatch},
		{"another authority", wallet.Options{}, func(c *link.Config) { c.WalletLocation = stranger.WalletLocation }, link.ReasonTLSUntrusted},
	} {
		for version, name := range map[uint16]string{tls.VersionTLS12: "1.2", tls.VersionTLS13: "1.3"} {
			t.Run(c.name+", TLS "+name, func(t *testing.T) {
				_, cfg := tlsDatabaseOf(t, c.wallet, func(server *tls.Config) { server.MaxVersion = version })
				if c.change != nil {
					c.change(&cfg)
				}
				a, err := newLink(t, cfg).Negotiate(minute(t), 8192)
				if c.reason != "" {
					wantFailure(t, err, link.PhaseTLS, c.reason, 0)
				} else if err != nil || a.TLSVersion != name {
					t.Errorf("TLS %s, %v; want %s", a.TLSVersion, err, name)
				}
				for side, known := range map[string]struct {
					certs []link.Certificate
					ends  time.Time
				}{"server": {a.ServerCerts, c.wallet.ServerNotAfter}, "client": {a.ClientCerts, c.wallet.ClientNotAfter}} {
					if len(known.certs) == 0 {
						t.Errorf("no certificate of the %s is known", side)
					} else if end := known.certs[0].NotAfter; !known.ends.IsZero() && !end.Equal(known.ends) {
						t.Errorf("the certificate of the %s ends on %v, want %v", side, end, known.ends)
					}
				}
			})
		}
	}
}

func TestTLSFailuresHaveReasons(t *testing.T) {
	_, cfg := tlsDatabase(t, wallet.Options{})
	_, other := tlsDatabase(t, wallet.Options{})
	plain, _ := database(t, simulator.Options{})

	for _, c := range []struct {
		name   string
		change func(*link.Config)
		phase  link.Phase
		reason link.Reason
	}{
		{"wallet of another authority", func(c *link.Config) { c.WalletLocation = other.WalletLocation }, link.PhaseTLS, link.ReasonTLSUntrusted},
		{"no wallet", func(c *link.Config) { c.WalletLocation = "" }, link.PhaseTLS, link.ReasonTLSUntrusted},
		{"wallet directory missing", func(c *link.Config) { c.WalletLocation += "_not" }, link.PhaseConfig, link.ReasonWalletMissing},
		{"wrong wallet password", func(c *link.Config) { c.WalletPassword = linktest.Secret(t, "Wrong_1234") }, link.PhaseConfig, link.ReasonWalletInvalid},
		{"another certificate DN expected", func(c *link.Config) { c.SSLServerCertDN = "CN=other" }, link.PhaseTLS, link.ReasonTLSNameMismatch},
		{"TLS to a plain listener", func(c *link.Config) { c.DSN = "tcps://" + plain.Addr() + "/FREEPDB1" }, link.PhaseTLS, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := cfg
			c.change(&cfg)
			ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
			defer cancel()
			_, err := newLink(t, cfg).Negotiate(ctx, 8192)
			if c.reason == "" { // what a plain listener does with a ClientHello is its own choice
				if f, ok := err.(*link.Failure); !ok || f.Phase != c.phase {
					t.Fatalf("error %v, want one of phase %s", err, c.phase)
				}
				return
			}
			wantFailure(t, err, c.phase, c.reason, 0)
			if strings.Contains(err.Error(), "1234") {
				t.Errorf("the error tells a secret: %v", err)
			}
		})
	}
}

// A driver's own handshake hangs for ever on such a peer.
func TestAPeerSilentInTheHandshakeEndsWithTheDeadline(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	_, cfg := tlsDatabase(t, wallet.Options{})
	cfg.DSN = "tcps://" + silent.Addr().String() + "/FREEPDB1"
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second) // opening the wallet takes its part
	defer cancel()
	_, err = newLink(t, cfg).Negotiate(ctx, 8192)
	wantFailure(t, err, link.PhaseTLS, link.ReasonTimeout, 0)
}
