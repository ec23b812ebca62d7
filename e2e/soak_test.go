// Endurance: the real program beside a database that misbehaves in another way
// every second.

package e2e

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"oranet_exporter/simulator"
	"oranet_exporter/simulator/wallet"
)

// soak is short in the ordinary run of the tests, and as long as one likes by
// `make soak`.
var soak = flag.Duration("soak", 10*time.Second, "how long the endurance test lasts after its warm-up")

const soakConfig = `
probes:
  tcp:        {interval: 200ms, timeout: 200ms}
  round_trip: {interval: 1s, timeout: 1s}
  pool:       {interval: 1s, timeout: 1s}
  connect:    {interval: 1s, timeout: 1s}
  sdu:        {interval: 1s, timeout: 1s}
  fetch:      {interval: 2s, timeout: 2s, rows: 2000}
targets:
  - name: plain
    dsn: %s/FREEPDB1
    user: PROBE
    password_file: probe
    allowance: {bytes: 100000000000, logons: 1000000}
    budgets: [{name: page, rows: 1000, arraysize: 100, max: 1s}]
  - name: tls
    dsn: tcps://%s/FREEPDB1
    wallet_location: %s
    user: PROBE
    password_file: probe
    allowance: {bytes: 100000000000, logons: 1000000}
`

// faults are all that a database can do wrong without the account being taken
// for locked or the password for wrong: the exporter would rightly stop.
func faults() []simulator.Fault {
	list := []simulator.Fault{
		{At: simulator.StepConnect, Do: simulator.Error(12514)},
		{At: simulator.StepConnect, Do: simulator.Error(12516)},
		{At: simulator.StepConnect, Do: simulator.Resend(0)},
		{At: simulator.StepConnect, Do: simulator.Length(0)},
		{At: simulator.StepConnect, Do: simulator.Length(65535)},
		{At: simulator.StepAuthTwo, Do: simulator.Error(18)},
		{At: simulator.StepAuthTwo, Do: simulator.Warning(28002)},
		{At: simulator.StepExecute, Do: simulator.Error(3113)},
		{At: simulator.StepFetch, Do: simulator.Error(3113)},
		{At: simulator.StepFetch, Do: simulator.Length(1 << 31)},
		{At: simulator.StepPing, Do: simulator.Error(28)},
	}
	for _, step := range simulator.Steps() {
		for _, action := range []simulator.Action{simulator.Silence, simulator.Close, simulator.Reset, simulator.Trickle,
			simulator.Truncate, simulator.Garbage, simulator.HTTP, simulator.Marker} {
			list = append(list, simulator.Fault{At: step, Do: action})
		}
	}
	return list
}

func TestSoak(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "wallet")
	made, err := wallet.Generate(dir, wallet.Options{Hosts: []string{"127.0.0.1"}, Password: "Wallet_1234", Key: wallet.ECP256})
	if err != nil {
		t.Fatal(err)
	}
	server, err := simulator.Start(simulator.Options{
		ListenAddress: "127.0.0.1:0", TLSListenAddress: "127.0.0.1:0", TLSConfig: made.Server, Password: "Plain_1234"})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	p := begin(t, configFile(t, fmt.Sprintf(soakConfig, server.Addr(), server.TLSAddr(), dir)))

	order := rand.New(rand.NewPCG(1, 2))
	torment(server, order, *soak/4)
	before := p.settle(t, 12) // six probes of two targets
	torment(server, order, *soak)
	after := p.settle(t, 12)
	expectNotGrown(t, before, after)
	late := p.expectEveryRunCounted(t)
	p.end(t)
	truth := truthWhen(server, allClosed)
	t.Logf("%d sessions: %d logged off, %d killed by a fault, %d dropped; %d failed log-ons, %d connections",
		truth.SessionsTotal, truth.SessionsLoggedOff, truth.SessionsKilled, truth.SessionsDropped, truth.LogonFailures, truth.ConnectionsTotal)
	// A run that a busy machine made late has to break its session off.
	if truth.SessionsOpen != 0 || truth.SessionsDropped > late {
		t.Errorf("%d sessions are open; %d were dropped without a logoff, %d runs came to their deadline", truth.SessionsOpen, truth.SessionsDropped, late)
	}
}

// torment plays another fault every second; every third second there is none.
func torment(server *simulator.Server, order *rand.Rand, lasts time.Duration) {
	list := faults()
	for end, i := time.Now().Add(lasts), 0; time.Now().Before(end); i++ {
		server.ClearFault()
		for i%3 > 0 {
			if server.SetFault(list[order.IntN(len(list))]) == nil { // some steps cannot do some things
				break
			}
		}
		time.Sleep(time.Second)
	}
	server.ClearFault()
}

// expectEveryRunCounted demands that successes and failures are the runs, and
// returns how many came to their deadline.
func (p *process) expectEveryRunCounted(t *testing.T) (late int64) {
	t.Helper()
	wrong := "nothing was counted"
	for range 100 { // a scrape may come between the two
		f := scrape(t, p.url+"/metrics")
		wrong = ""
		var runs, failed float64
		for _, m := range f["oranet_probe_runs_total"].GetMetric() {
			var labels []string
			for _, l := range m.GetLabel() {
				labels = append(labels, l.GetName()+"="+l.GetValue())
			}
			succeeded := float64(f.find("oranet_probe_duration_seconds", labels...).GetHistogram().GetSampleCount())
			failures := f.sum("oranet_probe_failures_total", labels...)
			if succeeded+failures != m.GetCounter().GetValue() {
				wrong = fmt.Sprintf("%v: %v succeeded and %v failed of %v runs", labels, succeeded, failures, m.GetCounter().GetValue())
			}
			runs, failed = runs+m.GetCounter().GetValue(), failed+failures
		}
		if wrong == "" {
			t.Logf("%.0f runs, %.0f of them failed, in %d kinds of failure", runs, failed, len(f["oranet_probe_failures_total"].GetMetric()))
			return int64(f.sum("oranet_probe_failures_total", "reason=timeout"))
		}
	}
	t.Error(wrong)
	return 0
}
