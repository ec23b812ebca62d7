// What plan has to say, in the form that a person reads.

package command

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"oranet_exporter/link"
)

// Text writes the plan.
func (f *forecast) Text(w io.Writer) error {
	var b strings.Builder
	if f.Target != "" {
		fmt.Fprintln(&b, f.Target)
	}
	f.Link.text(&b)
	for _, q := range f.Queries {
		q.text(&b, f.Link.Connect > 0)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (l linkForecast) text(b *strings.Builder) {
	if l.Measured {
		fmt.Fprintf(b, "round trip  %s, median of %d; TCP connect %s\n", milliseconds(l.RTT), rounds, milliseconds(l.TCPConnect))
	} else {
		fmt.Fprintf(b, "round trip  %s, as given\n", milliseconds(l.RTT))
	}
	if l.Connect == 0 {
		fmt.Fprintln(b, "connect     not known; give --connect, or measure it with --target and without --rtt")
		return
	}
	trips := "as given"
	if l.Measured {
		trips = fmt.Sprintf("%.0f round trips; acquire from a pool %s", l.ConnectRoundTrips, milliseconds(l.Acquire))
	}
	fmt.Fprintf(b, "connect     %s, %s\n", milliseconds(l.Connect), trips)
	fmt.Fprintf(b, "            connecting each time instead of pooling adds %s to a query\n", milliseconds(l.ConnectingAdds))
}

func (q queryForecast) text(b *strings.Builder, connecting bool) {
	fmt.Fprintf(b, "\n%s: %d rows", q.Name, q.Rows)
	if q.Max > 0 {
		fmt.Fprintf(b, " within %s", seconds(q.Max))
	}
	fmt.Fprintln(b)
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "arraysize\tround trips\twith close\tnetwork\tthe rest\tpooled\t")
	if connecting {
		fmt.Fprint(w, "connecting each time\t")
	}
	fmt.Fprintln(w)
	for _, s := range q.ByArraysize {
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%s\t", s.Arraysize, tenths(s.RoundTrips), tenths(s.RoundTripsToClose),
			seconds(s.Network), seconds(s.Rest), seconds(s.Elapsed))
		if connecting {
			fmt.Fprintf(w, "%s\t", seconds(s.ConnectingElapsed))
		}
		fmt.Fprintln(w, s.verdict(q.Max > 0))
	}
	_ = w.Flush() // into memory
	if slices.ContainsFunc(q.ByArraysize, func(s sizeForecast) bool { return strings.HasPrefix(seconds(s.Rest), "-") }) {
		fmt.Fprintln(b, "the rest is below zero: the slope of what was measured is steeper than the query can have been; measure again on a quiet link")
	}
	if q.Max > 0 {
		fmt.Fprintln(b, q.smallest())
	}
}

// verdict stands at the end of a line.
func (s sizeForecast) verdict(budgeted bool) string {
	var words string
	switch {
	case !budgeted:
		return ""
	case s.Headroom < 0:
		words = fmt.Sprintf("  over by %s", seconds(-s.Headroom))
	default:
		words = fmt.Sprintf("  holds, %s left", seconds(s.Headroom))
	}
	if s.InUse {
		words += ", in use"
	}
	return words
}

func (q queryForecast) smallest() string {
	if q.SmallestArraysize == 0 {
		return fmt.Sprintf("no arraysize holds %s, not even %d", seconds(q.Max), link.MaxArraysize)
	}
	return fmt.Sprintf("smallest arraysize that holds %s: %d", seconds(q.Max), q.SmallestArraysize)
}

// seconds keeps to one unit, so that a column can be compared. Adding 0 takes
// the sign from a zero.
func seconds(v float64) string { return fmt.Sprintf("%.3f s", math.Round(v*1e3)/1e3+0) }

func milliseconds(v float64) string { return fmt.Sprintf("%.3f ms", v*1e3) }

// tenths writes at most one decimal: only a measured slope has any.
func tenths(v float64) string { return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64) }
