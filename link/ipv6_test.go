package link_test

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"testing"

	"oranet_exporter/link"
	"oranet_exporter/link/linktest"
	"oranet_exporter/simulator"
	"oranet_exporter/simulator/wallet"
)

// ipv6Database starts a simulated database on the IPv6 loopback, over TCP and TLS.
func ipv6Database(t *testing.T) (port, tlsPort string, cfg link.Config) {
	t.Helper()
	if l, err := net.Listen("tcp", "[::1]:0"); err != nil {
		t.Skipf("this host has no ::1: %v", err)
	} else {
		_ = l.Close()
	}
	made, err := wallet.Generate(filepath.Join(t.TempDir(), "wallet"), wallet.Options{Hosts: []string{"::1"}, Password: walletPassword, Key: wallet.ECP256})
	if err != nil {
		t.Fatal(err)
	}
	server, err := simulator.Start(simulator.Options{ListenAddress: "[::1]:0", TLSListenAddress: "[::1]:0", TLSConfig: made.Server, Password: "Plain_1234"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	_, port, _ = net.SplitHostPort(server.Addr())
	_, tlsPort, _ = net.SplitHostPort(server.TLSAddr())
	return port, tlsPort, link.Config{User: "PROBE", Password: linktest.Secret(t, "Plain_1234"), WalletLocation: made.Dir}
}

func TestADatabaseOnIPv6IsReachedHoweverItsAddressIsWritten(t *testing.T) {
	port, tlsPort, cfg := ipv6Database(t)
	const data = "(CONNECT_DATA=(SERVICE_NAME=FREEPDB1))"
	cfg.ConfigDir = t.TempDir()
	names := "six = (DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=[::1])(PORT=" + port + "))" + data + ")\n" +
		"easy6 = tcps://[::1]:" + tlsPort + "/FREEPDB1\n"
	if err := os.WriteFile(filepath.Join(cfg.ConfigDir, "tnsnames.ora"), []byte(names), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dsn := range []string{
		"[::1]:" + port + "/FREEPDB1",
		"//[0:0:0:0:0:0:0:1]:" + port + "/FREEPDB1",
		"tcps://[::1]:" + tlsPort + "/FREEPDB1",
		"(DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=[::1])(PORT=" + port + "))" + data + ")",
		"(DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=::1)(PORT=" + port + "))" + data + ")",
		`(DESCRIPTION=(ADDRESS=(PROTOCOL=TCPS)(HOST="::1")(PORT=` + tlsPort + "))" + data + ")",
		"six",
		"easy6",
	} {
		t.Run(dsn, func(t *testing.T) {
			cfg := cfg
			cfg.DSN = dsn
			if err := open(t, newLink(t, cfg), 100).Ping(minute(t)); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestAnIPv6PeerIsNamedInBrackets(t *testing.T) {
	_, _, cfg := ipv6Database(t)
	l, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	_ = l.Close()
	cfg.DSN = address + "/FREEPDB1"
	_, err = newLink(t, cfg).Connect(minute(t))
	wantFailure(t, err, link.PhaseTCP, link.ReasonRefused, 0)
	if f := err.(*link.Failure); f.Peer != address {
		t.Errorf("the peer is named %s, want %s", f.Peer, address)
	}
}

// A zone only means something to the host that it is written for.
func TestALinkLocalAddressKeepsItsZone(t *testing.T) {
	dialled := ""
	cfg := link.Config{DSN: "[fe80::1%eth0]:1522/svc", Dial: func(_ context.Context, _, address string) (net.Conn, error) {
		dialled = address
		return nil, errors.New("not now")
	}}
	if _, err := newLink(t, cfg).Connect(minute(t)); err == nil || dialled != "[fe80::1%eth0]:1522" {
		t.Errorf("dialled %q (%v), want the zone kept", dialled, err)
	}
}
