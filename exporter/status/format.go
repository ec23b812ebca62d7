// Figures and times as a person reads them.

package status

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// seconds is a time with three digits, in the unit that suits it.
func seconds(s float64) (text, unit string) {
	switch abs := math.Abs(s); {
	case abs < 99.95e-6:
		return digits(s * 1e6), "µs"
	case abs < 0.9995:
		return digits(s * 1e3), "ms"
	}
	return digits(s), "s"
}

// size is in B, KiB or MiB, which are what Oracle Net's sizes are whole
// numbers of.
func size(b float64) (text, unit string) {
	switch {
	case b >= 1<<20:
		return digits(b / (1 << 20)), "MiB"
	case b >= 1<<10:
		return digits(b / (1 << 10)), "KiB"
	}
	return whole(b), "B"
}

// rate is a throughput.
func rate(bytesPerSecond float64) (text, unit string) {
	return digits(bytesPerSecond / 1e6), "MB/s"
}

// count is a number without a unit.
func count(n float64) (text, unit string) { return whole(n), "" }

// digits is a number with three digits, or all of those before the point.
func digits(v float64) string {
	abs := math.Abs(v)
	switch {
	case abs == 0:
		return "0"
	case abs >= 99.95:
		return whole(v)
	case abs >= 9.995:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case abs >= 0.9995:
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	return strconv.FormatFloat(v, 'f', 3, 64)
}

// whole is a whole number with its thousands apart.
func whole(v float64) string {
	text := strconv.FormatFloat(math.Abs(v), 'f', 0, 64)
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return text
	}
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	if v < 0 && text != "0" {
		return "−" + text
	}
	return text
}

// rough is a duration as a person would say it.
func rough(d time.Duration) string {
	switch {
	case d < time.Second:
		return "a moment"
	case d < 2*time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d < 2*time.Hour:
		return fmt.Sprintf("%.0f min", d.Minutes())
	case d < 48*time.Hour:
		return fmt.Sprintf("%.0f h", d.Hours())
	}
	return fmt.Sprintf("%.0f days", math.Floor(d.Hours()/24))
}

// ago is how long ago something was.
func ago(then, now time.Time) string { return rough(now.Sub(then)) + " ago" }

// clock is a time of the day; every time on a page is UTC.
func clock(t time.Time) string { return t.UTC().Format("15:04:05") + " UTC" }

// day is a day.
func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// plural is "1 run" or "2 runs".
func plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return whole(float64(n)) + " " + one + "s"
}

// list puts commas and an and between words.
func list(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
