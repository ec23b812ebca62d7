package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"oranet_exporter/exporter"
	"oranet_exporter/link/linktest"
	"oranet_exporter/simulator"
	"oranet_exporter/simulator/emulink"
)

// The configuration stays as it is; tnsnames.ora beside it moves an alias.
func TestAReloadFollowsTnsnames(t *testing.T) {
	server, _ := linktest.Simulated(t, simulator.Options{}, emulink.New(emulink.Path{}))
	file := configFile(t, `
probes: {tcp: {enabled: false}, pool: {enabled: false}, connect: {enabled: false}, sdu: {enabled: false}, fetch: {enabled: false}}
targets:
  - {name: orders, dsn: orders, config_dir: ., user: PROBE, password_file: probe, probes: {round_trip: {interval: 200ms, timeout: 200ms}}}
`)
	names := filepath.Join(filepath.Dir(file), "tnsnames.ora")
	point := func(address string) {
		t.Helper()
		if err := os.WriteFile(names, fmt.Appendf(nil, "orders = %s/FREEPDB1\n", address), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	point(refusing(t))
	hangup := make(chan os.Signal, 1)
	url := serve(t, exporter.Options{ConfigFile: file, Hangup: hangup})
	await(t, url, func(f families) bool { return f.find("oranet_probe_failures_total", "reason=refused") != nil })
	point(server.Addr())
	hangup <- os.Interrupt // which signal it is matters to the command alone
	await(t, url, func(f families) bool {
		return f.find("oranet_probe_success", "probe=round_trip").GetGauge().GetValue() == 1
	})
}

// await scrapes until what is waited for has come.
func await(t *testing.T, url string, come func(families) bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !come(scrape(t, url)); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("what was waited for did not come in a minute")
		}
	}
}
