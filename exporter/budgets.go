// Budgets under way: each round trip that was measured says what an
// application's query would have taken just then, and whether that is too long.

package exporter

import (
	"maps"
	"math"
	"slices"
	"sync"

	"oranet_exporter/budget"
	"oranet_exporter/probes"
)

var (
	budgetRows = &probes.Metric{
		Name:   "budget_rows",
		Help:   "Rows of the budget's query, as configured.",
		Kind:   probes.Gauge,
		Labels: []string{"budget"},
	}
	budgetLimit = &probes.Metric{
		Name:   "budget_limit_seconds",
		Help:   "The longest that the budget's query may take, as configured.",
		Kind:   probes.Gauge,
		Labels: []string{"budget"},
	}
	budgetPredicted = &probes.Metric{
		Name: "budget_predicted_seconds",
		Help: "What the budget's query takes by the model, on a session that is there: round trips times the round trip measured last, " +
			"and the server's, transfer and client time of the target's last successful fetch in proportion to the rows (nothing before there was one).",
		Kind:   probes.Gauge,
		Labels: []string{"budget"},
	}
	budgetElapsed = &probes.Metric{
		Name:    "budget_elapsed_seconds",
		Help:    "budget_predicted_seconds of every successful run of round_trip. The target's limits are bucket edges.",
		Kind:    probes.Histogram,
		Labels:  []string{"budget"},
		Buckets: []float64{1e-3, 2e-3, 5e-3, .01, .02, .05, .1, .2, .5, 1, 2, 5, 10, 20, 50, 100},
	}
	budgetChecks = &probes.Metric{
		Name:   "budget_checks_total",
		Help:   "Runs of round_trip that were held against the budget, failed ones as well.",
		Kind:   probes.Counter,
		Labels: []string{"budget"},
	}
	budgetBreaches = &probes.Metric{
		Name:   "budget_breaches_total",
		Help:   "Those of budget_checks_total in which the query would have taken too long. A failed run counts as slow.",
		Kind:   probes.Counter,
		Labels: []string{"budget"},
	}
)

var budgetMetrics = []*probes.Metric{budgetRows, budgetLimit, budgetPredicted, budgetElapsed, budgetChecks, budgetBreaches}

// budgets are one target's. They learn from every result that passes.
type budgets struct {
	list []Budget

	mu   sync.Mutex
	work map[int]budget.Work // of the last successful fetch, by arraysize
}

// model is the budget as the arithmetic knows it.
func (b Budget) model() budget.Budget {
	return budget.Budget{Shape: budget.Shape{Rows: b.Rows, Arraysize: b.Arraysize}, Max: b.Max}
}

// start are what is known before anything was measured.
func (b *budgets) start() []probes.Sample {
	out := new(probes.Samples)
	for _, one := range b.list {
		out.Add(budgetRows, float64(one.Rows), one.Name)
		out.Add(budgetLimit, one.Max.Seconds(), one.Name)
	}
	return out.List()
}

// judge returns what a run says of each budget: something if it was of
// round_trip, nothing otherwise.
func (b *budgets) judge(r *Result) []probes.Sample {
	if len(b.list) == 0 {
		return nil
	}
	b.learn(r)
	if r.Probe != probes.RoundTrip.Name {
		return nil
	}
	rtt, measured := probes.RoundTripTime(r.Samples)
	out := new(probes.Samples)
	for _, one := range b.list {
		holds := false
		if measured {
			elapsed := budget.Model{RTT: rtt, Work: b.workAt(one.Arraysize)}.Estimate(one.model().Shape).Elapsed()
			holds = one.model().Holds(elapsed)
			out.Add(budgetPredicted, elapsed.Seconds(), one.Name)
			out.Add(budgetElapsed, elapsed.Seconds(), one.Name)
		}
		// The check before the breach, so that no scrape sees more breaches than checks.
		out.Add(budgetChecks, 1, one.Name)
		if !holds {
			out.Add(budgetBreaches, 1, one.Name)
		}
	}
	return out.List()
}

// learn keeps what a successful fetch took.
func (b *budgets) learn(r *Result) {
	if r.Failure != nil {
		return // its components are missing
	}
	work := probes.FetchWork(r.Samples)
	if len(work) == 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.work = work
}

// workAt is the work at the arraysize nearest to that one in proportion, as
// the server's time falls with every fetch that is not made.
func (b *budgets) workAt(arraysize int) budget.Work {
	b.mu.Lock()
	defer b.mu.Unlock()
	var nearest budget.Work
	least := math.Inf(1)
	for _, measured := range slices.Sorted(maps.Keys(b.work)) {
		if distance := math.Abs(math.Log(float64(measured) / float64(arraysize))); distance < least {
			nearest, least = b.work[measured], distance
		}
	}
	return nearest
}

// knownBudgets are the series that budgets have from the start.
func knownBudgets(list []Budget) (known []probes.Series) {
	for _, one := range list {
		for _, m := range []*probes.Metric{budgetElapsed, budgetChecks, budgetBreaches} {
			known = append(known, probes.Series{Metric: m, Values: []string{one.Name}})
		}
	}
	return known
}
