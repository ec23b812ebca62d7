package exporter

import (
	"context"
	"fmt"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"oranet_exporter/link"
	"oranet_exporter/probes"
)

func TestRunOnceReturnsEveryProbeOfTheNamedTargetsInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{run: func(ctx context.Context, _ *probeCalls, out *probes.Samples) error {
			out.Add(fakeBytes, 7)
			pause(ctx, 100*time.Millisecond)
			return nil
		}}
		broken := &fake{run: func(context.Context, *probeCalls, *probes.Samples) error {
			return fail(link.PhaseTCP, link.ReasonRefused)
		}}
		off := f.definition("off", time.Hour, time.Minute)
		off.Default.Enabled = false
		defs := []*probes.Definition{f.definition("x", time.Hour, time.Minute), off, broken.definition("y", time.Hour, time.Minute)}
		cfg := &Config{Targets: []*Target{fakeTarget("a", defs...), fakeTarget("b", defs...), fakeTarget("c", defs...)}}
		results, err := RunOnce(t.Context(), cfg, []string{"c", "a"}, nil, nopLogger)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range results {
			got = append(got, r.Target+"/"+r.Probe)
		}
		if want := "c/x c/y a/x a/y"; strings.Join(got, " ") != want {
			t.Errorf("got %v, want %s", got, want)
		}
		if r := results[0]; r.Failure != nil || len(r.Samples) != 1 || r.Duration != 100*time.Millisecond {
			t.Errorf("the first is %+v, want a success of 100ms with one sample", r)
		}
		if r := results[1]; r.Failure == nil || r.Failure.Reason != link.ReasonRefused {
			t.Errorf("the second is %+v, want the failure", r)
		}
		if made, closed := f.made.Load()+broken.made.Load(), f.closed.Load()+broken.closed.Load(); made != closed {
			t.Errorf("%d probes made, %d closed", made, closed)
		}
	})
}

// The probes that are not run say what the one before them saw.
func TestRunOnceDoesNotRepeatARefusedLogon(t *testing.T) {
	for mute, want := range map[bool]link.Reason{false: link.ReasonAuthFailed, true: link.ReasonTimeout} {
		synctest.Test(t, func(t *testing.T) {
			d := newDatabase(t, "right", "wrong")
			d.mute.Store(mute)
			results, err := RunOnce(t.Context(), &Config{Targets: []*Target{d.target("orders")}}, nil, nil, nopLogger)
			if err != nil {
				t.Fatal(err)
			}
			if n := d.logonsDenied(); n != 1 {
				t.Errorf("mute %t: %d logons were tried, want 1", mute, n)
			}
			for _, r := range results {
				if r.Failure == nil || r.Failure.Phase != link.PhaseAuth || r.Failure.Reason != want {
					t.Errorf("mute %t: %s: %v, want %s in auth", mute, r.Probe, r.Failure, want)
				} else if strings.Contains(r.Failure.Error(), "again") {
					t.Errorf("mute %t: %s: %v: nothing is tried again", mute, r.Probe, r.Failure)
				}
			}
		})
	}
}

func TestRunOnceRefusesAnUnknownTarget(t *testing.T) {
	if _, err := RunOnce(t.Context(), &Config{}, []string{"orders"}, nil, nopLogger); err == nil || !strings.Contains(err.Error(), "orders") {
		t.Errorf("got %v, want the name in an error", err)
	}
}

func TestResultsHoldTheAttemptsAndWhatTheyMeasured(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	port := listener.Addr().(*net.TCPAddr).Port
	target := NewTarget("orders", link.Config{DSN: fmt.Sprintf("localhost:%d/service", port)}, []*probes.Definition{probes.TCP})
	results, err := RunOnce(t.Context(), &Config{Targets: []*Target{target}}, nil, nil, nopLogger)
	if err != nil {
		t.Fatal(err)
	}
	r := results[0]
	if r.Failure != nil {
		t.Fatal(r.Failure)
	}
	if len(r.Attempts) != 1 {
		t.Errorf("%d attempts, want 1", len(r.Attempts))
	}
	found := map[string]bool{}
	for _, s := range r.Samples {
		found[s.Metric.Name] = true
	}
	for _, name := range []string{"tcp_connect_seconds", "dns_lookup_seconds"} {
		if !found[name] {
			t.Errorf("%s is not among the samples", name)
		}
	}
}
