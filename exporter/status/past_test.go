package status

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"oranet_exporter/link"
	"oranet_exporter/probes"
)

func TestFailuresAreKeptLongerThanSuccesses(t *testing.T) {
	p := NewPast()
	p.Add(bad(probes.TCP, noon.Add(-time.Hour), link.PhaseTCP, link.ReasonRefused))
	p.Add(bad(probes.TCP, noon.Add(-59*time.Minute), link.PhaseTCP, link.ReasonRefused))
	for i := range 10 * keptRuns {
		p.Add(good(probes.TCP, noon.Add(time.Duration(i)*time.Second)))
	}
	of := p.copy(noon).of("tcp")
	if len(of.recent) != keptRuns || of.recent[0].start >= of.recent[keptRuns-1].start {
		t.Errorf("%d runs kept, want the last %d, oldest first", len(of.recent), keptRuns)
	}
	if len(of.spells) != 1 || of.spells[0].runs != 2 || of.spells[0].last.Sub(of.spells[0].first) != time.Minute {
		t.Errorf("spells %+v, want one of two runs a minute apart", of.spells)
	}
}

func TestSpellEndsWithASuccessOrAnotherReason(t *testing.T) {
	p := NewPast()
	for _, r := range []Run{
		bad(probes.TCP, noon, link.PhaseTCP, link.ReasonRefused),
		bad(probes.TCP, noon, link.PhaseTCP, link.ReasonRefused),
		bad(probes.TCP, noon, link.PhaseTCP, link.ReasonTimeout),
		good(probes.TCP, noon),
		bad(probes.TCP, noon, link.PhaseTCP, link.ReasonTimeout),
		bad(probes.TCP, noon, link.PhaseTLS, link.ReasonTimeout),
	} {
		p.Add(r)
	}
	var got []string
	for _, s := range p.copy(noon).of("tcp").spells {
		got = append(got, fmt.Sprintf("%d×%s/%s", s.runs, s.phase, s.reason))
	}
	if want := "2×tcp/refused 1×tcp/timeout 1×tcp/timeout 1×tls/timeout"; strings.Join(got, " ") != want {
		t.Errorf("spells %v, want %s", got, want)
	}
}

func TestLastSuccessStaysWhileAProbeFails(t *testing.T) {
	one := complete(t, "orders")
	for range 100 {
		one.Past.Add(bad(probes.Connect, noon, link.PhaseTCP, link.ReasonRefused))
	}
	v := newTarget(one, noon)
	if v.Connect == nil || v.Connect.Total.String() != "100 ms" || v.Connect.When != "10 s ago" {
		t.Errorf("the connect is %+v, want the one of 10 s ago", v.Connect)
	}
}

func TestMinutesHoldTheirOwnRoundTrips(t *testing.T) {
	r := newRoundTrips()
	for i := range 30 {
		r.add(noon.Add(time.Duration(i)*time.Second), float64(i+1)/1000, true, false)
	}
	r.add(noon.Add(time.Minute), .5, true, false)
	r.add(noon.Add(time.Minute), 0, false, true)  // failed
	r.add(noon.Add(time.Minute), 0, false, false) // beside a bulk transfer
	got := r.minutes.list()
	want := []minute{
		{start: noon.Unix(), runs: 30, min: .001, p50: .015, p99: .030},
		{start: noon.Unix() + 60, runs: 3, failed: 1, min: .5, p50: .5, p99: .5},
	}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("minutes %+v, want %+v", got, want)
	}
	for i := range 2 * keptMinutes {
		r.add(noon.Add(time.Duration(i)*time.Minute), .001, true, false)
	}
	if n := len(r.minutes.list()); n != keptMinutes {
		t.Errorf("%d minutes kept, want %d", n, keptMinutes)
	}
}

func TestPercentileIsTheNearestRank(t *testing.T) {
	ten := []float32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	for p, want := range map[float64]float32{0: 1, 10: 1, 11: 2, 50: 5, 90: 9, 99: 10, 100: 10} {
		if got := percentile(ten, p); got != want {
			t.Errorf("p%v is %v, want %v", p, got, want)
		}
	}
}

// A target's past takes at most so many bytes: with every probe well after a
// thousand runs, and with failures of ever other reasons and the longest texts.
func TestAThousandTargetsAreCheap(t *testing.T) {
	for _, c := range []struct {
		name string
		past func(*testing.T) *Past
		most uint64
	}{{"quiet", quiet, 32 << 10}, {"at worst", worst, 64 << 10}} {
		each := bytesOf(t, c.past)
		t.Logf("a target takes %d bytes %s", each, c.name)
		if each > c.most {
			t.Errorf("a target takes %d bytes %s, want at most %d", each, c.name, c.most)
		}
	}
}

// bytesOf is what one past takes on the heap.
func bytesOf(t *testing.T, past func(*testing.T) *Past) uint64 {
	const targets = 100
	heap := func() uint64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	var pasts []*Past
	for range targets {
		pasts = append(pasts, past(t))
	}
	each := (heap() - before) / targets
	runtime.KeepAlive(pasts)
	return each
}

func quiet(t *testing.T) *Past {
	p := complete(t, "orders").Past
	first := p.copy(noon)
	for i := range 300 {
		for _, def := range probes.All {
			r := good(def, noon.Add(time.Duration(i)*10*time.Second), slices.Clone(first.samples(def.Name))...)
			p.Add(r)
		}
	}
	return p
}

func worst(t *testing.T) *Past {
	p := complete(t, "orders").Past
	for i := range 300 {
		at := noon.Add(time.Duration(i) * 10 * time.Second)
		for _, def := range probes.All {
			p.Add(Run{Probe: def.Name, Start: at, Failure: &link.Failure{Phase: link.PhaseTCP,
				Reason: link.Reason(fmt.Sprint("reason", i)), Err: errors.New(strings.Repeat("x", 1000))}})
		}
		p.Add(good(probes.RoundTrip, at, sample(t, roundTripSeconds, .01, "idle")))
	}
	return p
}
