// Endurance: the real program beside a database that misbehaves in another way
// every second.

package e2e

import (
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
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
	before := p.settle(t)
	torment(server, order, *soak)
	after := p.settle(t)
	t.Logf("before: %v", before)
	t.Logf("after:  %v", after)
	if after.descriptors > before.descriptors {
		t.Errorf("%.0f descriptors have become %.0f", before.descriptors, after.descriptors)
	}
	if after.goroutines > before.goroutines+2 { // a run may be on
		t.Errorf("%.0f goroutines have become %.0f", before.goroutines, after.goroutines)
	}
	if after.heap > 1.5*before.heap+8e6 { // native buckets fill, histories grow to their bound
		t.Errorf("a heap of %.1f MB has become %.1f MB", before.heap/1e6, after.heap/1e6)
	}
	late := p.expectEveryRunCounted(t)
	p.end(t)
	truth := truthAfter(server)
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

// process is the program under test and what it logs.
type process struct {
	command *exec.Cmd
	log     *strings.Builder
	url     string
	ended   chan error
}

// build makes the program.
func build(t *testing.T) (program string) {
	t.Helper()
	program = filepath.Join(t.TempDir(), "oranet_exporter")
	if out, err := exec.Command("go", "build", "-o", program, "..").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return program
}

// begin makes the program and starts it with that configuration.
func begin(t *testing.T, config string, flags ...string) *process {
	t.Helper()
	return beginProgram(t, build(t), config, flags...)
}

// beginProgram starts a program that has been made.
func beginProgram(t *testing.T, program, config string, flags ...string) *process {
	t.Helper()
	flags = append([]string{"--config.file", config, "--web.listen-address", "127.0.0.1:0", "--web.enable-pprof"}, flags...)
	p := &process{command: exec.Command(program, flags...),
		log: new(strings.Builder), ended: make(chan error, 1)}
	stderr, err := p.command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.command.Process.Kill() })
	listening := make(chan string)
	go func() {
		p.follow(stderr, listening)
		p.ended <- p.command.Wait()
	}()
	select {
	case p.url = <-listening:
	case err := <-p.ended:
		t.Fatalf("it ended by %v: %s", err, p.log)
	}
	return p
}

// listeningAt finds the address in logfmt and in JSON, whose keys are sorted.
var listeningAt = regexp.MustCompile(`(?:msg="Listening on" address=|"address":")([^\s"]+)`)

// follow keeps the log and tells where the program listens.
func (p *process) follow(stderr io.Reader, listening chan<- string) {
	told, piece := false, make([]byte, 64<<10)
	for {
		n, err := stderr.Read(piece)
		p.log.Write(piece[:n])
		if found := listeningAt.FindStringSubmatch(p.log.String()); found != nil && !told {
			told = true
			listening <- "http://" + found[1]
		}
		if err != nil {
			return
		}
	}
}

// state is what must not grow.
type state struct {
	goroutines, descriptors, heap, resident float64
}

func (s state) String() string {
	return fmt.Sprintf("%.0f goroutines, %.0f descriptors, %.1f MB of heap, %.1f MB resident", s.goroutines, s.descriptors, s.heap/1e6, s.resident/1e6)
}

// settle waits until every probe has succeeded since now, which with the
// faults gone it must, and looks when no run is on.
func (p *process) settle(t *testing.T) state {
	t.Helper()
	began := float64(time.Now().Unix())
	deadline := time.Now().Add(time.Minute)
	for {
		healed := 0
		f := scrape(t, p.url+"/metrics")
		probing := len(f["oranet_probe_runs_total"].GetMetric())
		for _, m := range f["oranet_probe_last_success_timestamp_seconds"].GetMetric() {
			if m.GetGauge().GetValue() > began {
				healed++
			}
		}
		if healed == probing {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("a minute after the last fault only %d of %d probes work", healed, probing)
		}
		time.Sleep(50 * time.Millisecond)
	}
	http.DefaultClient.CloseIdleConnections()
	return p.calmest(t)
}

// calmest looks several times and takes the least of each: runs come and go.
func (p *process) calmest(t *testing.T) state {
	t.Helper()
	var least state
	for i := range 20 {
		time.Sleep(100 * time.Millisecond)
		response, err := http.Get(p.url + "/debug/pprof/heap?gc=1") // collects garbage
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		f := scrape(t, p.url+"/metrics")
		gauge := func(name string) float64 { return f.find(name).GetGauge().GetValue() }
		now := state{gauge("go_goroutines"), gauge("process_open_fds"), gauge("go_memstats_heap_inuse_bytes"), gauge("process_resident_memory_bytes")}
		if i == 0 {
			least = now
		}
		least = state{min(least.goroutines, now.goroutines), min(least.descriptors, now.descriptors), min(least.heap, now.heap), min(least.resident, now.resident)}
	}
	return least
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

// truthAfter is what the database knows of clients that have ended, as soon as
// it has read what they sent last.
func truthAfter(server *simulator.Server) simulator.Truth {
	for range 1000 {
		if server.Truth().SessionsOpen == 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	return server.Truth()
}

// end stops the program as an init system does.
func (p *process) end(t *testing.T) {
	t.Helper()
	_ = p.command.Process.Signal(syscall.SIGTERM)
	select {
	case err := <-p.ended:
		if err != nil {
			t.Errorf("it ended by %v", err)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("it has not ended 30 s after SIGTERM")
	}
	for _, bad := range []string{"panic", "defect", "DATA RACE"} {
		if strings.Contains(p.log.String(), bad) {
			t.Errorf("the log tells of a %s:\n%s", bad, p.log)
		}
	}
}
