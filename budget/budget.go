// Package budget says what a query takes at a round-trip time, and whether an
// application's time budget holds there. It is arithmetic: it measures nothing.
//
// The model, term for term:
//
//	elapsed = connect (first use only) + server execution
//	        + round trips × RTT + bytes ÷ bandwidth + client work
//
// Of these only the round trips depend on the arraysize, and only their
// product with the RTT on the distance: time grows by waiting, not by volume.
package budget

import (
	"sort"
	"time"
)

// Budget is the longest that a query of that shape may take.
type Budget struct {
	Shape
	Max time.Duration
}

// Headroom is what an elapsed time leaves of the budget, negative where it
// breaks it.
func (b Budget) Headroom(elapsed time.Duration) time.Duration { return b.Max - elapsed }

// Holds tells whether an elapsed time is within the budget; Max itself is.
func (b Budget) Holds(elapsed time.Duration) bool { return elapsed <= b.Max }

// SmallestArraysize is the smallest arraysize, 1 to most, at which the model
// keeps the budget, whatever the budget's own; false if none does, because
// what does not depend on the arraysize takes longer already.
func (b Budget) SmallestArraysize(m Model, most int) (int, bool) {
	// More rows a round trip never take longer, so halving finds it.
	n := 1 + sort.Search(most, func(i int) bool {
		return b.Holds(m.Estimate(Shape{Rows: b.Rows, Arraysize: i + 1}).Elapsed())
	})
	return n, n <= most
}
