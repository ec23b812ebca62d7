// What runs on the client's host: this test's own program once more, built
// without the race detector, which runs the product's probes and prints what
// they measured.

package netproof

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"oranet_exporter/link"
	"oranet_exporter/probes"
)

// The environment variables that make this program measure, and what.
const (
	taskVariable     = "ORANET_NETPROOF_TASK"
	passwordVariable = "ORANET_NETPROOF_PASSWORD"
)

// task is what to measure.
type task struct {
	DSN, User string
	Connects  int // runs of the tcp probe
	Pings     int // runs of the round_trip probe
	Fetches   int // runs of the fetch probe afterwards
	Rows      int // of each fetch
	Arraysize int // of each fetch
}

// measured are the values of each metric, in the order in which they came.
type measured map[string][]float64

func TestMain(m *testing.M) {
	if text, ok := os.LookupEnv(taskVariable); ok {
		if err := perform(text); err != nil {
			fmt.Fprintf(os.Stderr, "measuring: %v\n", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

func perform(text string) error {
	var t task
	if err := json.Unmarshal([]byte(text), &t); err != nil {
		return err
	}
	l, err := link.New(link.Config{DSN: t.DSN, User: t.User, Password: link.Secret{Env: passwordVariable}})
	if err != nil {
		return err
	}
	m := make(measured)
	if err := m.run(probes.TCP, l, nil, t.Connects); err != nil {
		return err
	}
	if err := m.run(probes.RoundTrip, l, nil, t.Pings); err != nil {
		return err
	}
	if t.Fetches > 0 {
		options := &probes.FetchOptions{Arraysize: []probes.Arraysize{probes.Arraysize(t.Arraysize)}, Rows: t.Rows, RowBytes: 200}
		if err := m.run(probes.Fetch, l, options, t.Fetches); err != nil {
			return err
		}
	}
	return json.NewEncoder(os.Stdout).Encode(m)
}

// run runs one probe a number of times and keeps all that it measured.
func (m measured) run(d *probes.Definition, l *link.Link, o probes.Options, times int) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	p := d.New(l, o)
	defer p.Close(ctx)
	for range times {
		var out probes.Samples
		if err := p.Run(ctx, &out); err != nil {
			return fmt.Errorf("%s: %w", d.Name, err)
		}
		for _, s := range out.List() {
			name := strings.Join(append([]string{s.Metric.Name}, s.Values...), " ")
			m[name] = append(m[name], s.Value)
		}
	}
	return nil
}

// measure has the client's host carry a task out.
func (h *host) measure(ctx context.Context, t *testing.T, program, password string, what task) measured {
	t.Helper()
	text, err := json.Marshal(what)
	if err != nil {
		t.Fatal(err)
	}
	cmd := h.command(ctx, program)
	cmd.Env = append(os.Environ(), taskVariable+"="+string(text), passwordVariable+"="+password)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("the measuring program: %v", err)
	}
	var m measured
	if err := json.Unmarshal(out, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// build builds with the Go tool that runs this test.
func build(ctx context.Context, t *testing.T, output string, args ...string) {
	t.Helper()
	args = append(args[:1:1], append([]string{"-o", output}, args[1:]...)...)
	if out, err := exec.CommandContext(ctx, "go", args...).CombinedOutput(); err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}
