package exporter

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"oranet_exporter/link"
	"oranet_exporter/probes"
)

// fillAll adds a sample to every series of every metric that a definition, or
// any run, has, and a failure.
func fillAll(t testing.TB, l *live) {
	t.Helper()
	for _, j := range l.jobs {
		result := &Result{Target: l.config.Name, Probe: j.name(), Start: time.Now(), Duration: time.Millisecond, Received: 10, Sent: 5,
			Disturbed: Disturbance{CauseScheduler, time.Millisecond}}
		for _, m := range append(probes.AttemptMetrics[:len(probes.AttemptMetrics):len(probes.AttemptMetrics)], j.config.Definition.Metrics...) {
			var values []string
			for i := range m.Labels {
				values = append(values, fmt.Sprintf("value%d", i))
			}
			result.Samples = append(result.Samples, probes.Sample{Metric: m, Values: values, Value: .0123})
		}
		j.record(result.samples())
		j.record(result.cost())
		j.record(l.budgets.judge(result))
		result.Failure = &link.Failure{Phase: link.PhaseTCP, Reason: link.ReasonRefused, Err: context.Canceled}
		j.record(result.samples())
	}
}

func gathering(t testing.TB, targets ...*Target) *prometheus.Registry {
	t.Helper()
	var f fleet
	var list []*live
	for _, target := range targets {
		l, err := newLive(target, newAccount(), nil, nopLogger)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.stop(context.Background()) })
		fillAll(t, l)
		list = append(list, l)
	}
	f.replace(list)
	return newRegistry(&f, newReloads())
}

func TestEveryMetricKeepsPrometheusConventions(t *testing.T) {
	one, two := fakeTarget("orders", probes.All...), fakeTarget("billing", probes.All...)
	one.Labels = map[string]string{"to_region": "tokyo"}
	two.Labels = map[string]string{"tier": "gold"}
	two.Budgets = []Budget{orderPage}
	problems, err := testutil.GatherAndLint(gathering(t, one, two))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
}

func TestSeriesKnownBeforehandExistAtZero(t *testing.T) {
	l, err := newLive(fakeTarget("orders", testDefinitions()...), newAccount(), nil, nopLogger)
	if err != nil {
		t.Fatal(err)
	}
	defer l.stop(t.Context())
	var f fleet
	f.replace([]*live{l})
	registry := newRegistry(&f, newReloads())
	for _, c := range []struct {
		name   string
		labels []string
	}{
		{"probe_runs_total", []string{"probe=tcp"}},
		{"probe_runs_total", []string{"probe=fetch"}},
		{"probe_missed_total", []string{"probe=tcp"}},
		{"probe_duration_seconds", []string{"probe=fetch"}},
		{"probe_start_delay_seconds", nil},
		{"probe_backoff_seconds", []string{"probe=tcp"}},
		{"link_bytes_total", []string{"probe=tcp", "direction=sent"}},
		{"link_bytes_total", []string{"probe=tcp", "direction=received"}},
		{"dns_lookup_seconds", nil},
		{"sdu_bytes", nil},
		{"fake_total", nil},
		{"fake_seconds", []string{"size=known"}},
	} {
		wantValue(t, registry, 0, c.name, append(c.labels, "target=orders")...)
	}
	for _, absent := range []string{"probe_success", "fake_bytes", "probe_last_run_timestamp_seconds", "probe_failures_total"} {
		if _, there := value(t, registry, absent); there {
			t.Errorf("%s is there before anything was measured", absent)
		}
	}
	if _, there := value(t, registry, "probe_runs_total", "probe=logon_rate"); there {
		t.Error("a probe that is switched off has series")
	}
}

