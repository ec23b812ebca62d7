package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"oranet_exporter/exporter"
	"oranet_exporter/link"
	"oranet_exporter/probes"
)

func metric(name string, labels ...string) *probes.Metric {
	return &probes.Metric{Name: name, Labels: labels}
}

// round is a round of probing: everything measured on one target, a failure on another.
func round() *Report {
	var s probes.Samples
	s.Add(metric("tcp_connect_seconds"), 0.0102)
	s.Add(metric("round_trip_seconds", "load"), 0.0105, "idle")
	s.Add(metric("pool_acquire_seconds"), 0.0000041)
	s.Add(metric("pool_query_seconds"), 0.0209)
	s.Add(metric("pool_query_component_seconds", "component"), 0.0204, "network")
	s.Add(metric("pool_query_component_seconds", "component"), 0.0003, "server")
	s.Add(metric("pool_query_component_seconds", "component"), 0, "transfer")
	s.Add(metric("pool_query_component_seconds", "component"), 0.0002, "client")
	s.Add(metric("connect_seconds", "server"), 0.142, "pooled")
	s.Add(metric("connect_phase_seconds", "phase"), 0.0102, "tcp")
	s.Add(metric("connect_phase_seconds", "phase"), 0.0203, "tls")
	s.Add(metric("connect_round_trips"), 9)
	s.Add(metric("session_info", "instance_name", "server_host", "service_name", "version", "address"), 1, "FREE", "db1", "freepdb1", "19.22.0.0.0", "db1-vip:1521")
	s.Add(metric("sdu_negotiated_bytes", "requested"), 8192, "8192")
	s.Add(metric("sdu_negotiated_bytes", "requested"), 32768, "2097152")
	s.Add(metric("fetch_seconds", "arraysize"), 1.071, "100")
	s.Add(metric("fetch_round_trips", "arraysize"), 101, "100")
	s.Add(metric("fetch_rows_per_round_trip", "arraysize"), 99.0099, "100")
	s.Add(metric("fetch_throughput_bytes_per_second", "arraysize"), 1_900_000, "100")
	s.Add(metric("fetch_rows_total", "arraysize"), 10000, "100")
	for component, seconds := range map[string]float64{"network": 1.0, "server": 0.05, "transfer": 0.001, "client": 0.02} {
		s.Add(metric("fetch_component_seconds", "arraysize", "component"), seconds, "100", component)
	}
	s.Add(metric("password_expiry_timestamp_seconds"), math.Inf(1))
	cfg := &exporter.Config{Targets: []*exporter.Target{
		{Name: "orders", Link: link.Config{DSN: "orders_low"}},
		{Name: "gone", Link: link.Config{DSN: "gone/svc"}},
		{Name: "unasked", Link: link.Config{DSN: "unasked/svc"}},
	}}
	return New(cfg, []*exporter.Result{
		{Target: "orders", Probe: "everything", Samples: s.List(),
			Disturbed: exporter.Disturbance{Cause: exporter.CauseScheduler, Late: 12300 * time.Microsecond}},
		{Target: "gone", Probe: "tcp", Duration: 2 * time.Second,
			Failure: &link.Failure{Phase: link.PhaseTCP, Reason: link.ReasonTimeout, Peer: "gone:1521", Err: errors.New("i/o timeout")}},
	})
}

func TestTextSaysWhatWasMeasuredInUnitsThatSuit(t *testing.T) {
	var out bytes.Buffer
	if err := round().Text(&out); err != nil {
		t.Fatal(err)
	}
	want := `orders (orders_low)
  TCP connect  10.2 ms
  round trip   10.5 ms, link idle
  pool         acquire 4.10 µs; acquire, one row and release 20.9 ms
               network 20.4 ms, server 300 µs, transfer 0.00 µs, client 200 µs
  connect      142 ms in 9 round trips (server: pooled)
               tcp 10.2 ms, tls 20.3 ms
  SDU          8192 → 8192, 2097152 → 32768
  landed on    instance FREE on db1 at db1-vip:1521, service freepdb1, release 19.22.0.0.0
  fetch of 10000 rows, execute to last row
    arraysize  round trips  rows/trip  elapsed  MB/s  network   server  transfer   client
          100          101       99.0   1.07 s   1.9   1.00 s  50.0 ms   1.00 ms  20.0 ms
  password     never expires
  disturbed    everything: this process did not run for 12.3 ms (scheduler), which may show in its figures

gone (gone/svc)
  FAILED       tcp after 2.00 s: reason timeout: tcp: gone:1521: i/o timeout
`
	if out.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", out.String(), want)
	}
}

