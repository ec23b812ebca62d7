package exporter

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"oranet_exporter/link"
	"oranet_exporter/probes"
)

// metric returns a probe's metric of that name.
func metric(t *testing.T, def *probes.Definition, name string) *probes.Metric {
	t.Helper()
	for _, m := range def.Metrics {
		if m.Name == name {
			return m
		}
	}
	t.Fatalf("probe %s has no metric %s", def.Name, name)
	return nil
}

// orderPage is a query that makes eleven round trips.
var orderPage = Budget{Name: "page", Rows: 1000, Arraysize: 100, Max: 100 * time.Millisecond}

// measured is a result of round_trip.
func measured(t *testing.T, rtt time.Duration) *Result {
	t.Helper()
	return &Result{Probe: probes.RoundTrip.Name, Samples: []probes.Sample{
		{Metric: metric(t, probes.RoundTrip, "round_trip_seconds"), Values: []string{"idle"}, Value: rtt.Seconds()}}}
}

// fetched is a result of fetch at that arraysize.
func fetched(t *testing.T, arraysize string, rows int, network, server, transfer, client time.Duration) *Result {
	t.Helper()
	out := new(probes.Samples)
	component := metric(t, probes.Fetch, "fetch_component_seconds")
	for name, d := range map[string]time.Duration{"network": network, "server": server, "transfer": transfer, "client": client} {
		out.Add(component, d.Seconds(), arraysize, name)
	}
	out.Add(metric(t, probes.Fetch, "fetch_rows_total"), float64(rows), arraysize)
	return &Result{Probe: probes.Fetch.Name, Samples: out.List()}
}

// judged is the first sample of a metric, 0 if there is none.
func judged(samples []probes.Sample, m *probes.Metric) (value float64, found bool) {
	for _, s := range samples {
		if s.Metric == m {
			return s.Value, true
		}
	}
	return 0, false
}

func TestBudgetIsHeldAgainstEveryRoundTrip(t *testing.T) {
	broken := &Result{Probe: probes.RoundTrip.Name, Failure: &link.Failure{Reason: link.ReasonTimeout}}
	for _, c := range []struct {
		name      string
		before    []*Result
		run       *Result
		predicted float64 // seconds; 0: no estimate
		breach    bool
	}{
		{"round trips only", nil, measured(t, 2*time.Millisecond), .022, false},
		{"too far away", nil, measured(t, 20*time.Millisecond), .220, true},
		{"no answer", nil, broken, 0, true},
		{"the fetch's work, a tenth of its rows",
			[]*Result{fetched(t, "100", 10_000, time.Second, 300*time.Millisecond, 200*time.Millisecond, 100*time.Millisecond)},
			measured(t, 2*time.Millisecond), .082, false},
		{"the fetch's work breaks it",
			[]*Result{fetched(t, "100", 1000, 0, 50*time.Millisecond, 20*time.Millisecond, 10*time.Millisecond)},
			measured(t, 2*time.Millisecond), .102, true},
		{"the work of the last fetch",
			[]*Result{fetched(t, "100", 1000, 0, time.Second, 0, 0), fetched(t, "100", 1000, 0, 10*time.Millisecond, 0, 0)},
			measured(t, 2*time.Millisecond), .032, false},
		{"a failed fetch changes nothing",
			[]*Result{fetched(t, "100", 1000, 0, 10*time.Millisecond, 0, 0), {Probe: probes.Fetch.Name, Failure: broken.Failure}},
			measured(t, 2*time.Millisecond), .032, false},
		{"a fetch of an arraysize that the driver chose tells nothing",
			[]*Result{fetched(t, "auto", 1000, 0, time.Second, 0, 0)}, measured(t, 2*time.Millisecond), .022, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := &budgets{list: []Budget{orderPage}}
			for _, r := range c.before {
				if samples := b.judge(r); len(samples) != 0 {
					t.Errorf("a fetch was taken for a check: %v", samples)
				}
			}
			samples := b.judge(c.run)
			predicted, estimated := judged(samples, budgetPredicted)
			if estimated != (c.predicted != 0) || predicted-c.predicted > 1e-6 || c.predicted-predicted > 1e-6 {
				t.Errorf("predicted %v, want %v", predicted, c.predicted)
			}
			if elapsed, observed := judged(samples, budgetElapsed); observed != estimated || elapsed != predicted {
				t.Errorf("observed %v (%t), predicted %v (%t)", elapsed, observed, predicted, estimated)
			}
			if n, _ := judged(samples, budgetChecks); n != 1 {
				t.Errorf("%v checks, want 1", n)
			}
			if _, breach := judged(samples, budgetBreaches); breach != c.breach {
				t.Errorf("a breach: %t, want %t", breach, c.breach)
			}
		})
	}
}

