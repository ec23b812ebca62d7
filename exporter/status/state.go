// How a target is, in one word and one reason.

package status

import (
	"fmt"
	"time"

	"oranet_exporter/link"
)

// State is how a target is. A page shows its word and a shape, so that nobody
// has to tell colours apart.
type State string

// The states, the worst first: the order in which the fleet lists targets.
const (
	Down    State = "down"    // no probe's last run succeeded
	Failing State = "failing" // some probes' last runs failed
	Slow    State = "slow"    // all succeeded, and a budget is broken
	Waiting State = "waiting" // nothing has run yet
	Up      State = "up"
)

var states = []State{Down, Failing, Slow, Waiting, Up}

// Mark is the state's shape.
func (s State) Mark() string {
	return map[State]string{Down: "✖", Failing: "◆", Slow: "▲", Waiting: "○", Up: "●"}[s]
}

// failed is a probe whose last run failed.
type failed struct {
	probe string
	link.Failure
}

// judge tells how a target is and why.
func judge(t Target, c *copied, budgets []budgetView) (state State, reason string) {
	var bad []failed
	ran := 0
	for _, p := range t.Probes {
		last := c.of(p.Definition.Name).last
		if last == nil {
			continue
		}
		ran++
		if last.Failure != nil {
			bad = append(bad, failed{last.Probe, *last.Failure})
		}
	}
	switch {
	case ran == 0:
		return Waiting, "no probe has run yet"
	case len(bad) == ran:
		return Down, because(bad)
	case len(bad) > 0:
		return Failing, because(bad)
	}
	if over := broken(budgets); len(over) > 0 {
		return Slow, "over budget: " + list(over)
	}
	return Up, ""
}

// because says why probes fail: each reason once.
func because(bad []failed) string {
	first := bad[0]
	same := 0
	for _, f := range bad {
		if f.Phase == first.Phase && f.Reason == first.Reason {
			same++
		}
	}
	why := fmt.Sprintf("%s in phase %s", first.Reason, first.Phase)
	switch others := len(bad) - same; {
	case others > 0:
		return fmt.Sprintf("%s: %s; %s more", first.probe, why, plural(len(bad)-1, "probe"))
	case same == 1:
		return first.probe + ": " + why
	}
	return fmt.Sprintf("%s of %s", why, plural(same, "probe"))
}

// lastRun is when any probe of a target ran last, zero if none has.
func lastRun(t Target, c *copied) (newest time.Time) {
	for _, p := range t.Probes {
		if last := c.of(p.Definition.Name).last; last != nil && last.Start.After(newest) {
			newest = last.Start
		}
	}
	return newest
}
