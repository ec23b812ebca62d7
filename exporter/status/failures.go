// The failures of a target: spells, the newest first.

package status

import (
	"slices"
	"time"

	"oranet_exporter/link"
)

// failureRow is one spell of failures of one probe.
type failureRow struct {
	Probe  string
	Phase  link.Phase
	Reason link.Reason
	Runs   Figure
	From   string
	To     string // empty: a single run
	Now    bool   // it is not over
	Text   string // of the last failure

	last time.Time
}

func newFailures(probe string, of probeCopy, now time.Time) (rows []failureRow) {
	for i, s := range of.spells {
		r := failureRow{
			Probe: probe, Phase: s.phase, Reason: s.reason, Text: s.text, last: s.last,
			Runs: newFigure(probeFailures, float64(s.runs), count),
			From: moment(s.first, now),
			Now:  i == len(of.spells)-1 && of.last.Failure != nil,
		}
		if s.runs > 1 {
			r.To = moment(s.last, now)
		}
		rows = append(rows, r)
	}
	return rows
}

func sortFailures(rows []failureRow) {
	slices.SortStableFunc(rows, func(a, b failureRow) int { return b.last.Compare(a.last) })
}

// moment is a time, with its day if that is another one.
func moment(t, now time.Time) string {
	if day(t) == day(now) {
		return clock(t)
	}
	return day(t) + " " + clock(t)
}
