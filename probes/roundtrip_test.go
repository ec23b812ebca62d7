package probes

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"oranet_exporter/link"
	"oranet_exporter/simulator"
)

// Logging on takes some nine round trips. At 500 ms each that is more than a
// run of the default timeout has.
func TestRoundTripOpensItsSessionOverSeveralRunsOnALongLink(t *testing.T) {
	const rtt = 500 * time.Millisecond
	synctest.Test(t, func(t *testing.T) {
		path := newPathInMemory()
		path.set(rtt, 1e9)
		p := start(t, RoundTrip, targetInMemory(t, path, simulator.Options{}), nil)
		failed := 0
		for {
			samples, failure := runFor(p, RoundTrip.Default.Timeout)
			if failure == nil {
				if list := samples.List(); len(list) > 0 { // a run that had no time left for a ping has none
					break
				}
				continue
			}
			failed++
			if failure.Reason != link.ReasonTimeout || failure.Phase == link.PhaseQuery {
				t.Fatalf("%v (%s), want a timeout of the phase in which the opening was", failure, failure.Reason)
			}
			if failed == 5 {
				t.Fatal("five runs and no session yet")
			}
		}
		if failed == 0 {
			t.Error("the first run had a session; the test's link is too short")
		}
		samples, failure := runFor(p, RoundTrip.Default.Timeout)
		if failure != nil {
			t.Fatal(failure)
		}
		if got := asDuration(value(t, samples, roundTripSeconds, loadIdle)); (got - rtt).Abs() > time.Millisecond {
			t.Errorf("a round trip took %v on a link of %v", got, rtt)
		}
	})
}

// On a link that no patience helps, openings come to their bound, one at a time.
func TestRoundTripGivesAnOpeningUpThatTakesFiveRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := newPathInMemory()
		path.set(1700*time.Millisecond, 1e9)
		p := start(t, RoundTrip, targetInMemory(t, path, simulator.Options{}), nil)
		for range 12 {
			if _, failure := runFor(p, RoundTrip.Default.Timeout); failure == nil || failure.Reason != link.ReasonTimeout {
				t.Fatalf("%v, want a timeout", failure)
			}
		}
	})
}

func TestRoundTripEndsAnOpeningWhenItIsClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := newPathInMemory()
		path.set(500*time.Millisecond, 1e9)
		p := start(t, RoundTrip, targetInMemory(t, path, simulator.Options{}), nil)
		if _, failure := runFor(p, RoundTrip.Default.Timeout); failure == nil {
			t.Fatal("the first run had a session; the test's link is too short")
		}
		began := time.Now()
		if err := p.Close(context.Background()); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took != 0 {
			t.Errorf("closing took %v", took)
		}
	}) // and the bubble waits for every goroutine
}

// runFor runs a probe with a deadline.
func runFor(p Probe, timeout time.Duration) (*Samples, *link.Failure) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	out := new(Samples)
	var failure *link.Failure
	if err := p.Run(ctx, out); err != nil && !errors.As(err, &failure) {
		failure = link.Classify(ctx, link.PhaseQuery, err)
	}
	return out, failure
}
