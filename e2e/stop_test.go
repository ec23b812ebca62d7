// The end, at any moment: asked for, and by force.

package e2e

import (
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"oranet_exporter/link/linktest"
	"oranet_exporter/simulator"
	"oranet_exporter/simulator/emulink"
)

const stopConfig = `probes:
  tcp:        {interval: 100ms, timeout: 100ms}
  round_trip: {interval: 200ms, timeout: 200ms}
  pool:       {interval: 200ms, timeout: 200ms}
  connect:    {interval: 200ms, timeout: 200ms}
  sdu:        {interval: 200ms, timeout: 200ms}
  fetch:      {interval: 200ms, timeout: 200ms, rows: 500}
targets:
  - name: orders
    dsn: %s/FREEPDB1
    user: PROBE
    password_file: probe
    allowance: {bytes: 100000000000, logons: 1000000}
`

// ends are how often each way of ending is tried, at moments of one seed.
const ends = 20

func TestItEndsAtAnyMomentWithItsSessionsLoggedOff(t *testing.T) {
	server, config := stopping(t)
	order := rand.New(rand.NewPCG(5, 6))
	for range ends {
		p := begun(t, config, order)
		p.end(t)
		if open := truthWhen(server, allClosed).SessionsOpen; open != 0 {
			t.Errorf("%d sessions are still open", open)
		}
	}
	truth := truthWhen(server, allClosed)
	t.Logf("%d sessions in %d lives: %d logged off, %d dropped", truth.SessionsTotal, ends, truth.SessionsLoggedOff, truth.SessionsDropped)
	// a run that a busy machine makes late breaks its session off
	if truth.SessionsTotal < ends || truth.SessionsDropped > truth.SessionsLoggedOff {
		t.Errorf("%d of %d sessions were dropped without a logoff", truth.SessionsDropped, truth.SessionsTotal)
	}
}

// The database is silent, so that nothing ends by itself.
func TestItEndsAlthoughTheDatabaseIsSilent(t *testing.T) {
	server, config := stopping(t)
	for _, step := range simulator.Steps() {
		p := begin(t, config)
		await(t, p.url+"/metrics", func(f families) bool { return f.sum("oranet_probe_runs_total") > 3 })
		server.ClearFault()
		if err := server.SetFault(simulator.Fault{At: step, Do: simulator.Silence}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(200 * time.Millisecond)
		p.end(t)
		server.ClearFault()
	}
}

func TestKilledItHindersNotTheNextStart(t *testing.T) {
	server, config := stopping(t)
	order := rand.New(rand.NewPCG(7, 8))
	for range ends {
		p := begun(t, config, order)
		_ = p.command.Process.Signal(syscall.SIGKILL)
		<-p.ended
	}
	p := begin(t, config)
	before := p.settle(t, 6)
	t.Logf("after %d ends by force: %v", ends, before)
	p.end(t)
	truth := truthWhen(server, allClosed)
	t.Logf("%d sessions: %d logged off, %d dropped", truth.SessionsTotal, truth.SessionsLoggedOff, truth.SessionsDropped)
	if truth.SessionsOpen != 0 || truth.SessionsDropped == 0 {
		t.Errorf("%d sessions are open and %d were dropped: an end by force closes all and logs none off", truth.SessionsOpen, truth.SessionsDropped)
	}
}

// begun is the program at a moment of its first second.
func begun(t *testing.T, config string, order *rand.Rand) *process {
	t.Helper()
	p := begin(t, config)
	time.Sleep(time.Duration(order.IntN(1000)) * time.Millisecond)
	return p
}

// stopping is a database and the configuration of one target there.
func stopping(t *testing.T) (server *simulator.Server, config string) {
	t.Helper()
	server, _ = linktest.Simulated(t, simulator.Options{}, emulink.New(emulink.Path{}))
	return server, configFile(t, fmt.Sprintf(stopConfig, server.Addr()))
}
