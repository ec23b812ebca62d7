// The round trips of the last hour, a column a minute.

package status

import (
	"fmt"
	"time"
)

// shortestSpan is the least that the drawing spans, so that the first minutes
// of an exporter are not one wide column.
const shortestSpan = 15 // minutes

// rttView is the drawing, 1000 wide and 100 high, and its figures.
type rttView struct {
	Metric  Metric
	Columns []rttColumn
	Top     Figure // what the drawing's upper edge means
	Half    Figure
	Span    string // how long ago its left edge is
	Summary string // the drawing in words
}

// rttColumn is one minute.
type rttColumn struct {
	Minute        string // when it began
	Runs, Failed  string
	Bad           bool // some failed
	Min, P50, P99 Figure
	Title         string

	X, Width, End float64
	Y, Height     float64 // of the bar from min to p99; no height: nothing was measured
	Middle        float64 // the p50
	FailedHeight  float64
}

func newRTT(c *copied, now time.Time) rttView {
	v := rttView{Metric: roundTripSeconds}
	first := now.Unix()/60*60 - (keptMinutes-1)*60
	var shown []minute
	for _, m := range c.minutes {
		if m.start >= first {
			shown = append(shown, m)
		}
	}
	if len(shown) == 0 {
		return v
	}
	span := max(shortestSpan, int(now.Unix()-shown[0].start)/60+1)
	top := ceiling(shown)
	v.Top, v.Half = newFigure(roundTripSeconds, top, seconds), newFigure(roundTripSeconds, top/2, seconds)
	v.Span = fmt.Sprintf("%d min ago", span)
	left := now.Unix()/60*60 - int64(span-1)*60
	for _, m := range shown {
		column := newColumn(m, top)
		column.Width = 1000 / float64(span)
		column.X = column.Width * float64((m.start-left)/60)
		column.End = column.X + column.Width
		v.Columns = append(v.Columns, column)
	}
	v.Summary = summary(shown)
	return v
}

func newColumn(m minute, top float64) rttColumn {
	height := func(took float32) float64 { return 100 * float64(took) / top }
	c := rttColumn{
		Minute: time.Unix(m.start, 0).UTC().Format("15:04"),
		Runs:   whole(float64(m.runs)), Failed: whole(float64(m.failed)), Bad: m.failed > 0,
		Min: Figure{Metric: roundTripSeconds}, P50: Figure{Metric: roundTripSeconds}, P99: Figure{Metric: roundTripSeconds},
		FailedHeight: 100 * float64(m.failed) / float64(m.runs),
	}
	c.Title = fmt.Sprintf("%s: %s of %s failed", c.Minute, c.Failed, plural(int(m.runs), "run"))
	if m.p99 == 0 {
		return c
	}
	c.Min, c.P50, c.P99 = newFigure(roundTripSeconds, float64(m.min), seconds),
		newFigure(roundTripSeconds, float64(m.p50), seconds), newFigure(roundTripSeconds, float64(m.p99), seconds)
	c.Title = fmt.Sprintf("%s: min %s, p50 %s, p99 %s; %s of %s failed", c.Minute, c.Min, c.P50, c.P99, c.Failed, plural(int(m.runs), "run"))
	// At least a hundredth, as a steady link is to be seen, too.
	c.Height = max(1, height(m.p99)-height(m.min))
	c.Y = 100 - height(m.min) - c.Height
	c.Middle = 100 - height(m.p50)
	return c
}

// ceiling is the first round number above the longest of the minutes.
func ceiling(minutes []minute) float64 {
	most := 0.0
	for _, m := range minutes {
		most = max(most, float64(m.p99))
	}
	for scale := 1e-6; ; scale *= 10 {
		for _, step := range []float64{1, 1.5, 2, 3, 4, 5, 6, 8} {
			if top := step * scale; top >= most*1.05 {
				return top
			}
		}
	}
}

// summary says what the drawing shows.
func summary(minutes []minute) string {
	var least, most float32
	var runs, failed int
	for _, m := range minutes {
		if m.p99 > 0 && (least == 0 || m.min < least) {
			least = m.min
		}
		most = max(most, m.p99)
		runs += int(m.runs)
		failed += int(m.failed)
	}
	outcome := fmt.Sprintf("%s of %s failed", whole(float64(failed)), plural(runs, "run"))
	if most == 0 {
		return outcome
	}
	return fmt.Sprintf("between %s and %s (a minute's p99); %s",
		newFigure(roundTripSeconds, float64(least), seconds), newFigure(roundTripSeconds, float64(most), seconds), outcome)
}
