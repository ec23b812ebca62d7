package exporter

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"oranet_exporter/link"
	"oranet_exporter/probes"
)

func TestFirstSlotIsTheSameAfterARestart(t *testing.T) {
	epoch := time.Unix(1_700_000_000, 0)
	const interval = time.Minute
	for _, target := range []string{"orders", "billing"} {
		before := firstSlot(target, "tcp", interval, epoch)
		after := firstSlot(target, "tcp", interval, epoch.Add(7*time.Hour+13*time.Second))
		if off := after.Sub(before) % interval; off != 0 {
			t.Errorf("%s: phases differ by %s after a restart", target, off)
		}
		if !before.After(epoch) || before.Sub(epoch) > interval {
			t.Errorf("%s: first slot %s after the start, want within one interval", target, before.Sub(epoch))
		}
	}
}

func TestSlotsOfManyTargetsAreSpreadEvenly(t *testing.T) {
	const targets, tenths = 1000, 10
	var count [tenths]int
	now := time.Unix(1_700_000_000, 0)
	for i := range targets {
		phase := firstSlot(fmt.Sprintf("target-%d", i), "round_trip", 2*time.Second, now).Sub(now)
		count[int(phase*tenths/(2*time.Second))%tenths]++
	}
	for i, n := range count {
		if n < targets/tenths/2 || n > targets/tenths*2 {
			t.Errorf("tenth %d of the interval has %d of %d targets, want about %d", i, n, targets, targets/tenths)
		}
	}
}

func TestProbeRunsOncePerInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := new(fake)
		e := running(t, fakeTarget("orders", f.definition("a", 2*time.Second, time.Second)))
		time.Sleep(20 * time.Second)
		synctest.Wait()
		starts := f.runs()
		if len(starts) != 10 {
			t.Fatalf("%d runs in 20 s at an interval of 2 s, want 10", len(starts))
		}
		for i := 1; i < len(starts); i++ {
			if gap := starts[i].Sub(starts[i-1]); gap != 2*time.Second {
				t.Errorf("run %d came %s after the one before, want 2s", i, gap)
			}
		}
		wantValue(t, e.gatherer, 10, "probe_runs_total", "target=orders", "probe=a")
		wantValue(t, e.gatherer, 10, "probe_start_delay_seconds", "target=orders")
		wantValue(t, e.gatherer, 0, "probe_missed_total", "probe=a")
	})
}

func TestSlotsThatPassDuringARunAreMissed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{run: func(context.Context, *probeCalls, *probes.Samples) error {
			time.Sleep(3500 * time.Millisecond) // ignores its deadline
			return nil
		}}
		e := running(t, fakeTarget("orders", f.definition("a", time.Second, time.Second)))
		time.Sleep(40 * time.Second)
		synctest.Wait()
		// It starts, is given up, passes 3 slots, comes back and starts in the 4th.
		wantValue(t, e.gatherer, 10, "probe_runs_total", "probe=a")
		wantValue(t, e.gatherer, 30, "probe_missed_total", "probe=a")
		wantValue(t, e.gatherer, 10, "probe_failures_total", "probe=a", "reason=timeout")
		wantValue(t, e.gatherer, 0, "probe_duration_seconds", "probe=a")
	})
}

func TestLateProbeIsGivenUpShortlyAfterItsDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{run: func(ctx context.Context, _ *probeCalls, out *probes.Samples) error {
			<-ctx.Done()
			time.Sleep(time.Hour)
			out.Add(fakeBytes, 1) // must not be seen, nor race with anything
			return nil
		}}
		e := running(t, fakeTarget("orders", f.definition("a", 10*time.Second, 2*time.Second)))
		j := e.fleet.target("orders").jobs[0]
		time.Sleep(10*time.Second + 2*time.Second + patience)
		synctest.Wait()
		result := j.target.past.Last("a")
		if result == nil {
			t.Fatal("the run has not ended")
		}
		if result.Duration != 2*time.Second+patience {
			t.Errorf("ended after %s, want %s", result.Duration, 2*time.Second+patience)
		}
		if result.Failure == nil || result.Failure.Reason != link.ReasonTimeout {
			t.Errorf("failure %v, want a timeout", result.Failure)
		}
		time.Sleep(time.Hour)
		if _, there := value(t, e.gatherer, "fake_bytes"); there {
			t.Error("a run that was given up left a sample")
		}
	})
}

func TestHeavyProbesRunOneAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var on, most int
		f := new(fake)
		f.run = func(ctx context.Context, _ *probeCalls, _ *probes.Samples) error {
			f.mu.Lock()
			on++
			most = max(most, on)
			f.mu.Unlock()
			pause(ctx, 20*time.Second)
			f.mu.Lock()
			on--
			f.mu.Unlock()
			return nil
		}
		heavy := f.definition("bulk", time.Minute, 30*time.Second)
		heavy.Heavy = true
		e := running(t, fakeTarget("a", heavy), fakeTarget("b", heavy), fakeTarget("c", heavy), fakeTarget("d", heavy))
		time.Sleep(20 * time.Minute)
		synctest.Wait()
		if most != 1 {
			t.Errorf("%d heavy runs at the same time, want 1", most)
		}
		// Three runs of 20 s fill a minute; the fourth target's slots pass in turn.
		runs, _ := value(t, e.gatherer, "probe_runs_total")
		missed, _ := value(t, e.gatherer, "probe_missed_total")
		if runs < 57 || runs > 60 {
			t.Errorf("%v runs in 20 minutes, want about 60", runs)
		}
		if missed < 15 || missed > 20 {
			t.Errorf("%v missed slots, want about 20", missed)
		}
		for _, name := range []string{"a", "b", "c", "d"} {
			if n, _ := value(t, e.gatherer, "probe_runs_total", "target="+name); n < 10 {
				t.Errorf("target %s ran %v times: it starves", name, n)
			}
		}
	})
}

func TestHeavyRunThatHangsDoesNotHoldUpOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := &fake{run: func(context.Context, *probeCalls, *probes.Samples) error { time.Sleep(time.Hour); return nil }}
		fine := new(fake)
		one, other := hang.definition("bulk", time.Minute, 30*time.Second), fine.definition("bulk", time.Minute, 30*time.Second)
		one.Heavy, other.Heavy = true, true
		e := running(t, fakeTarget("hangs", one), fakeTarget("fine", other))
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		if n, _ := value(t, e.gatherer, "probe_runs_total", "target=fine"); n < 9 {
			t.Errorf("%v runs in 10 minutes, want 9 or 10", n)
		}
		wantValue(t, e.gatherer, 1, "probe_runs_total", "target=hangs")
	})
}

func TestLogonProbesAreNotHeldBackOnceALogonWorked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{run: func(ctx context.Context, _ *probeCalls, _ *probes.Samples) error { pause(ctx, time.Second); return nil }}
		var defs []*probes.Definition
		for i := range 6 {
			def := f.definition(fmt.Sprintf("logon_%d", i), 2*time.Second, 2*time.Second)
			def.Logon = true
			defs = append(defs, def)
		}
		e := running(t, fakeTarget("orders", defs...))
		time.Sleep(4 * time.Second)
		before, _ := value(t, e.gatherer, "probe_missed_total")
		time.Sleep(time.Minute)
		after, _ := value(t, e.gatherer, "probe_missed_total")
		if after != before {
			t.Errorf("%v slots missed after the first logon, want none", after-before)
		}
	})
}

func TestTargetsThatDoNotAnswerKeepNoHeavyProbeWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dark := &fake{run: func(ctx context.Context, _ *probeCalls, _ *probes.Samples) error {
			<-ctx.Done()
			return &link.Failure{Phase: link.PhaseTNS, Reason: link.ReasonTimeout, Err: ctx.Err()}
		}}
		var targets []*Target
		for i := range 10 {
			heavy := dark.definition("fetch", 10*time.Minute, 5*time.Minute)
			heavy.Heavy, heavy.Logon = true, true
			light := dark.definition("round_trip", 2*time.Second, 2*time.Second)
			light.Logon = true
			targets = append(targets, fakeTarget(fmt.Sprintf("dark_%d", i), light, heavy))
		}
		up := new(fake).definition("fetch", 10*time.Minute, 5*time.Minute)
		up.Heavy, up.Logon = true, true
		e := running(t, append(targets, fakeTarget("up", up))...)
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		wantValue(t, e.gatherer, 12, "probe_runs_total", "target=up", "probe=fetch")
		wantValue(t, e.gatherer, 0, "probe_missed_total", "target=up", "probe=fetch")
	})
}

func TestMissingObjectHoldsBackOneProbeEverLonger(t *testing.T) {
	for _, reason := range []link.Reason{link.ReasonObjectMissing, link.ReasonPrivilege} {
		t.Run(string(reason), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fake{run: func(context.Context, *probeCalls, *probes.Samples) error {
					return fail(link.PhaseQuery, reason)
				}}
				fine := new(fake)
				e := running(t, fakeTarget("orders", f.definition("bench", time.Second, time.Second), fine.definition("tcp", time.Second, time.Second)))
				time.Sleep(10 * time.Hour)
				synctest.Wait()
				starts := f.runs()
				if len(starts) < 12 || len(starts) > 16 { // 1+2+4+…+32 min, then hourly
					t.Errorf("%d runs in ten hours, want about 15", len(starts))
				}
				for i := 2; i < len(starts); i++ {
					if starts[i].Sub(starts[i-1]) < starts[i-1].Sub(starts[i-2])-time.Second {
						t.Errorf("wait %d is shorter than the one before", i)
					}
				}
				wantValue(t, e.gatherer, 36000, "probe_runs_total", "probe=tcp")
			})
		})
	}
}

