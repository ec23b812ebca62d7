// The fleet page: one row a target, those in trouble first.

package status

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"oranet_exporter/probes"
)

// rowsAPage is how many targets a page lists.
const rowsAPage = 100

// fleetPage is what the template shows.
type fleetPage struct {
	chrome
	Query  query
	Orders []choice
	States []stateCount
	Total  string
	Found  int // targets that the query matches
	Rows   []row
	From   int // number of the first row, from 1
	To     int
	Before string // link to the page before, empty: none
	After  string
}

// stateCount is how many targets are in a state, and where they are listed.
type stateCount struct {
	State  State
	Count  string
	None   bool
	Link   string
	Chosen bool
}

// row is one target.
type row struct {
	Name    string
	Link    string
	Labels  []choice
	State   State
	Reason  string
	Held    string // what is held back
	P50     Figure
	P99     Figure
	Connect Figure
	Acquire Figure
	Asked   Figure
	Given   Figure
	Tight   *budgetView // the budget with the least head-room
	Budgets string      // how many others there are
	LastRun Figure

	p99   float32
	share float64
}

func newFleet(targets []Target, q query, now time.Time) fleetPage {
	v := fleetPage{Query: q, Orders: orders, Total: plural(len(targets), "target")}
	counts := map[State]int{}
	var rows []row
	for _, t := range targets {
		r := newRow(t, now)
		counts[r.State]++
		if q.matches(r) {
			rows = append(rows, r)
		}
	}
	slices.SortStableFunc(rows, q.Sort.compare)
	v.Found = len(rows)
	v.States = newCounts(counts, q)
	v.turnTo(q, rows)
	return v
}

// turnTo takes the rows of the query's page, or of the last one there is.
func (v *fleetPage) turnTo(q query, rows []row) {
	last := max(1, (len(rows)+rowsAPage-1)/rowsAPage)
	q.page = min(q.page, last)
	from := (q.page - 1) * rowsAPage
	v.Rows = rows[from:min(len(rows), from+rowsAPage)]
	v.From, v.To = from+1, from+len(v.Rows)
	before, after := q, q
	before.page--
	after.page++
	if q.page > 1 {
		v.Before = before.link()
	}
	if q.page < last {
		v.After = after.link()
	}
}

// newCounts are the states' links, after one for all of them.
func newCounts(counts map[State]int, q query) []stateCount {
	all := 0
	for _, n := range counts {
		all += n
	}
	var list []stateCount
	for _, s := range append([]State{""}, states...) {
		to, n := q, counts[s]
		to.State, to.page = s, 1
		if s == "" {
			n = all
		}
		list = append(list, stateCount{State: s, Count: whole(float64(n)), None: n == 0, Link: to.link(), Chosen: s == q.State})
	}
	return list
}

func newRow(t Target, now time.Time) row {
	c := t.Past.copy(now)
	budgets := newBudgets(t, c)
	r := row{Name: t.Name, Link: targetLink(t.Name), Labels: labels(t), LastRun: Figure{Metric: probeLastRun, Text: "not yet"},
		Held: held(t, now)}
	r.State, r.Reason = judge(t, c, budgets)
	r.P50, r.P99 = nowFigures(c)
	if len(c.now) > 0 {
		r.p99 = percentile(c.now, 99)
	}
	r.Connect = c.samples(probes.Connect.Name).figure(connectSeconds, seconds)
	r.Acquire = c.samples(probes.Pool.Name).figure(poolAcquireSeconds, seconds)
	r.Asked, r.Given = biggestSDU(c)
	if len(budgets) > 0 {
		r.Tight, r.share = &budgets[0], budgets[0].share
	}
	if len(budgets) > 1 {
		r.Budgets = "and " + plural(len(budgets)-1, "other")
	}
	if last := lastRun(t, c); !last.IsZero() {
		r.LastRun.Text = ago(last, now)
	}
	return r
}

// compare is the order of two rows; ties go by name.
func (o order) compare(a, b row) int {
	byNames := cmp.Compare(a.Name, b.Name)
	switch o {
	case byRTT:
		return cmp.Or(cmp.Compare(b.p99, a.p99), byNames)
	case byHeadroom:
		return cmp.Or(cmp.Compare(b.share, a.share), byNames)
	case byName:
		return byNames
	}
	return cmp.Or(cmp.Compare(slices.Index(states, a.State), slices.Index(states, b.State)),
		cmp.Compare(b.share, a.share), byNames)
}

// words are what a row can be found by.
func (r row) words() []string {
	words := []string{r.Name, r.Reason}
	for _, l := range r.Labels {
		words = append(words, l.Value+"="+l.Text)
	}
	return words
}

// nowFigures are the percentiles of the last minutes' round trips.
func nowFigures(c *copied) (p50, p99 Figure) {
	p50, p99 = Figure{Metric: roundTripSeconds}, Figure{Metric: roundTripSeconds}
	if len(c.now) > 0 {
		p50 = newFigure(roundTripSeconds, float64(percentile(c.now, 50)), seconds)
		p99 = newFigure(roundTripSeconds, float64(percentile(c.now, 99)), seconds)
	}
	return p50, p99
}

// held says what of a target is held back, empty if nothing is.
func held(t Target, now time.Time) string {
	var names []string
	for _, p := range t.Probes {
		if p.Held > 0 || p.Exhausted != "" && p.Renewed.After(now) {
			names = append(names, p.Definition.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "held back: " + list(names)
}

// labels are a target's own labels, name and value, in order.
func labels(t Target) (list []choice) {
	for _, name := range slices.Sorted(maps.Keys(t.Labels)) {
		list = append(list, choice{name, t.Labels[name]})
	}
	return list
}

func targetLink(name string) string {
	return TargetPath + "?" + strings.ReplaceAll(url.Values{"name": {name}}.Encode(), "+", "%20")
}
