// Queries that more than one panel needs.

package main

import (
	"fmt"

	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/cog/variants"
	"github.com/grafana/grafana-foundation-sdk/go/prometheus"
)

// Windows of the rates. The probes that run every 2 seconds fill whatever
// window Grafana derives from the scrape interval and the zoom; those that run
// once a minute or once in 5 minutes need one that holds several runs.
const (
	fast   = "$__rate_interval"
	recent = "5m"
	minute = "10m"
	slow   = "30m"
)

// linkLabels are what tells links apart.
const linkLabels = "from_region, to_region, target, instance"

// series is one query over the time range, and the name its result has in the
// legend.
func series(legend, expr string) *prometheus.DataqueryBuilder {
	return prometheus.NewDataqueryBuilder().
		Datasource(source).
		Expr(expr).
		LegendFormat(legend).
		Range()
}

// now is one query at the end of the time range.
func now(legend, expr string) *prometheus.DataqueryBuilder {
	return prometheus.NewDataqueryBuilder().
		Datasource(source).
		Expr(expr).
		LegendFormat(legend).
		Instant()
}

// column is a query at the end of the time range whose values are a column of
// a table.
func column(expr string) *prometheus.DataqueryBuilder {
	return now("", expr).Format(prometheus.PromQueryFormatTable)
}

// failures counts failed runs in a window, by labels. The series of a failure
// begins at 1 when the first of its kind is seen, which increase() does not
// count; so a series that was not there before the window counts in full.
func failures(scope, by, window string) string {
	failed := "oranet_probe_failures_total{" + scope + "}"
	return fmt.Sprintf("sum by (%s) ((%[2]s unless %[2]s offset %[3]s) or increase(%[2]s[%[3]s]))", by, failed, window)
}

// whileUp leaves out what a gauge keeps of the last success while the probe
// round_trip, which sets it, fails.
func whileUp(expr, scope string) string {
	return fmt.Sprintf(`%s and on (target, instance) (oranet_probe_success{%s, probe="round_trip"} == 1)`, expr, scope)
}

// breachShare is which share of the checks were breaches, failures included.
func breachShare(scope, by, window string) string {
	return fmt.Sprintf("sum by (%[1]s) (rate(oranet_budget_breaches_total{%[2]s}[%[3]s])) / sum by (%[1]s) (rate(oranet_budget_checks_total{%[2]s}[%[3]s]))",
		by, scope, window)
}

// targets names the queries of a panel A, B, C…
func targets(queries []*prometheus.DataqueryBuilder) []cog.Builder[variants.Dataquery] {
	named := make([]cog.Builder[variants.Dataquery], len(queries))
	for i, q := range queries {
		named[i] = q.RefId(string(rune('A' + i)))
	}
	return named
}
