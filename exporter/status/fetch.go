// What rows cost, by arraysize: the four components, and where each budget's
// limit is beside them.

package status

import (
	"fmt"
	"time"

	"oranet_exporter/probes"
)

// fetchView is the last fetch that succeeded, in a drawing 1000 wide.
type fetchView struct {
	When  string
	Rows  string // how many were fetched
	Bars  []fetchBar
	Lines []limitLine
}

// fetchBar is one arraysize.
type fetchBar struct {
	Arraysize  string
	Elapsed    Figure
	RoundTrips Figure
	Throughput Figure
	Parts      []part
}

// part is one component.
type part struct {
	Name     string
	Time     Figure
	X, Width float64
	Title    string
}

// limitLine is a budget's limit, in proportion to the rows that were fetched.
type limitLine struct {
	Number int // by which the drawing names it
	Text   string
	X      float64
	Beyond bool // right of the drawing
}

// widest is how much more than the longest bar the drawing shows, so that a
// limit just above it is seen.
const widest = 1.6

// newFetch returns nil if no fetch has succeeded yet.
func newFetch(budgets []Budget, c *copied, now time.Time) *fetchView {
	good := c.of(probes.Fetch.Name).good
	all := samplesOf(good)
	elapsed := all.of(fetchSeconds)
	if len(elapsed) == 0 {
		return nil
	}
	longest, rows := 0.0, 0.0
	for _, s := range elapsed {
		longest = max(longest, s.Value)
	}
	for _, s := range all.of(fetchRowsTotal) {
		rows = s.Value // the same of every arraysize
	}
	limits := limitsFor(budgets, rows)
	scale := 1000 / scaleOf(longest, limits)
	v := &fetchView{When: ago(good.Start, now), Rows: plural(int(rows), "row")}
	for _, s := range elapsed {
		v.Bars = append(v.Bars, newFetchBar(all, s, scale))
	}
	for i, limit := range limits {
		v.Lines = append(v.Lines, newLine(i+1, budgets[i], limit, rows, scale))
	}
	return v
}

func newFetchBar(all samples, s probes.Sample, scale float64) fetchBar {
	arraysize := label(s, "arraysize")
	of := all.with("arraysize", arraysize)
	b := fetchBar{
		Arraysize:  arraysize,
		Elapsed:    newFigure(fetchSeconds, s.Value, seconds),
		RoundTrips: of.figure(fetchRoundTrips, count),
		Throughput: of.figure(fetchThroughput, rate),
	}
	begun := 0.0
	for _, one := range of.of(fetchComponent) {
		p := part{
			Name: label(one, "component"),
			Time: newFigure(fetchComponent, one.Value, seconds),
			X:    begun * scale, Width: one.Value * scale,
		}
		p.Title = fmt.Sprintf("arraysize %s, %s: %s", arraysize, p.Name, p.Time)
		begun += one.Value
		b.Parts = append(b.Parts, p)
	}
	return b
}

// limitsFor are the budgets' limits, in seconds, for that many rows.
func limitsFor(budgets []Budget, rows float64) (limits []float64) {
	for _, b := range budgets {
		limits = append(limits, b.Max.Seconds()*rows/float64(max(1, b.Rows)))
	}
	return limits
}

// scaleOf is how many seconds the drawing is wide: the longest bar, or a limit
// that is not much longer.
func scaleOf(longest float64, limits []float64) float64 {
	width := longest
	for _, limit := range limits {
		if limit <= longest*widest {
			width = max(width, limit)
		}
	}
	return width * 1.02
}

func newLine(number int, b Budget, limit, rows, scale float64) limitLine {
	l := limitLine{Number: number, X: limit * scale, Beyond: limit*scale > 1000}
	l.Text = fmt.Sprintf("%s: %s for %s", b.Name, newFigure(budgetLimit, b.Max.Seconds(), seconds), plural(b.Rows, "row"))
	if float64(b.Rows) != rows {
		l.Text += fmt.Sprintf(", in proportion %s for %s", newFigure(budgetLimit, limit, seconds), whole(rows))
	}
	if l.Beyond {
		l.Text += ", right of the drawing"
	}
	return l
}