// A server tells its own name, a certificate its subject.
func TestTextOfAPeerSteersNoTerminal(t *testing.T) {
	var s probes.Samples
	s.Add(metric("session_info", "instance_name", "server_host", "service_name", "version", "address"), 1, "FREE\n\x1b[2J", "db\u009b1", "svc", "19", "vip\n:1521")
	s.Add(metric("certificate_expiry_timestamp_seconds", "side", "subject"), 0, "server", "CN=a\nb")
	cfg := &exporter.Config{Targets: []*exporter.Target{{Name: "orders", Link: link.Config{DSN: "(DESCRIPTION=\n(ADDRESS=))"}}}}
	var out bytes.Buffer
	if err := New(cfg, []*exporter.Result{{Target: "orders", Probe: "connect", Samples: s.List()}}).Text(&out); err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n") {
		if strings.ContainsAny(line, "\x1b\u009b") || !strings.HasPrefix(line, "orders (") && !strings.HasPrefix(line, "  ") {
			t.Errorf("a line of the report is %q", line)
		}
	}
}

func TestJSONHoldsTheSameFigures(t *testing.T) {
	var out bytes.Buffer
	if err := round().JSON(&out); err != nil {
		t.Fatal(err)
	}
	var got struct {
		OK      bool
		Targets []struct {
			Name   string
			Probes []struct {
				Success       bool
				Phase, Reason string
				Disturbed     struct{ Cause string }
				Measured      []struct {
					Metric string
					Labels map[string]string
					Value  any
				}
			}
		}
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.OK || len(got.Targets) != 2 || got.Targets[1].Probes[0].Reason != "timeout" {
		t.Fatalf("read back as %+v", got)
	}
	first := got.Targets[0].Probes[0]
	if first.Disturbed.Cause != "scheduler" || got.Targets[1].Probes[0].Disturbed.Cause != "" {
		t.Errorf("disturbed: %+v, then %+v", first.Disturbed, got.Targets[1].Probes[0].Disturbed)
	}
	if !first.Success || first.Measured[1].Metric != "oranet_round_trip_seconds" ||
		first.Measured[1].Labels["load"] != "idle" || first.Measured[1].Value != 0.0105 {
		t.Errorf("read back as %+v", first.Measured[:2])
	}
	if last := first.Measured[len(first.Measured)-1]; last.Value != "+Inf" {
		t.Errorf("what never expires is %v, JSON has no number for it", last.Value)
	}
}

func TestReportIsOKOnlyIfEveryProbeSucceeded(t *testing.T) {
	r := round()
	if r.OK() {
		t.Error("a failure is OK")
	}
	r.Targets = r.Targets[:1]
	if !r.OK() {
		t.Error("success is not OK")
	}
	if strings.Contains(r.Targets[0].Name, "unasked") {
		t.Error("a target that was not probed is in the report")
	}
}

func TestDurationsHaveThreeFigures(t *testing.T) {
	for seconds, want := range map[float64]string{
		0.0000004: "0.40 µs", 0.0000123: "12.3 µs", 0.000999: "999 µs", 0.0009999: "1000 µs", 0.9999: "1000 ms", 1: "1.00 s", 59.94: "59.9 s", 120: "120 s",
	} {
		if got := duration(seconds); got != want {
			t.Errorf("%v s: %q, want %q", seconds, got, want)
		}
	}
}
