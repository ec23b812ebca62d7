// The queries that plan looks at: the one of its flags, or a target's budgets.

package command

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"oranet_exporter/budget"
	"oranet_exporter/exporter"
)

// usual are the arraysizes that are compared unless somebody asks for others.
var usual = sizes{100, 1000, 10000}

// query is one query to plan for.
type query struct {
	name     string
	rows     int
	compared sizes         // in ascending order
	inUse    sizes         // those that must keep max; none: any may
	max      time.Duration // 0: no budget
	work     budget.Work
	perTrip  float64 // RTTs that a round trip takes: 1 unless a slope was measured
}

func (p *plan) queries(cfg *exporter.Config) ([]query, error) {
	if p.rows > 0 {
		q, err := p.query()
		return []query{q}, err
	}
	if cfg == nil || len(cfg.Target(p.target).Budgets) == 0 {
		return nil, errors.New("there is no query to plan for; give its --rows, or a --target that has budgets")
	}
	var list []query
	for _, b := range cfg.Target(p.target).Budgets {
		inUse := sizes{b.Arraysize}
		list = append(list, query{name: b.Name, rows: b.Rows, compared: ascending(usual, inUse), inUse: inUse, max: b.Max,
			work: p.work(b.Rows), perTrip: 1})
	}
	return list, nil
}

func (p *plan) query() (query, error) {
	rows := int(p.rows)
	q := query{name: "query", rows: rows, compared: ascending(p.arraysize), inUse: p.arraysize, max: p.max, work: p.work(rows), perTrip: 1}
	if len(p.arraysize) == 0 {
		q.compared = usual
	}
	if len(p.measured) == 0 {
		return q, nil
	}
	trips := float64(budget.Shape{Rows: q.rows, Arraysize: q.inUse[0]}.RoundTrips())
	line := p.measured[0].Line(trips)
	if len(p.measured) == 2 {
		var err error
		if line, err = budget.Through(p.measured[0], p.measured[1]); err != nil {
			return q, fmt.Errorf("--measured: %w", err)
		}
	}
	switch {
	case line.RoundTrips <= 0:
		return q, errors.New("--measured: the query took longer at the shorter round-trip time; measure both again on a quiet link")
	case len(p.measured) == 1 && line.Fixed < 0:
		return q, fmt.Errorf("--measured: %.0f round trips alone take longer than the query did; check --rows, --arraysize and the round-trip time", trips)
	}
	q.perTrip = line.RoundTrips / trips
	// Whose work it is does not matter: at any arraysize it is to be done.
	q.work = budget.Work{Rows: q.rows, Server: line.Fixed}
	return q, nil
}

// work is what the flags say of a query of that many rows.
func (p *plan) work(rows int) budget.Work {
	bytes := float64(rows) * float64(p.rowBytes)
	return budget.Work{Rows: rows, Server: p.serverTime, Transfer: budget.Transfer(bytes, float64(p.bandwidth))}
}

// model is what the query meets on that link, with its session from a pool.
func (q query) model(cost linkCost) budget.Model {
	rtt := time.Duration(float64(cost.rtt) * q.perTrip)
	return budget.Model{RTT: rtt, Connect: cost.acquire, Work: q.work}
}

// validate refuses a line through measured points that is below zero at the
// link's round-trip time.
func (q query) validate(cost linkCost) error {
	for _, n := range q.compared {
		if q.model(cost).Estimate(budget.Shape{Rows: q.rows, Arraysize: n}).Elapsed() < 0 {
			return fmt.Errorf("--measured: at a round trip of %v the query would take less than no time; measure at one that is nearer", cost.rtt)
		}
	}
	return nil
}

func ascending(lists ...sizes) sizes {
	all := slices.Concat(lists...)
	slices.Sort(all)
	return slices.Compact(all)
}
