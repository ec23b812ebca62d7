// What the listener gives of the session data unit that is asked for.

package status

import (
	"strconv"

	"oranet_exporter/probes"
)

// sduRow is one size that was asked for.
type sduRow struct {
	Asked, Given Figure
	Less         bool // than asked for
}

func newSDU(c *copied) (rows []sduRow) {
	for _, s := range c.samples(probes.SDU.Name).of(sduNegotiatedBytes) {
		asked, err := strconv.ParseFloat(label(s, "requested"), 64)
		if err != nil {
			continue
		}
		rows = append(rows, sduRow{
			Asked: newFigure(sduNegotiatedBytes, asked, size),
			Given: newFigure(sduNegotiatedBytes, s.Value, size),
			Less:  s.Value < asked,
		})
	}
	return rows
}

// biggestSDU is the row of the most that was asked for, as it shows what the
// listener gives at most.
func biggestSDU(c *copied) (asked, given Figure) {
	asked, given = Figure{Metric: sduNegotiatedBytes}, Figure{Metric: sduNegotiatedBytes}
	most := 0.0
	for _, s := range c.samples(probes.SDU.Name).of(sduNegotiatedBytes) {
		if n, err := strconv.ParseFloat(label(s, "requested"), 64); err == nil && n > most {
			most = n
			asked, given = newFigure(sduNegotiatedBytes, n, size), newFigure(sduNegotiatedBytes, s.Value, size)
		}
	}
	return asked, given
}
