// Budgets: what each query takes now, against the longest that it may.

package status

import (
	"cmp"
	"fmt"
	"slices"

	"oranet_exporter/probes"
)

// budgetView is one budget.
type budgetView struct {
	Name      string
	Query     string // its shape in words
	Limit     Figure
	Predicted Figure
	Headroom  Figure
	Left      string // the head-room as a word: left or over
	Breached  bool   // at the last check
	Broken    bool   // so often lately that it is no chance
	Lately    string // how often
	Checks    Figure
	Breaches  Figure
	Plan      string // the command that says what would hold

	share float64 // of the limit that is used; 0: not known
	Bar   bar
}

// bar is a share of a limit in a drawing 1000 wide; the limit itself is at Mark.
type bar struct {
	Width, Mark float64
}

// newBudgets are a target's budgets, the one with the least head-room first.
func newBudgets(t Target, c *copied) []budgetView {
	var views []budgetView
	trip := c.of(probes.RoundTrip.Name).last
	for _, b := range t.Budgets {
		views = append(views, newBudget(t.Name, b, c.budgets[b.Name], trip != nil && trip.Failure != nil))
	}
	slices.SortStableFunc(views, func(a, b budgetView) int { return cmp.Compare(b.share, a.share) })
	return views
}

// newBudget is one of them. A round trip that failed is a breach, whatever the
// one before it said.
func newBudget(target string, b Budget, t tally, failed bool) budgetView {
	v := budgetView{
		Name:      b.Name,
		Query:     fmt.Sprintf("%s, %s a round trip", plural(b.Rows, "row"), whole(float64(b.Arraysize))),
		Limit:     newFigure(budgetLimit, b.Max.Seconds(), seconds),
		Predicted: Figure{Metric: budgetPredicted},
		Headroom:  Figure{Metric: budgetPredicted},
		Breached:  failed,
		Checks:    newFigure(budgetChecks, float64(t.checks), count),
		Breaches:  newFigure(budgetBreaches, float64(t.breaches), count),
		Broken:    t.broken(),
		Lately:    fmt.Sprintf("%d of the last %s", t.lately(), plural(len(t.latest.kept), "check")),
		Plan:      fmt.Sprintf("oranet_exporter plan --target %s --rows %d --max %s", target, b.Rows, b.Max),
	}
	if !t.known {
		return v
	}
	v.Predicted = newFigure(budgetPredicted, t.predicted, seconds)
	left := b.Max.Seconds() - t.predicted
	v.Headroom = newFigure(budgetPredicted, max(left, -left), seconds)
	v.Left = "left"
	if left < 0 {
		v.Left, v.Breached = "over", true
	}
	v.share = t.predicted / b.Max.Seconds()
	v.Bar = newBar(v.share)
	return v
}

// newBar shows up to half as much again as the limit.
func newBar(share float64) bar {
	const most = 1.5
	return bar{Width: 1000 * min(share, most) / most, Mark: 1000 / most}
}

// lately is how many of the last checks were breaches.
func (t *tally) lately() (n int) {
	for _, breach := range t.latest.kept {
		if breach {
			n++
		}
	}
	return n
}

// broken tells whether a quarter of the last checks, or more, were breaches. A
// single round trip that was late must not move a target up and down the fleet.
func (t *tally) broken() bool {
	n := t.lately()
	return n > 0 && 4*n >= len(t.latest.kept)
}

// broken says which budgets are.
func broken(budgets []budgetView) (told []string) {
	for _, b := range budgets {
		if b.Broken {
			told = append(told, fmt.Sprintf("%s (%s)", b.Name, b.Lately))
		}
	}
	return told
}
