// A target's page.

package status

import (
	"fmt"
	"strings"
	"time"

	"oranet_exporter/probes"
)

// targetPage is what the template shows.
type targetPage struct {
	chrome
	Name     string
	Labels   []choice
	State    State
	Reason   string
	Notices  []string // what is held back, and until when
	Landed   []choice // where the session landed, by session_info's labels
	Tiles    []tile
	Budgets  []budgetView
	RTT      rttView
	Connect  *waterfall
	Fetch    *fetchView
	SDU      []sduRow
	Probes   []probeRow
	Failures []failureRow
	Expiries []expiryRow
}

// tile is one of the figures that come first.
type tile struct {
	Name string
	Note string
	Figure
}

func newTarget(t Target, now time.Time) targetPage {
	c := t.Past.copy(now)
	v := targetPage{
		Name:     t.Name,
		Labels:   labels(t),
		Budgets:  newBudgets(t, c),
		RTT:      newRTT(c, now),
		Connect:  newWaterfall(c, now),
		Fetch:    newFetch(t.Budgets, c, now),
		SDU:      newSDU(c),
		Expiries: newExpiries(c, now),
	}
	v.State, v.Reason = judge(t, c, v.Budgets)
	for _, p := range t.Probes {
		of := c.of(p.Definition.Name)
		v.Probes = append(v.Probes, newProbeRow(p, of, now))
		v.Notices = append(v.Notices, notices(p, now)...)
		v.Failures = append(v.Failures, newFailures(p.Definition.Name, of, now)...)
	}
	sortFailures(v.Failures)
	v.Landed = landed(c)
	v.Tiles = tiles(c, now)
	return v
}

// tiles are what is asked for first.
func tiles(c *copied, now time.Time) []tile {
	p50, p99 := nowFigures(c)
	pooled := c.of(probes.Pool.Name).good
	connected := c.of(probes.Connect.Name).good
	asked, given := biggestSDU(c)
	of := "not yet"
	if asked.Text != "" {
		of = fmt.Sprintf("of %s asked for", asked)
	}
	over := "none in " + rough(recent)
	if len(c.now) > 0 {
		over = fmt.Sprintf("%s in %s", plural(len(c.now), "round trip"), rough(recent))
	}
	return []tile{
		{"Round trip, p50", over, p50},
		{"Round trip, p99", over, p99},
		{"Cold connect", when(connected, now), samplesOf(connected).figure(connectSeconds, seconds)},
		{"Pool acquire", when(pooled, now), samplesOf(pooled).figure(poolAcquireSeconds, seconds)},
		{"SDU given", of, given},
	}
}

func samplesOf(r *Run) samples {
	if r == nil {
		return nil
	}
	return r.Samples
}

// when is when a run was, from which figures come.
func when(r *Run, now time.Time) string {
	if r == nil {
		return "not yet"
	}
	return "last success " + ago(r.Start, now)
}

// landed tells where the last session of the connect probe landed.
func landed(c *copied) (list []choice) {
	for _, s := range c.samples(probes.Connect.Name).of(sessionInfo) {
		for i, name := range s.Metric.Labels {
			list = append(list, choice{strings.ReplaceAll(name, "_", " "), s.Values[i]})
		}
	}
	return list
}