func TestBudgetTakesTheWorkOfTheNearestArraysize(t *testing.T) {
	r := fetched(t, "100", 1000, 0, 100*time.Millisecond, 0, 0)
	r.Samples = append(r.Samples, fetched(t, "10000", 1000, 0, 10*time.Millisecond, 0, 0).Samples...)
	for arraysize, want := range map[int]time.Duration{
		1: 100 * time.Millisecond, 100: 100 * time.Millisecond, 900: 100 * time.Millisecond, 1100: 10 * time.Millisecond, 60_000: 10 * time.Millisecond,
	} {
		b := new(budgets)
		b.learn(r)
		if got := b.workAt(arraysize).Server; got != want {
			t.Errorf("arraysize %d: %v, want %v", arraysize, got, want)
		}
	}
}

// A farther link and then a dead one: what an alert divides goes from 0 to 1.
func TestBreachesFollowTheRoundTripWhileTheExporterRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var rtt atomic.Int64 // 0: no answer
		f := &fake{run: func(_ context.Context, _ *probeCalls, out *probes.Samples) error {
			if rtt.Load() == 0 {
				return fail(link.PhaseQuery, link.ReasonTimeout)
			}
			out.Add(metric(t, probes.RoundTrip, "round_trip_seconds"), time.Duration(rtt.Load()).Seconds(), "idle")
			return nil
		}}
		def := f.definition(probes.RoundTrip.Name, 2*time.Second, time.Second)
		def.Metrics = probes.RoundTrip.Metrics
		target := fakeTarget("orders", def)
		target.Budgets = []Budget{orderPage}
		e := running(t, target)
		wantValue(t, e.gatherer, 1000, "budget_rows", "target=orders", "budget=page")
		wantValue(t, e.gatherer, .1, "budget_limit_seconds", "target=orders", "budget=page")
		wantValue(t, e.gatherer, 0, "budget_checks_total", "budget=page")
		wantValue(t, e.gatherer, 0, "budget_breaches_total", "budget=page")
		wantValue(t, e.gatherer, 0, "budget_elapsed_seconds", "budget=page")

		for _, c := range []struct {
			rtt              time.Duration
			checks, breaches float64
		}{{2 * time.Millisecond, 10, 0}, {20 * time.Millisecond, 20, 10}, {0, 30, 20}, {2 * time.Millisecond, 40, 20}} {
			rtt.Store(int64(c.rtt))
			time.Sleep(20 * time.Second)
			synctest.Wait()
			wantValue(t, e.gatherer, c.checks, "budget_checks_total", "budget=page")
			wantValue(t, e.gatherer, c.breaches, "budget_breaches_total", "budget=page")
		}
		wantValue(t, e.gatherer, 30, "budget_elapsed_seconds", "budget=page")
		// A run on demand is for whoever asked, and no check.
		get(e, "GET", "/probe?target=orders&probe=round_trip")
		wantValue(t, e.gatherer, 40, "budget_checks_total", "budget=page")
	})
}

func TestLimitsAreBucketEdgesOfQueryTimes(t *testing.T) {
	target := fakeTarget("orders", probes.All...)
	odd := Budget{Name: "odd", Rows: 1, Arraysize: 1, Max: 1234 * time.Millisecond}
	even := Budget{Name: "even", Rows: 1, Arraysize: 1, Max: time.Second} // an edge already
	target.Budgets = []Budget{odd, even}
	registry := gathering(t, target)
	for name, want := range map[string]bool{
		"budget_elapsed_seconds": true, "fetch_seconds": true, "pool_query_seconds": true, "round_trip_seconds": false, "connect_seconds": false,
	} {
		edges := edges(t, registry, name)
		if edges[1.234] != 0 != want {
			t.Errorf("%s: 1.234 s is an edge: %t, want %t", name, !want, want)
		}
		for edge, n := range edges {
			if n > 1 {
				t.Errorf("%s: edge %v is there %d times", name, edge, n)
			}
		}
	}
	if _, there := value(t, registry, "budget_checks_total", "budget=odd"); !there {
		t.Error("a budget has no series before its first check")
	}
}

// edges counts the classic buckets of a metric's first series by upper bound.
func edges(t *testing.T, g prometheus.Gatherer, name string) map[float64]int {
	t.Helper()
	families, err := g.Gather()
	if err != nil {
		t.Fatal(err)
	}
	found := map[float64]int{}
	for _, f := range families {
		if f.GetName() == Namespace+name {
			for _, b := range f.Metric[0].GetHistogram().Bucket {
				found[b.GetUpperBound()]++
			}
		}
	}
	if len(found) == 0 {
		t.Fatalf("%s has no buckets", name)
	}
	return found
}

func TestBudgetsNeedTheProbeThatChecksThem(t *testing.T) {
	target := fakeTarget("orders", probes.All...)
	target.Budgets = []Budget{orderPage}
	cfg := &Config{Targets: []*Target{target}}
	if err := cfg.Validate(); err != nil {
		t.Error(err)
	}
	target.Probe(probes.RoundTrip.Name).Enabled = false
	want := "targets[0].budgets: the probe that checks them, round_trip, is switched off; enable it or remove the budgets"
	if err := cfg.Validate(); err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}
