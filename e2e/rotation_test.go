package e2e

import (
	"crypto/tls"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"oranet_exporter/exporter"
	"oranet_exporter/simulator"
	"oranet_exporter/simulator/wallet"
)

// Certificates end, the alert is on their last day, and the new wallet is put
// where the old one was: nobody restarts anything.
func TestExpiredCertificatesAreToldAndANewWalletIsTaken(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "wallet")
	yesterday := time.Now().Add(-24 * time.Hour).Truncate(time.Second)
	options := wallet.Options{Hosts: []string{"127.0.0.1"}, Password: "Wallet_1234", Key: wallet.ECP256}
	var current atomic.Pointer[tls.Config]
	put := func(end time.Time) {
		t.Helper()
		options.ServerNotAfter, options.ClientNotAfter = end, end
		made, err := wallet.Generate(dir, options)
		if err != nil {
			t.Fatal(err)
		}
		current.Store(made.Server)
	}
	put(yesterday)
	server, err := simulator.Start(simulator.Options{TLSListenAddress: "127.0.0.1:0", Password: "Plain_1234", TLSConfig: &tls.Config{
		GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) { return current.Load(), nil },
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	file := configFile(t, fmt.Sprintf(`
probes: {tcp: {enabled: false}, round_trip: {enabled: false}, pool: {enabled: false}, sdu: {enabled: false}, fetch: {enabled: false},
  connect: {interval: 2s, timeout: 2s}}
targets:
  - {name: a, dsn: "tcps://%s/FREEPDB1", user: PROBE, password_file: probe, wallet_location: %s, wallet_password_file: wallet}
`, server.TLSAddr(), dir))
	if err := os.WriteFile(filepath.Join(filepath.Dir(file), "wallet"), []byte("Wallet_1234"), 0o600); err != nil {
		t.Fatal(err)
	}
	url := serve(t, exporter.Options{ConfigFile: file})

	ends := func(page families, side string) time.Time {
		m := page.find("oranet_certificate_expiry_timestamp_seconds", "side="+side)
		if m == nil {
			return time.Time{}
		}
		return time.Unix(int64(m.GetGauge().GetValue()), 0)
	}
	await(t, url, func(page families) bool {
		return ends(page, "server").Equal(yesterday) && ends(page, "client").Equal(yesterday) &&
			page.sum("oranet_probe_failures_total", "phase=tls", "reason=tls_expired") > 0
	})
	put(time.Now().Add(30 * 24 * time.Hour))
	await(t, url, func(page families) bool {
		success := page.find("oranet_probe_success", "probe=connect")
		return success.GetGauge().GetValue() == 1 && ends(page, "server").After(time.Now()) && ends(page, "client").After(time.Now())
	})
}
