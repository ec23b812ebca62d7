package command

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"oranet_exporter/exporter"
	"oranet_exporter/link"
	"oranet_exporter/probes"
)

func TestCheckSaysHowItGoesOn(t *testing.T) {
	var out strings.Builder
	p := &progress{out: &out}
	for _, def := range []*probes.Definition{probes.TCP, probes.Fetch} {
		p.Begun("orders", &exporter.ProbeConfig{Definition: def, Schedule: def.Default})
	}
	p.Ended(&exporter.Result{Target: "orders", Probe: "tcp", Duration: 10234 * time.Microsecond})
	p.Ended(&exporter.Result{Target: "orders", Probe: "fetch", Duration: time.Minute,
		Failure: &link.Failure{Phase: link.PhaseFetch, Reason: link.ReasonTimeout, Err: errors.New("no answer")}})
	want := "orders: fetch begins, it may take up to 1m0s\n" +
		"orders: tcp took 10ms\n" +
		"orders: fetch failed after 1m0s: fetch: no answer\n"
	if out.String() != want {
		t.Errorf("got:\n%swant:\n%s", out.String(), want)
	}
}

func TestProgressIsForTerminalsAlone(t *testing.T) {
	file, err := os.Create(t.TempDir() + "/log")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if isTerminal(file) || isTerminal(new(strings.Builder)) {
		t.Error("a file or a buffer is taken for a terminal")
	}
}