func TestInfoIsReplacedByWhatIsTrueNow(t *testing.T) {
	info := &probes.Metric{Name: "expiry", Help: "x", Kind: probes.Info, Labels: []string{"side", "subject"}, Keys: 1}
	s, err := newSeries(prometheus.Labels{"target": "a"}, []*probes.Metric{info, fakeInfo}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, sample := range []probes.Sample{
		{Metric: fakeInfo, Values: []string{"db1"}, Value: 1},
		{Metric: fakeInfo, Values: []string{"db2"}, Value: 1},
		{Metric: info, Values: []string{"server", "old"}, Value: 1},
		{Metric: info, Values: []string{"client", "us"}, Value: 2},
		{Metric: info, Values: []string{"server", "new"}, Value: 3},
		{Metric: info, Values: []string{"server", "new"}, Value: 4},
	} {
		if err := s.record(sample); err != nil {
			t.Fatal(err)
		}
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(s)
	wantValue(t, registry, 1, "fake_info", "host=db2")
	wantValue(t, registry, 4, "expiry", "side=server", "subject=new")
	wantValue(t, registry, 2, "expiry", "side=client", "subject=us")
	for name, label := range map[string]string{"fake_info": "host=db1", "expiry": "subject=old"} {
		if _, there := value(t, registry, name, label); there {
			t.Errorf("%s{%s} is still there", name, label)
		}
	}
}

func TestSamplesThatNobodyDeclaredAreRefused(t *testing.T) {
	s, err := newSeries(nil, []*probes.Metric{fakeTotal, fakeSeconds, fakeInfo}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, sample := range map[string]probes.Sample{
		"undeclared":        {Metric: fakeBytes, Value: 1},
		"too few labels":    {Metric: fakeSeconds, Value: 1},
		"too many labels":   {Metric: fakeTotal, Values: []string{"x"}, Value: 1},
		"a counter falling": {Metric: fakeTotal, Value: -1},
	} {
		if err := s.record(sample); err == nil {
			t.Errorf("%s: it was taken", name)
		}
	}
	if err := s.record(probes.Sample{Metric: fakeInfo, Values: []string{"\xff\xfe"}, Value: 1}); err != nil {
		t.Errorf("bytes that are no text, as a peer may send them: %v", err)
	}
}

func TestReloadKeepsTargetsThatDidNotChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := new(fake)
		def := f.definition("a", time.Second, time.Second)
		same, changed, gone := fakeTarget("same", def), fakeTarget("changed", def), fakeTarget("gone", def)
		cfg := &Config{Targets: []*Target{same, changed, gone}}
		e, err := New(Options{Config: cfg})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- e.Run(ctx) }()
		time.Sleep(10 * time.Second)
		synctest.Wait()

		other := fakeTarget("changed", def)
		other.Labels = map[string]string{"tier": "gold"}
		e.opts.Config = &Config{Targets: []*Target{fakeTarget("same", def), other, fakeTarget("fresh", def)}}
		if err := e.Reload(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Second)
		synctest.Wait()
		wantValue(t, e.gatherer, 20, "probe_runs_total", "target=same")
		wantValue(t, e.gatherer, 10, "probe_runs_total", "target=changed", "tier=gold")
		wantValue(t, e.gatherer, 10, "probe_runs_total", "target=fresh")
		if _, there := value(t, e.gatherer, "probe_runs_total", "target=gone"); there {
			t.Error("the removed target's series are still there")
		}
		if made, closed := f.made.Load(), f.closed.Load(); made != 5 || closed != 2 {
			t.Errorf("%d probes made and %d closed, want 5 and 2", made, closed)
		}
		wantValue(t, e.gatherer, 1, "config_last_reload_successful")

		e.opts.Config = &Config{}
		if err := e.Reload(); err == nil {
			t.Error("an empty configuration was taken")
		}
		time.Sleep(10 * time.Second)
		synctest.Wait()
		wantValue(t, e.gatherer, 0, "config_last_reload_successful")
		wantValue(t, e.gatherer, 30, "probe_runs_total", "target=same")
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if n := f.closed.Load(); n != 5 {
			t.Errorf("%d probes closed at the end, want 5", n)
		}
	})
}

func TestThousandReloadsLeaveNothingBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := new(fake)
		def := f.definition("a", time.Second, time.Second)
		e := running(t, fakeTarget("same", def), fakeTarget("other", def))
		for i := range 1000 {
			target := fakeTarget("other", def)
			target.Labels = map[string]string{"generation": fmt.Sprint(i)}
			if i%3 == 0 {
				target.Link.DSN = ""
			}
			e.opts.Config = &Config{Targets: []*Target{fakeTarget("same", def), target}}
			if err := e.Reload(); (err == nil) != (i%3 != 0) {
				t.Fatalf("reload %d: %v", i, err)
			}
			time.Sleep(10 * time.Millisecond)
		}
		synctest.Wait()
		wantValue(t, e.gatherer, 10, "probe_runs_total", "target=same")
		if n := len(e.scheduler.queue); n != 2 {
			t.Errorf("%d jobs are scheduled, want 2", n)
		}
		if made, closed := f.made.Load(), f.closed.Load(); made-closed != 2 {
			t.Errorf("%d probes are open, want 2", made-closed)
		}
	})
}

func TestNothingIsReloadedOnceTheExporterStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := new(fake)
		def := f.definition("a", time.Second, time.Second)
		e, err := New(Options{Config: &Config{Targets: []*Target{fakeTarget("orders", def)}}})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := e.Run(ctx); err != nil {
			t.Fatal(err)
		}
		e.opts.Config = &Config{Targets: []*Target{fakeTarget("other", def)}}
		if err := e.Reload(); err == nil {
			t.Error("it was reloaded")
		}
		if made, closed := f.made.Load(), f.closed.Load(); made != closed {
			t.Errorf("%d probes made, %d closed", made, closed)
		}
	})
}

func BenchmarkGatherThousandTargets(b *testing.B) {
	var targets []*Target
	for i := range 1000 {
		targets = append(targets, fakeTarget(fmt.Sprintf("target-%d", i), probes.All...))
	}
	registry := gathering(b, targets...)
	series := 0
	b.ReportAllocs()
	for b.Loop() {
		families, err := registry.Gather()
		if err != nil {
			b.Fatal(err)
		}
		series = 0
		for _, f := range families {
			series += len(f.Metric)
		}
	}
	b.ReportMetric(float64(series), "series")
}
