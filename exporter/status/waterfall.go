// A cold connect, phase after phase.

package status

import (
	"fmt"
	"time"

	"oranet_exporter/probes"
)

// waterfall is the last connect that succeeded, in a drawing 1000 wide.
type waterfall struct {
	When       string
	Total      Figure
	RoundTrips Figure
	Phases     []phaseBar
}

// phaseBar is one phase.
type phaseBar struct {
	Phase    string
	Meaning  string
	Time     Figure
	Share    string
	X, Width float64
	Title    string
}

// meanings say what a phase is, to whoever reads a page at night.
var meanings = map[string]string{
	"resolve": "host name to addresses",
	"proxy":   "HTTP CONNECT",
	"tcp":     "SYN to SYN/ACK",
	"tls":     "handshake",
	"tns":     "CONNECT to data types",
	"auth":    "both logon exchanges",
	"session": "until usable",
}

// newWaterfall returns nil if no connect has succeeded yet.
func newWaterfall(c *copied, now time.Time) *waterfall {
	good := c.of(probes.Connect.Name).good
	phases := samplesOf(good).of(connectPhaseSeconds)
	if len(phases) == 0 {
		return nil
	}
	total := 0.0
	for _, p := range phases {
		total += p.Value
	}
	w := &waterfall{
		When:       ago(good.Start, now),
		Total:      samplesOf(good).figure(connectSeconds, seconds),
		RoundTrips: samplesOf(good).figure(connectRoundTrips, count),
	}
	begun := 0.0
	for _, p := range phases {
		name := label(p, "phase")
		b := phaseBar{
			Phase: name, Meaning: meanings[name],
			Time:  newFigure(connectPhaseSeconds, p.Value, seconds),
			Share: fmt.Sprintf("%.0f %%", 100*p.Value/total),
			X:     1000 * begun / total, Width: 1000 * p.Value / total,
		}
		b.Title = fmt.Sprintf("%s: %s, begun after %s", name, b.Time, newFigure(connectPhaseSeconds, begun, seconds))
		begun += p.Value
		w.Phases = append(w.Phases, b)
	}
	return w
}
