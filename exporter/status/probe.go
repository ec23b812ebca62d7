// One probe of a target: its last run, its next one, and how the last ones went.

package status

import (
	"fmt"
	"strings"
	"time"

	"oranet_exporter/probes"
)

// probeRow is one probe.
type probeRow struct {
	Name, Help string
	State      string // ok, failed or waiting
	Reason     string // of the failure
	Problem    string // the failure as a sentence
	Value      Figure // what the last run measured of the probe's first metric
	Disturbed  string // why Value may be this process's own delay
	Last, Next string
	Runs       []runMark // the last ones, oldest first
	Summary    string    // of Runs
}

// runMark is one run in a drawing that is 10 wide for each and 16 high. The
// worse it went the taller it is, for whoever cannot tell the colours apart.
type runMark struct {
	X         int
	Top, High int
	Class     string // ok, late or failed
	Title     string
}

func newProbeRow(p Probe, of probeCopy, now time.Time) probeRow {
	r := probeRow{
		Name: p.Definition.Name, Help: p.Definition.Help, State: "waiting", Last: "not yet",
		Next:  next(p, now),
		Value: Figure{Metric: Metric(p.Definition.Metrics[0].Name)},
	}
	r.Runs, r.Summary = marks(of.recent)
	last := of.last
	if last == nil {
		return r
	}
	r.State, r.Last = "ok", ago(last.Start, now)
	r.Value.Text = headline(p.Definition.Metrics[0], last.Samples)
	if last.Late > 0 {
		r.Disturbed = fmt.Sprintf("disturbed: this process did not run for %s (%s)", Figure.String(newFigure(probeDisturbed, last.Late.Seconds(), seconds)), last.Cause)
	}
	if f := last.Failure; f != nil {
		r.State, r.Value.Text = "failed", ""
		r.Reason = fmt.Sprintf("%s in phase %s", f.Reason, f.Phase)
		r.Problem = f.Error()
	}
	return r
}

// next says when a probe's turn comes, or why it has none.
func next(p Probe, now time.Time) string {
	switch {
	case p.Held == Forever:
		return "after a reload (held back)"
	case p.Exhausted != "":
		return fmt.Sprintf("in %s at the earliest (the hour's allowance of %s is used up)", rough(p.Renewed.Sub(now)), p.Exhausted)
	case p.Held > 0:
		return "in " + rough(p.Held) + " (held back)"
	}
	return "in " + rough(p.Next.Sub(now))
}

// notices are what somebody has to know of a probe that does not take its turns.
func notices(p Probe, now time.Time) []string {
	name := p.Definition.Name
	switch {
	case p.Held == Forever:
		return []string{name + " is held back until the configuration is reloaded, because the account is locked."}
	case p.Held > 0:
		return []string{name + " is held back for " + rough(p.Held) + ", because trying again sooner would make things worse."}
	case p.Exhausted != "":
		return []string{fmt.Sprintf("%s waits for %s: the hour's allowance of %s is used up.", name, rough(p.Renewed.Sub(now)), p.Exhausted)}
	}
	return nil
}

// marks draws the last runs.
func marks(recent []brief) (marks []runMark, summary string) {
	var failed, late int
	for i, b := range recent {
		m := runMark{X: 10 * i, High: 6, Class: "ok"}
		outcome := "ok"
		switch {
		case b.reason != "":
			m.High, m.Class, outcome = 16, "failed", string(b.reason)
			failed++
		case b.late:
			m.High, m.Class, outcome = 11, "late", "ok, disturbed"
			late++
		}
		m.Top = 16 - m.High
		took, unit := seconds(b.duration.Seconds())
		m.Title = fmt.Sprintf("%s: %s, %s %s", clock(time.Unix(0, b.start)), outcome, took, unit)
		marks = append(marks, m)
	}
	if len(recent) == 0 {
		return nil, ""
	}
	return marks, fmt.Sprintf("last %s: %d failed, %d disturbed", plural(len(recent), "run"), failed, late)
}

// headline is what a run measured of its probe's first metric, with the unit.
func headline(leading *probes.Metric, of samples) string {
	var figures []string
	for _, s := range of {
		if s.Metric != leading {
			continue
		}
		text := Figure.String(newFigure(Metric(leading.Name), s.Value, formatOf(leading.Name)))
		if len(s.Values) > 0 {
			text = strings.Join(s.Values, ", ") + ": " + text
		}
		figures = append(figures, text)
	}
	return strings.Join(figures, "; ")
}

// formatOf is how values of a metric are written, by the unit in its name.
func formatOf(name string) func(float64) (text, unit string) {
	switch {
	case strings.HasSuffix(name, "_bytes"):
		return size
	case strings.HasSuffix(name, "_seconds"):
		return seconds
	}
	return count
}
