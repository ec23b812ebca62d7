// Queries that more than one panel needs.
//
// They read the classic form of the histograms: every Prometheus scrapes it, and
// its bucket limits are exact.

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
	minute = "10m"
	slow   = "30m"
)

// series is one query of a panel, and the name its result has in the legend.
func series(legend, format string, args ...any) *prometheus.DataqueryBuilder {
	return prometheus.NewDataqueryBuilder().
		Datasource(source).
		Expr(fmt.Sprintf(format, args...)).
		LegendFormat(legend).
		Range()
}

// quantile is a quantile of a histogram over a window; matchers select its
// series within the chosen link and may be empty.
func quantile(q float64, metric, matchers, window string) *prometheus.DataqueryBuilder {
	return series(fmt.Sprintf("%s p%.0f", metric, q*100),
		`histogram_quantile(%g, sum by (le) (rate(oranet_%s_seconds_bucket{%s%s}[%s])))`, q, metric, chosen, matchers, window)
}

// mean is the mean of a histogram's observations over a window, by one label.
func mean(metric, label, window string) *prometheus.DataqueryBuilder {
	return series("{{"+label+"}}",
		`sum by (%[2]s) (rate(oranet_%[1]s_sum{%[3]s}[%[4]s])) / sum by (%[2]s) (rate(oranet_%[1]s_count{%[3]s}[%[4]s]))`,
		metric, label, chosen, window)
}

// targets names the queries of a panel A, B, C…
func targets(queries []*prometheus.DataqueryBuilder) []cog.Builder[variants.Dataquery] {
	named := make([]cog.Builder[variants.Dataquery], len(queries))
	for i, q := range queries {
		named[i] = q.RefId(string(rune('A' + i)))
	}
	return named
}
