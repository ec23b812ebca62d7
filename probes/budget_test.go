package probes

import (
	"context"
	"math"
	"testing"
	"time"

	"oranet_exporter/link"
	"oranet_exporter/simulator/emulink"
)

func TestRoundTripTimeIsTheOneThatTheProbeMeasured(t *testing.T) {
	_, l := target(t, emulink.Path{RTT: time.Millisecond})
	samples := run(t, start(t, RoundTrip, l, nil))
	rtt, ok := RoundTripTime(samples.List())
	if want := value(t, samples, roundTripSeconds, loadIdle); !ok || math.Abs(rtt.Seconds()-want) > 1e-6 {
		t.Errorf("%v, %t; the sample is %v s", rtt, ok, want)
	}
	if _, ok := RoundTripTime(run(t, start(t, TCP, l, nil)).List()); ok {
		t.Error("a TCP connect was taken for a round trip")
	}
}

func TestFetchWorkIsAllThatIsNotTheNetwork(t *testing.T) {
	_, l := target(t, emulink.Path{RTT: time.Millisecond})
	options := &FetchOptions{Arraysize: []Arraysize{100, 1000, Auto}, Rows: 3000, RowBytes: 200}
	samples := run(t, start(t, Fetch, l, options))
	found := FetchWork(samples.List())
	if len(found) != 2 {
		t.Fatalf("work of %d arraysizes, want that of 100 and 1000: %v", len(found), found)
	}
	for arraysize, w := range found {
		label := Arraysize(arraysize).String()
		rest := asDuration(value(t, samples, fetchSeconds, label)) - asDuration(value(t, samples, fetchComponentSeconds, label, "network"))
		if sum := w.Server + w.Transfer + w.Client; w.Rows != 3000 || (rest-sum).Abs() > time.Microsecond {
			t.Errorf("arraysize %d: %+v sums to %v for %d rows, want %v for 3000", arraysize, w, sum, w.Rows, rest)
		}
	}
}

func TestFailedFetchTellsNoWork(t *testing.T) {
	_, l := target(t, emulink.Path{})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	out := new(Samples)
	if err := start(t, Fetch, l, nil).Run(ctx, out); err == nil {
		t.Fatal("a canceled run succeeded")
	}
	if found := FetchWork(out.List()); len(found) != 0 {
		t.Errorf("it told %v", found)
	}
}

func TestFetchedArraysizesAreReadAsTheyAreWritten(t *testing.T) {
	for _, a := range []Arraysize{1, 100, link.MaxArraysize} {
		found := FetchWork([]Sample{{fetchRowsTotal, []string{a.String()}, 7}})
		if found[int(a)].Rows != 7 {
			t.Errorf("arraysize %s is not among %v", a, found)
		}
	}
}
