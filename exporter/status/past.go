// What a target's runs left for the pages. It is bounded, whatever the runs
// bring: failures are kept longer than successes, but as spells.

package status

import (
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"oranet_exporter/link"
	"oranet_exporter/probes"
)

const (
	keptRuns   = 20 // of each probe
	keptSpells = 8  // of each probe
	keptChecks = 20 // of each budget
)

// Past is what a target's runs left. It is safe for concurrent use; its lock is
// held only to copy. It takes some 15 KB, and 50 KB where everything fails in ever
// other ways (TestAThousandTargetsAreCheap).
type Past struct {
	mu       sync.Mutex
	probes   map[string]*probePast
	trips    roundTrips
	budgets  map[string]*tally
	expiries map[string]expiry // by what expires: the certificate of a side, or the password
}

// probePast is what the runs of one probe left.
type probePast struct {
	last   *Run // nil before the first
	good   *Run // the last that succeeded, nil: none
	recent ring[brief]
	spells ring[spell]
}

// brief is a run of which the rest is forgotten.
type brief struct {
	start    int64 // nanoseconds since the epoch
	duration time.Duration
	reason   link.Reason // empty: success
	late     bool
}

// spell is failures of a probe without another outcome in between.
type spell struct {
	first, last time.Time
	runs        int
	phase       link.Phase
	reason      link.Reason
	text        string // of the last one
}

// tally is what became of a budget's checks.
type tally struct {
	predicted        float64 // seconds, when it was checked last with success
	known            bool
	checks, breaches int
	latest           ring[bool] // of the last checks, whether they were breaches
}

// expiry is the day after which something is of no use.
type expiry struct {
	metric  Metric
	subject string
	expires time.Time
}

// NewPast returns a past in which nothing has happened.
func NewPast() *Past {
	return &Past{probes: map[string]*probePast{}, trips: newRoundTrips(),
		budgets: map[string]*tally{}, expiries: map[string]expiry{}}
}

// Add takes a run.
func (p *Past) Add(r Run) {
	p.mu.Lock()
	defer p.mu.Unlock()
	of := p.probes[r.Probe]
	if of == nil {
		of = &probePast{recent: ring[brief]{size: keptRuns}, spells: ring[spell]{size: keptSpells}}
		p.probes[r.Probe] = of
	}
	of.add(r)
	p.addRoundTrip(r)
	for _, s := range samples(r.Samples) {
		switch m := Metric(s.Metric.Name); m {
		case certificateExpiry:
			p.expiries[label(s, "side")+" certificate"] = expiry{m, label(s, "subject"), fromUnix(s.Value)}
		case passwordExpiry:
			p.setPassword(s.Value)
		case budgetPredicted, budgetChecks, budgetBreaches:
			p.tally(label(s, "budget")).add(m, s.Value)
		}
	}
}

// setPassword takes when the password expires, +Inf if never.
func (p *Past) setPassword(at float64) {
	const of = "password"
	if math.IsInf(at, 0) {
		delete(p.expiries, of)
		return
	}
	p.expiries[of] = expiry{passwordExpiry, "of the probe's user", fromUnix(at)}
}

func (p *Past) addRoundTrip(r Run) {
	idle := samples(r.Samples).of(roundTripSeconds).with("load", "idle")
	switch {
	case len(idle) > 0:
		p.trips.add(r.Start, idle[0].Value, true, false)
	case r.Probe == probes.RoundTrip.Name:
		p.trips.add(r.Start, 0, false, r.Failure != nil)
	}
}

func (p *Past) tally(budget string) *tally {
	if p.budgets[budget] == nil {
		p.budgets[budget] = &tally{latest: ring[bool]{size: keptChecks}}
	}
	return p.budgets[budget]
}

func (t *tally) add(m Metric, value float64) {
	switch m {
	case budgetPredicted:
		t.predicted, t.known = value, true
	case budgetChecks:
		t.checks += int(value)
		t.latest.add(false)
	case budgetBreaches: // it follows its check
		t.breaches += int(value)
		if last := t.latest.last(); last != nil {
			*last = true
		}
	}
}

func (p *probePast) add(r Run) {
	b := brief{start: r.Start.UnixNano(), duration: r.Duration, late: r.Late > 0}
	if f := r.Failure; f != nil {
		b.reason = f.Reason
		p.fail(r)
	} else {
		p.good = &r
	}
	p.last = &r
	p.recent.add(b)
}

// fail continues the spell, if the run before failed for the same reason, or
// begins one.
func (p *probePast) fail(r Run) {
	f := r.Failure
	s := p.spells.last()
	if s == nil || p.last == nil || p.last.Failure == nil || s.phase != f.Phase || s.reason != f.Reason {
		p.spells.add(spell{first: r.Start, phase: f.Phase, reason: f.Reason})
		s = p.spells.last()
	}
	s.last, s.text = r.Start, f.Error()
	s.runs++
}

// Last returns the last run of a probe, nil if there was none. It must not be
// changed.
func (p *Past) Last(probe string) *Run { return p.copy(time.Time{}).of(probe).last }

// copied is a past that nobody changes any more.
type copied struct {
	probes   map[string]probeCopy
	minutes  []minute
	now      []float32 // the round trips of the last minutes, in order of size
	budgets  map[string]tally
	expiries map[string]expiry
}

type probeCopy struct {
	last, good *Run
	recent     []brief // oldest first
	spells     []spell // oldest first
}

func (c *copied) of(probe string) probeCopy { return c.probes[probe] }

// samples are those of the last run of a probe that succeeded.
func (c *copied) samples(probe string) samples {
	if good := c.probes[probe].good; good != nil {
		return good.Samples
	}
	return nil
}

func (p *Past) copy(now time.Time) *copied {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := &copied{
		probes:   map[string]probeCopy{},
		minutes:  p.trips.minutes.list(),
		now:      p.trips.since(now.Add(-recent).Unix()),
		budgets:  map[string]tally{},
		expiries: maps.Clone(p.expiries),
	}
	for name, of := range p.probes {
		c.probes[name] = probeCopy{of.last, of.good, of.recent.list(), of.spells.list()}
	}
	for name, t := range p.budgets {
		c.budgets[name] = t.copy()
	}
	return c
}

func (t *tally) copy() tally {
	c := *t
	c.latest.kept = slices.Clone(c.latest.kept)
	return c
}

func fromUnix(seconds float64) time.Time { return time.Unix(int64(seconds), 0) }
