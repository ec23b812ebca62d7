// The Budgets dashboard: whether an application's queries hold their time on
// one link, how fast they use up what may go wrong, and what another arraysize
// would do.

package main

//lint:file-ignore SA1019 the second schema of dashboards is not what every Grafana in use imports; the first is

import (
	"fmt"

	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/prometheus"
	"github.com/grafana/grafana-foundation-sdk/go/units"
)

func budgets() *dashboard.DashboardBuilder {
	b := frame("Oracle Net budgets", budgetsUID, "The time budgets of an application's queries on one link: head-room, burn, and what another arraysize would do.").
		Time("now-24h", "now").
		Annotation(outages(oneLink+`, probe="round_trip"`, "probe", "no round trip"))
	for _, v := range regionVariables() {
		b.WithVariable(v)
	}
	b.WithVariable(targetVariable()).
		WithVariable(instanceVariable()).
		WithVariable(budgetVariable()).
		WithVariable(arraysizeVariable()).
		WithVariable(objectiveVariable()).
		WithVariable(filters())
	headroom(b)
	otherArraysize(b)
	eachBudget(b)
	return b
}

func headroom(b *dashboard.DashboardBuilder) {
	b.WithRow(dashboard.NewRowBuilder("All budgets of the link")).
		WithPanel(rows("Budgets",
			"Each budget: the rows of its query, what it may take, what it takes by the model now (round trips × the last round trip, and the last fetch's other time), and that as a share of the limit. From 100 % on it is broken. No share: no round trip succeeds.",
			field{"Rows", units.Short, nil, byBudget("oranet_budget_rows{" + oneLink + "}")},
			field{"Limit", units.Seconds, nil, byBudget("oranet_budget_limit_seconds{" + oneLink + "}")},
			field{"Predicted", units.Seconds, nil, byBudget("oranet_budget_predicted_seconds{" + oneLink + "}")},
			field{"Broken checks", units.PercentUnit, worseFrom(.001, .0144), breachShare(oneLink, "target, instance, budget", "1h")},
			field{"Of the limit", units.PercentUnit, worseFrom(.8, 1), byBudget(ofLimit(oneLink))}).
			Span(half)).
		WithPanel(withLines(lines("Head-room",
			"The predicted time of each budget as a share of its limit. Where it nears 100 %, raise the arraysize before the link gets longer. It ends where round trips fail; such checks count as broken.",
			units.PercentUnit,
			series("{{budget}}", ofLimit(oneLink))), worseFrom(.8, 1))).
		WithPanel(numbers("Left of what may go wrong",
			"What is left of the broken checks that the objective allows in the time shown. At 0 % it is missed in that time. Choose 30 days to see what the alerts are about.",
			units.PercentUnit, badBelow(.001, .25),
			now("{{budget}}", "clamp_min(1 - "+burn(oneLink, "$__range")+", 0)")).
			Span(whole).
			Height(low))
}

// otherArraysize is one panel for each arraysize that the fetch probe measures.
func otherArraysize(b *dashboard.DashboardBuilder) {
	b.WithRow(dashboard.NewRowBuilder("What another arraysize would do")).
		WithPanel(bars("With an arraysize of $arraysize",
			"The share of its limit that each budget would take if its query asked for that many rows at a time: (rows ÷ arraysize + 1) round trips at the mean of the last 5 minutes, and per row the other time of the fetch probe's fetches at that arraysize. Choose the smallest arraysize that is green: a larger one costs the client memory.",
			units.PercentUnit, worseFrom(.8, 1),
			now("{{budget}}", predictedWith("$arraysize"))).
			Repeat("arraysize").
			RepeatDirection(dashboard.PanelRepeatDirectionH).
			MaxPerRow(4).
			Height(medium))
}

// eachBudget is one row of panels for each budget.
func eachBudget(b *dashboard.DashboardBuilder) {
	elapsed := histogram{"oranet_budget_elapsed_seconds", oneBudget, "", recent}
	b.WithRow(dashboard.NewRowBuilder("$budget").Repeat("budget")).
		WithPanel(density("$budget: elapsed",
			"How the predicted times of the query are spread. The limit is an edge of the buckets: all above it are broken. An outage leaves a gap, as a failed round trip predicts nothing.",
			units.Seconds,
			histogram{"oranet_budget_elapsed_seconds", oneBudget, "", fast})).
		WithPanel(limitFrom(lines("$budget: elapsed against its limit",
			"Median and p99 of the predicted time over 5 minutes; the dashed line is the limit as configured. Only p99 above it: jitter or loss on the link. Both: the link is too long for this arraysize.",
			units.Seconds,
			quantile("elapsed", .5, elapsed),
			quantile("elapsed", .99, elapsed),
			series("limit", "max(oranet_budget_limit_seconds{"+oneBudget+"})")), "C", "limit")).
		WithPanel(withLines(lines("$budget: burn rate, windows that page",
			"How many times faster than the objective allows checks break, failed round trips included. 1 uses up exactly what 30 days allow. Both windows of a pair above their limit wake somebody: 5 m and 1 h above 14.4, 30 m and 6 h above 6.",
			units.Short,
			burnRates("5m", "30m", "1h", "6h")...), worseFrom(6, 14.4))).
		WithPanel(withLines(lines("$budget: burn rate, windows that make a ticket",
			"The same, slower: 2 h and 1 d above 3, 6 h and 3 d above 1. It burns, but not tonight: raise the arraysize, or agree on another limit.",
			units.Short,
			burnRates("2h", "6h", "1d", "3d")...), worseFrom(1, 3)))
}

func burnRates(windows ...string) []*prometheus.DataqueryBuilder {
	var list []*prometheus.DataqueryBuilder
	for _, window := range windows {
		list = append(list, series(window, burn(oneBudget, window)))
	}
	return list
}

// burn is the share of broken checks as a multiple of what the objective allows.
func burn(scope, window string) string {
	return fmt.Sprintf("(%s) / (1 - $objective / 100)", breachShare(scope, "budget", window))
}

func byBudget(expr string) string {
	return fmt.Sprintf("max by (target, instance, budget) (%s)", expr)
}

// predictedWith is the model of the exporter with another arraysize, as a share
// of the limit. The work beside the network is what the fetch probe measured at
// that arraysize, by row.
func predictedWith(arraysize string) string {
	rows := "oranet_budget_rows{" + oneLink + "}"
	const on = "* on (target, instance) group_left ()"
	trips := fmt.Sprintf("(floor(%s / %s) + 1) %s (%s)", rows, arraysize, on,
		histogram{"oranet_round_trip_seconds", oneLink + `, load="idle"`, "target, instance", recent}.mean())
	fetches := oneLink + `, arraysize="` + arraysize + `"`
	perRow := fmt.Sprintf("(%s) / sum by (target, instance) (rate(oranet_fetch_rows_total{%s}[%s]))",
		histogram{"oranet_fetch_component_seconds", fetches + `, component!="network"`, "target, instance", slow}.perSecond(), fetches, slow)
	return fmt.Sprintf("(%s + %s %s (%s)) / oranet_budget_limit_seconds{%s}", trips, rows, on, perRow, oneLink)
}
