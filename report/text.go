// The report for a person.

package report

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"
	"time"

	"oranet_exporter/link/text"
)

// Text writes the report as a person reads it.
func (r *Report) Text(w io.Writer) error {
	var b strings.Builder
	for i, t := range r.Targets {
		if i > 0 {
			b.WriteString("\n")
		}
		t.text(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (t Target) text(b *strings.Builder) {
	fmt.Fprintf(b, "%s (%s)\n", t.Name, text.Printable(t.DSN))
	line := func(name, format string, args ...any) {
		fmt.Fprintf(b, "  %-12s %s\n", name, text.Printable(fmt.Sprintf(format, args...)))
	}
	if v, ok := t.value("tcp_connect_seconds"); ok {
		line("TCP connect", "%s", duration(v))
	}
	for _, load := range t.labels("round_trip_seconds") {
		v, _ := t.value("round_trip_seconds", load)
		line("round trip", "%s, link %s", duration(v), load)
	}
	if acquire, ok := t.value("pool_acquire_seconds"); ok {
		query, _ := t.value("pool_query_seconds")
		line("pool", "acquire %s; acquire, one row and release %s", duration(acquire), duration(query))
		if parts := t.parts("pool_query_component_seconds"); parts != "" {
			line("", "%s", parts)
		}
	}
	t.connect(line)
	if granted := t.granted(); granted != "" {
		line("SDU", "%s", granted)
	}
	t.session(line)
	t.fetches(b)
	t.certificates(line)
	t.password(line)
	for _, result := range t.Results {
		if d := result.Disturbed; d.Cause != "" {
			line("disturbed", "%s: this process did not run for %s (%s), which may show in its figures", result.Probe, duration(d.Late.Seconds()), d.Cause)
		}
		if f := result.Failure; f != nil {
			line("FAILED", "%s after %s: reason %s: %v", result.Probe, duration(result.Duration.Seconds()), f.Reason, f)
		}
	}
}

func (t Target) connect(line func(string, string, ...any)) {
	for _, server := range t.labels("connect_seconds") {
		seconds, _ := t.value("connect_seconds", server)
		trips, _ := t.value("connect_round_trips")
		line("connect", "%s in %.0f round trips (server: %s)", duration(seconds), trips, server)
	}
	if phases := t.parts("connect_phase_seconds"); phases != "" {
		line("", "%s", phases)
	}
}

// parts lists a time's parts, which the metric's first label names.
func (t Target) parts(metric string) string {
	var list []string
	for _, part := range t.labels(metric) {
		v, _ := t.value(metric, part)
		list = append(list, part+" "+duration(v))
	}
	return strings.Join(list, ", ")
}

func (t Target) granted() string {
	var list []string
	for _, requested := range t.labels("sdu_negotiated_bytes") {
		granted, _ := t.value("sdu_negotiated_bytes", requested)
		list = append(list, fmt.Sprintf("%s → %.0f", requested, granted))
	}
	return strings.Join(list, ", ")
}

func (t Target) session(line func(string, string, ...any)) {
	for _, result := range t.Results {
		for _, s := range result.Samples {
			if s.Metric.Name == "session_info" {
				line("landed on", "instance %s on %s at %s, service %s, release %s", s.Values[0], s.Values[1], s.Values[4], s.Values[2], s.Values[3])
			}
		}
	}
}

// fetches prints the table of arraysizes: what each costs and where the time goes.
func (t Target) fetches(b *strings.Builder) {
	sizes := t.labels("fetch_seconds")
	if len(sizes) == 0 {
		return
	}
	rows, _ := t.value("fetch_rows_total", sizes[0])
	fmt.Fprintf(b, "  fetch of %.0f rows, execute to last row\n", rows)
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\tarraysize\tround trips\trows/trip\telapsed\tMB/s\tnetwork\tserver\ttransfer\tclient\t")
	for _, size := range sizes {
		elapsed, _ := t.value("fetch_seconds", size)
		trips, _ := t.value("fetch_round_trips", size)
		perTrip, _ := t.value("fetch_rows_per_round_trip", size)
		throughput, _ := t.value("fetch_throughput_bytes_per_second", size)
		fmt.Fprintf(w, "\t%s\t%.0f\t%.1f\t%s\t%.1f\t", size, trips, perTrip, duration(elapsed), throughput/1e6)
		for _, component := range []string{"network", "server", "transfer", "client"} {
			v, _ := t.value("fetch_component_seconds", size, component)
			fmt.Fprintf(w, "%s\t", duration(v))
		}
		fmt.Fprintln(w)
	}
	_ = w.Flush() // into memory
}

func (t Target) certificates(line func(string, string, ...any)) {
	seen := make(map[string]bool)
	for _, result := range t.Results {
		for _, s := range result.Samples {
			if s.Metric.Name != "certificate_expiry_timestamp_seconds" || seen[s.Values[0]] {
				continue
			}
			seen[s.Values[0]] = true
			last := time.Unix(int64(s.Value), 0).UTC()
			line("certificate", "%s, %s, until %s", s.Values[0], s.Values[1], last.Format(time.DateOnly))
		}
	}
}

func (t Target) password(line func(string, string, ...any)) {
	expiry, known := t.value("password_expiry_timestamp_seconds")
	switch {
	case !known:
	case math.IsInf(expiry, 1):
		line("password", "never expires")
	default:
		line("password", "until %s", time.Unix(int64(expiry), 0).UTC().Format(time.DateOnly))
	}
}

// duration prints seconds with three figures, in the unit that suits them.
func duration(seconds float64) string {
	switch {
	case seconds < 1e-3:
		return figures(seconds*1e6) + " µs"
	case seconds < 1:
		return figures(seconds*1e3) + " ms"
	}
	return figures(seconds) + " s"
}

func figures(v float64) string {
	switch {
	case v < 10:
		return fmt.Sprintf("%.2f", v)
	case v < 100:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.0f", v)
}
