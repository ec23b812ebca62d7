package e2e

import (
	"fmt"
	"testing"
	"time"

	"oranet_exporter/exporter"
	"oranet_exporter/link/linktest"
	"oranet_exporter/simulator"
	"oranet_exporter/simulator/emulink"
)

// A database that is down, that does not know the service, or that accepts and
// says nothing, hinders neither the scrape nor its neighbour. What is asserted
// is the order of things: while one run of the silent target lasts, many runs
// of its neighbour and many scrapes come and go.
func TestBrokenTargetsHinderNobody(t *testing.T) {
	server, _ := linktest.Simulated(t, simulator.Options{}, emulink.New(emulink.Path{}))
	url := serve(t, exporter.Options{ConfigFile: configFile(t, fmt.Sprintf(`
probes:
  tcp:        {enabled: false}
  round_trip: {interval: 100ms, timeout: 100ms}
  pool:       {enabled: false}
  connect:    {enabled: false}
  sdu:        {enabled: false}
  fetch:      {enabled: false}
targets:
  - {name: up,      dsn: "%[1]s/FREEPDB1", user: PROBE, password_file: probe, probes: {round_trip: {interval: 2s, timeout: 2s}}}
  - {name: unknown, dsn: "%[1]s/NOT_HERE", user: PROBE, password_file: probe}
  - {name: refused, dsn: "%[2]s/FREEPDB1", user: PROBE, password_file: probe}
  - {name: silent,  dsn: "%[3]s/FREEPDB1", user: PROBE, password_file: probe, probes: {round_trip: {interval: 20s, timeout: 20s}, connect: {enabled: true, interval: 20s, timeout: 20s}}}
`, server.Addr(), refusing(t), silent(t).Addr()))})

	// Three runs of the target that is up, each on its two-second clock.
	scrapes := 0
	deadline := time.Now().Add(time.Minute)
	for {
		f := scrape(t, url)
		scrapes++
		if up := f.find("oranet_round_trip_seconds", "target=up", "load=idle"); up.GetHistogram().GetSampleCount() >= 3 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the target that is up was not probed three times in a minute")
		}
		time.Sleep(20 * time.Millisecond)
	}
	if scrapes < 10 {
		t.Errorf("%d scrapes while three runs came and went", scrapes)
	}
	f := scrape(t, url)
	if ok := f.find("oranet_probe_success", "target=up", "probe=round_trip").GetGauge().GetValue(); ok != 1 {
		t.Error("the target that is up is not seen to be up")
	}
	for target, want := range map[string][2]string{"unknown": {"tns", "unknown_service"}, "refused": {"tcp", "refused"}} {
		success := f.find("oranet_probe_success", "target="+target, "probe=round_trip")
		if success == nil || success.GetGauge().GetValue() != 0 {
			t.Errorf("%s: probe_success is %v, want 0", target, success)
		}
		if f.find("oranet_probe_failures_total", "target="+target, "phase="+want[0], "reason="+want[1]) == nil {
			t.Errorf("%s: no failure of phase %s and reason %s", target, want[0], want[1])
		}
	}
	if missed := f.find("oranet_probe_missed_total", "target=up", "probe=round_trip").GetCounter().GetValue(); missed > 1 {
		t.Errorf("the target that is up missed %v slots", missed)
	}
}

func TestASilentTargetFailsByItsDeadline(t *testing.T) {
	url := serve(t, exporter.Options{ConfigFile: configFile(t, fmt.Sprintf(`
probes:
  tcp:        {enabled: false}
  round_trip: {interval: 500ms, timeout: 300ms}
  pool:       {interval: 500ms, timeout: 300ms}
  connect:    {interval: 500ms, timeout: 300ms}
  sdu:        {interval: 500ms, timeout: 300ms}
  fetch:      {interval: 500ms, timeout: 300ms}
targets:
  - {name: silent, dsn: "%s/FREEPDB1", user: PROBE, password_file: probe}
`, silent(t).Addr()))})
	for _, probe := range []string{"round_trip", "pool", "connect", "sdu", "fetch"} {
		await(t, url, func(f families) bool {
			return f.find("oranet_probe_failures_total", "probe="+probe, "phase=tns", "reason=timeout") != nil
		})
		if ok := scrape(t, url).find("oranet_probe_success", "probe="+probe).GetGauge().GetValue(); ok != 0 {
			t.Errorf("%s: probe_success is %v, want 0", probe, ok)
		}
	}
}