func TestSlotsThatPassBeforeTheSchedulerWakesAreMissed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := new(fake)
		l, err := newLive(fakeTarget("orders", f.definition("a", time.Second, time.Second)), newAccount(), nil, nopLogger)
		if err != nil {
			t.Fatal(err)
		}
		s := newScheduler()
		s.add(l.jobs)
		s.tick(s.nextSlot(l.jobs[0]).Add(9500 * time.Millisecond))
		synctest.Wait()
		registry := prometheus.NewRegistry()
		registry.MustRegister(l.series)
		wantValue(t, registry, 1, "probe_runs_total", "probe=a")
		wantValue(t, registry, 9, "probe_missed_total", "probe=a")
		l.stop(t.Context())
	})
}

func TestSlotsAreCountedByTheClock(t *testing.T) {
	start := time.Unix(1_700_000_000, 0)
	for _, c := range []struct {
		late  time.Duration
		slots int
	}{{-1, 0}, {0, 1}, {time.Second, 1}, {2*time.Second - 1, 1}, {2 * time.Second, 2}, {9 * time.Second, 5}} {
		slots, after := passed(start, 2*time.Second, start.Add(c.late))
		if slots != c.slots {
			t.Errorf("%s after a slot %d slots have come, want %d", c.late, slots, c.slots)
		}
		if !after.After(start.Add(c.late)) {
			t.Errorf("%s after a slot the next one is not in the future", c.late)
		}
	}
}

func TestStopCancelsRunsAndClosesEveryProbe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{run: func(ctx context.Context, _ *probeCalls, _ *probes.Samples) error {
			<-ctx.Done()
			return ctx.Err()
		}}
		e, err := New(Options{Config: &Config{Targets: []*Target{
			fakeTarget("a", f.definition("x", time.Minute, time.Minute), f.definition("y", time.Minute, time.Minute)),
			fakeTarget("b", f.definition("x", time.Minute, time.Minute)),
		}}})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- e.Run(ctx) }()
		time.Sleep(time.Minute)
		synctest.Wait()
		start := time.Now()
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if took := time.Since(start); took > stopGrace {
			t.Errorf("stopping took %s, want at most %s", took, stopGrace)
		}
		if n := f.closed.Load(); n != 3 {
			t.Errorf("%d probes closed, want 3", n)
		}
		wantValue(t, e.gatherer, 3, "probe_failures_total", "reason=canceled")
	})
}

// A run that is broken off takes its session with it, without a logoff.
func TestStopLetsRunsEndThatNearlyHave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{run: func(ctx context.Context, _ *probeCalls, _ *probes.Samples) error {
			select {
			case <-time.After(finishGrace - time.Millisecond):
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}}
		heavy := f.definition("heavy", time.Minute, time.Minute)
		heavy.Heavy = true
		e, err := New(Options{Config: &Config{Targets: []*Target{
			fakeTarget("a", f.definition("x", time.Minute, time.Minute), heavy),
			fakeTarget("b", f.definition("x", time.Minute, time.Minute), heavy),
		}}})
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range e.fleet.targets() { // all of them are due at once
			for _, j := range l.jobs {
				j.next = time.Now()
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- e.Run(ctx) }()
		synctest.Wait()
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if n := f.closed.Load(); n != 4 {
			t.Errorf("%d probes closed, want 4", n)
		}
		runs := 0.0
		for _, target := range []string{"a", "b"} {
			n, _ := value(t, e.gatherer, "probe_runs_total", "target="+target, "probe=heavy")
			runs += n
			wantValue(t, e.gatherer, 1, "probe_success", "target="+target, "probe=x")
		}
		if runs != 1 {
			t.Errorf("%v heavy probes ran, want the one that was on: the other waited for it and begins no more", runs)
		}
	})
}

func BenchmarkSchedulerThousandTargets(b *testing.B) {
	s := newScheduler()
	f := new(fake)
	var defs []*probes.Definition
	for i, interval := range []time.Duration{2 * time.Second, 2 * time.Second, 15 * time.Second, time.Minute, 10 * time.Minute, 5 * time.Minute} {
		defs = append(defs, f.definition(fmt.Sprintf("p%d", i), interval, time.Second))
	}
	now := time.Now()
	for i := range 1000 {
		l, err := newLive(fakeTarget(fmt.Sprintf("target-%d", i), defs...), newAccount(), nil, nopLogger)
		if err != nil {
			b.Fatal(err)
		}
		for _, j := range l.jobs {
			<-j.idle // as if it were on: what is timed is the scheduler alone
		}
		s.add(l.jobs)
	}
	b.ReportAllocs()
	slots := 0
	for b.Loop() {
		now = now.Add(s.tick(now))
		slots++
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(slots), "ns/slot")
}
