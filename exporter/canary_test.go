package exporter

import (
	"context"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"oranet_exporter/probes"
)

// paused is pauses of a test's choice.
type paused time.Duration

func (paused) mark()                    {}
func (p paused) longest() time.Duration { return time.Duration(p) }

func TestRunIsDisturbedByADelayThatMayShowInIt(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name  string
		rings []time.Duration // when the alarm goes off, from the run's start
		end   time.Duration
		pause time.Duration
		want  Disturbance
	}{
		{"shorter than the period", nil, 1 * ms, 0, Disturbance{}},
		{"every alarm on time", []time.Duration{2 * ms, 4 * ms}, 5 * ms, 0, Disturbance{}},
		{"as late as timers are", []time.Duration{3 * ms, 6 * ms}, 7 * ms, 0, Disturbance{}},
		{"one alarm late", []time.Duration{2 * ms, 9 * ms}, 10 * ms, 0, Disturbance{CauseScheduler, 5 * ms}},
		{"the worst of two", []time.Duration{6 * ms, 17 * ms}, 18 * ms, 0, Disturbance{CauseScheduler, 9 * ms}},
		{"the run ends before the late alarm", nil, 8 * ms, 0, Disturbance{CauseScheduler, 6 * ms}},
		{"late, and nothing beside what the run took", []time.Duration{2 * ms, 9 * ms}, 51 * ms, 0, Disturbance{CauseScheduler, 40 * ms}},
		{"5 ms of 500", append([]time.Duration{2 * ms, 9 * ms}, every(2*ms, 10*ms, 500*ms)...), 500 * ms, 0, Disturbance{}},
		{"the collector, mostly", []time.Duration{2 * ms, 9 * ms}, 10 * ms, 3 * ms, Disturbance{CauseGC, 5 * ms}},
		{"the collector, a little", []time.Duration{2 * ms, 9 * ms}, 10 * ms, 2 * ms, Disturbance{CauseScheduler, 5 * ms}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // its clock stands: only what is told happens
				start := time.Now()
				canary := newCanary(paused(c.pause))
				w := canary.begin(start)
				for _, at := range c.rings {
					canary.ring(start.Add(at))
				}
				if got := canary.end(w, start.Add(c.end)); got != c.want {
					t.Errorf("told %+v, want %+v", got, c.want)
				}
			})
		})
	}
}

// every lists times, with the steps that the canary takes at that period.
func every(step, from, to time.Duration) (list []time.Duration) {
	for at := from; at < to; at += step {
		list = append(list, at)
	}
	return list
}

func TestDelayBeforeARunIsNotTheRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		canary := newCanary(paused(0))
		old := canary.begin(start)
		young := canary.begin(start.Add(30 * time.Millisecond)) // the alarm is 28 ms late already
		canary.ring(start.Add(31 * time.Millisecond))
		if got := canary.end(young, start.Add(32*time.Millisecond)); got != (Disturbance{}) {
			t.Errorf("the young run is told %+v", got)
		}
		if got := canary.end(old, start.Add(33*time.Millisecond)); got.Late != 29*time.Millisecond {
			t.Errorf("the old run is told %+v, want 29 ms", got)
		}
	})
}

func TestCanaryLooksOftenForShortRunsAndNotAtAllWithoutRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		marks := new(countedMarks)
		canary := newCanary(marks)
		long := canary.begin(time.Now())
		time.Sleep(time.Hour)
		synctest.Wait()
		if n := marks.n.Load(); n > 1000 {
			t.Errorf("it looked %d times at a run of an hour", n)
		}
		// A short run must not wait for an alarm that is minutes away.
		short, before := canary.begin(time.Now()), marks.n.Load()
		time.Sleep(10 * time.Millisecond)
		synctest.Wait()
		if n := marks.n.Load() - before; n < 4 {
			t.Errorf("it looked %d times at a run of 10 ms, want every %s", n, canaryPeriod)
		}
		if got := canary.end(short, time.Now()); got != (Disturbance{}) {
			t.Errorf("disturbed by %+v on a clock that is never late", got)
		}
		canary.end(long, time.Now())
		before = marks.n.Load()
		time.Sleep(time.Hour)
		synctest.Wait()
		if marks.n.Load() != before {
			t.Error("it looks while nothing runs")
		}
	})
}

// countedMarks counts how often the alarm was set.
type countedMarks struct{ n atomic.Int64 }

func (c *countedMarks) mark()                { c.n.Add(1) }
func (*countedMarks) longest() time.Duration { return 0 }

// Others use every processor that this process has.
func TestStarvedProcessIsSeen(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var stop atomic.Bool
	defer stop.Store(true)
	for range 4 {
		go func() {
			for !stop.Load() {
			}
		}()
	}
	canary := newCanary(newGCPauses())
	for range 1000 {
		w := canary.begin(time.Now())
		time.Sleep(5 * time.Millisecond)
		if canary.end(w, time.Now()).Cause != "" {
			return
		}
	}
	t.Error("none of 1000 runs was disturbed by four goroutines that keep the only processor busy")
}

func TestGCPausesAreThoseSinceTheMark(t *testing.T) {
	p := newGCPauses()
	p.mark()
	runtime.GC()
	if p.longest() <= 0 {
		t.Error("no pause in a collection")
	}
}

func TestDisturbedRunIsMarkedAndNotHidden(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{run: func(_ context.Context, _ *probeCalls, out *probes.Samples) error {
			out.Add(fakeSeconds, .0042, "one")
			return nil
		}}
		e := running(t, fakeTarget("orders", f.definition("a", time.Minute, time.Second)))
		time.Sleep(time.Minute)
		synctest.Wait()
		wantValue(t, e.gatherer, 0, "probe_disturbed_total", "probe=a", "cause=scheduler")
		wantValue(t, e.gatherer, 0, "probe_disturbed_total", "probe=a", "cause=gc")
		j := e.fleet.target("orders").jobs[0]
		if last := j.target.past.Last("a"); last.Late != 0 || last.Cause != "" {
			t.Error("a run on a clock that is never late is marked")
		}
		disturbed := &Result{Target: "orders", Probe: "a", Start: time.Now(), Disturbed: Disturbance{CauseScheduler, 12300 * time.Microsecond},
			Samples: []probes.Sample{{Metric: fakeSeconds, Values: []string{"one"}, Value: .0042}}}
		j.record(disturbed.samples())
		j.target.past.Add(disturbed.remembered(disturbed.samples()))
		wantValue(t, e.gatherer, 1, "probe_disturbed_total", "probe=a", "cause=scheduler")
		wantValue(t, e.gatherer, 2, "fake_seconds", "size=one")
		body := get(e, "GET", "/target?name=orders").Body.String()
		for _, want := range []string{"one: 4.20 ms", "did not run for 12.3 ms (scheduler)"} {
			if !strings.Contains(body, want) {
				t.Errorf("the status page lacks %q", want)
			}
		}
	})
}

func BenchmarkCanaryThousandRuns(b *testing.B) {
	canary := newCanary(newGCPauses())
	for range 1000 {
		defer canary.end(canary.begin(time.Now()), time.Now())
	}
	b.ReportAllocs()
	for b.Loop() {
		canary.end(canary.begin(time.Now()), time.Now())
	}
}
