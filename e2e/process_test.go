// The program under test, as its users start and end it.

package e2e

import (
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// process is the program under test and what it logs.
type process struct {
	command *exec.Cmd
	log     *strings.Builder
	url     string
	ended   chan error
}

// scratch is where build leaves the program; TestMain removes it.
var scratch string

var built = sync.OnceValue(func() error {
	if out, err := exec.Command("go", "build", "-o", filepath.Join(scratch, "oranet_exporter"), "..").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
})

// build makes the program, once for all tests.
func build(t *testing.T) (program string) {
	t.Helper()
	if err := built(); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(scratch, "oranet_exporter")
}

// begin starts the program with that configuration.
func begin(t *testing.T, config string, flags ...string) *process {
	t.Helper()
	flags = append([]string{"--config.file", config, "--web.listen-address", "127.0.0.1:0", "--web.enable-pprof"}, flags...)
	p := &process{command: exec.Command(build(t), flags...),
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

// settle waits until all of so many probes have succeeded since now, which with
// no fault on they must, and looks when no run is on.
func (p *process) settle(t *testing.T, probing int) state {
	t.Helper()
	began := float64(time.Now().Unix())
	deadline := time.Now().Add(time.Minute)
	for {
		healed := 0
		f := scrape(t, p.url+"/metrics")
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

// expectNotGrown compares two looks at one process.
func expectNotGrown(t *testing.T, before, after state) {
	t.Helper()
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
