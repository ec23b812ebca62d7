// The Fleet dashboard: every link at once, the worst first.

package main

//lint:file-ignore SA1019 the second schema of dashboards is not what every Grafana in use imports; the first is

import (
	"fmt"

	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/units"
)

// Probes whose failure is an outage of the link: those that run at least once
// a minute, which are what the alert on an outage reads as well.
const vital = manyLinks + `, probe=~"tcp|round_trip|pool|connect"`

// regions are what links are summed up by.
const regions = "from_region, to_region"

func fleet() *dashboard.DashboardBuilder {
	b := frame("Oracle Net fleet", fleetUID, "Every link to every Oracle database: which are down, which break a budget, which are slow, and whether all are still being measured.").
		Annotation(outages(manyLinks+`, probe="round_trip"`, linkLabels, "{{from_region}} → {{target}}: no round trip"))
	for _, v := range regionVariables() {
		b.WithVariable(v)
	}
	b.WithVariable(filters())
	fleetNow(b)
	fleetBudgets(b)
	fleetRoundTrips(b)
	fleetMeasuring(b)
	return b
}

func fleetNow(b *dashboard.DashboardBuilder) {
	known := fmt.Sprintf("count(count by (target, instance) (last_over_time(oranet_probe_runs_total{%s}[$__range])))", manyLinks)
	measured := fmt.Sprintf("count(count by (target, instance) (oranet_probe_runs_total{%s}))", manyLinks)
	b.WithRow(dashboard.NewRowBuilder("Now")).
		WithPanel(headline("Links measured",
			"Links, each a target seen from one exporter, that are being measured now.",
			units.Short, noLimit(), now("", measured))).
		WithPanel(headline("Links down",
			"Links of which a probe that runs at least once a minute failed last. The table below says in which phase and why.",
			units.Short, badFrom(1),
			now("", fmt.Sprintf("sum(min by (target, instance) (oranet_probe_success{%s}) == bool 0)", vital)))).
		WithPanel(headline("Links lost from sight",
			"Links that were measured in the time shown and are not any more: their exporter is gone, or was told to leave them. All other panels are silent about them. Look at the exporter's host first.",
			units.Short, badFrom(1),
			now("", fmt.Sprintf("%[1]s - %[2]s or %[1]s", known, measured)))).
		WithPanel(headline("Budgets that break",
			"Budgets of which a check broke the limit within 5 minutes. A round trip that fails counts as too slow.",
			units.Short, badFrom(1),
			now("", fmt.Sprintf("sum(sum by (target, instance, budget) (increase(oranet_budget_breaches_total{%s}[%s])) > bool 0)", manyLinks, recent)))).
		WithPanel(rows("What fails, and why",
			"Probes whose last run failed, with the failures of the last 10 minutes by the phase that was under way and the reason. Empty is good. The project's docs/errors.md says of each phase and reason what to do.",
			field{"Failures", units.Short, nil, fmt.Sprintf("%s and on (target, instance, probe) (oranet_probe_success{%s} == 0)",
				failures(manyLinks, linkLabels+", probe, phase, reason", minute), manyLinks)})).
		WithPanel(rows("Links",
			"Every link, the slowest first: means of the last 5 minutes (of a connect: of 30), and how much of its tightest budget it uses. A link that is down keeps no figure here beyond 5 minutes; follow its name.",
			field{"Probes that fail", units.Short, badFrom(1), fmt.Sprintf("sum by (%s) (oranet_probe_success{%s} == bool 0)", linkLabels, manyLinks)},
			field{"Last run", units.Seconds, worseFrom(60, 300), fmt.Sprintf(`max by (%s) (time() - oranet_probe_last_run_timestamp_seconds{%s, probe="round_trip"})`, linkLabels, manyLinks)},
			field{"Connect", units.Seconds, nil, histogram{"oranet_connect_seconds", manyLinks, linkLabels, slow}.mean()},
			field{"Of the budget", units.PercentUnit, worseFrom(.8, 1), fmt.Sprintf("max by (%s) (%s)", linkLabels, ofLimit(manyLinks))},
			field{"Round trip p99", units.Seconds, nil, idleRoundTrips(linkLabels, recent).quantile(.99)},
			field{"Round trip", units.Seconds, nil, idleRoundTrips(linkLabels, recent).mean()}))
}

func fleetBudgets(b *dashboard.DashboardBuilder) {
	b.WithRow(dashboard.NewRowBuilder("Budgets")).
		WithPanel(lines("Broken budgets by region",
			"Which share of all checks of budgets found the query too slow, failed round trips included, from region to region. One pair of regions: the path between them. All pairs to one region: the databases there, or what stands before them.",
			units.PercentUnit,
			series("{{from_region}} → {{to_region}}", breachShare(manyLinks, regions, fast))).Max(1)).
		WithPanel(withLines(lines("Tightest budget by region",
			"The predicted time of the budget that is nearest to its limit, as a share of that limit. From 100 % on it is broken. Raise the arraysize or bring the round trips down before it gets there. No line: no round trip succeeds.",
			units.PercentUnit,
			series("{{from_region}} → {{to_region}}", fmt.Sprintf("max by (%s) (%s)", regions, ofLimit(manyLinks)))), worseFrom(.8, 1))).
		WithPanel(bars("Who breaks budgets",
			"The 15 budgets with the largest share of broken checks in the last hour. Open the Budgets dashboard of the target and look what a larger arraysize would do.",
			units.PercentUnit, worseFrom(.001, .0144),
			now("{{target}} {{budget}} from {{instance}}", fmt.Sprintf("topk(15, %s)", breachShare(manyLinks, linkLabels+", budget", "1h")))).
			Max(1).
			Span(half)).
		WithPanel(bars("Which budgets are tight",
			"The 15 budgets whose predicted time is nearest to, or beyond, their limit, now.",
			units.PercentUnit, worseFrom(.8, 1),
			now("{{target}} {{budget}} from {{instance}}", fmt.Sprintf("topk(15, %s)", ofLimit(manyLinks)))).
			Span(half))
}

func fleetRoundTrips(b *dashboard.DashboardBuilder) {
	b.WithRow(dashboard.NewRowBuilder("Round trips and failures")).
		WithPanel(lines("Round trip p99 by region",
			"What 99 % of the round trips on idle links take at most, from region to region. A step for one pair of regions is a changed path; ask the network team with the time of the step.",
			units.Seconds,
			series("{{from_region}} → {{to_region}}", idleRoundTrips(regions, recent).quantile(.99)))).
		WithPanel(bars("Worst links",
			"The 15 links with the longest p99 of a round trip in the last 5 minutes. A link that is down is not here but above.",
			units.Seconds, noLimit(),
			now("{{target}} from {{instance}}", fmt.Sprintf("topk(15, %s)", idleRoundTrips(linkLabels, recent).quantile(.99)))).
			Span(half)).
		WithPanel(stacked("Failures by reason",
			"Failed runs in 5 minutes, over all links, by phase and reason. Many links with one reason have one cause.",
			units.Short,
			series("{{phase}}: {{reason}}", failures(manyLinks, "phase, reason", recent))).
			Span(whole))
}

func fleetMeasuring(b *dashboard.DashboardBuilder) {
	b.WithRow(dashboard.NewRowBuilder("The measuring itself")).
		WithPanel(bars("Longest since a run",
			"The 15 probes that ran the longest ago. Slow probes run every few minutes, so minutes are right for those; a fast one that is minutes old stands still: see its back-off and the exporter's log.",
			units.Seconds, worseFrom(900, 3600),
			now("{{target}} {{probe}} from {{instance}}", fmt.Sprintf("topk(15, time() - oranet_probe_last_run_timestamp_seconds{%s})", manyLinks)))).
		WithPanel(lines("Runs begin late by",
			"p99 of how long after its slot a run began: the exporter's own error. Beyond a few milliseconds its host is short of CPU, and short latencies measured there are too long.",
			units.Seconds,
			series("{{instance}}", histogram{"oranet_probe_start_delay_seconds", manyLinks, "instance", recent}.quantile(.99))).
			Span(third)).
		WithPanel(bars("Certificates expire first",
			"Days until the 15 certificates expire that do so first, of servers and of the exporters' wallets. Renew below 21; download the wallet again.",
			units.Days, badBelow(7, 21),
			now("{{target}} {{side}}", fmt.Sprintf("bottomk(15, (min by (target, side) (oranet_certificate_expiry_timestamp_seconds{%s}) - time()) / 86400)", manyLinks))))
}

// idleRoundTrips are those that no bulk transfer of ours delayed.
func idleRoundTrips(by, window string) histogram {
	return histogram{"oranet_round_trip_seconds", manyLinks + `, load="idle"`, by, window}
}

// ofLimit is the predicted time of each budget as a share of its limit.
func ofLimit(scope string) string {
	return whileUp(fmt.Sprintf("oranet_budget_predicted_seconds{%[1]s} / oranet_budget_limit_seconds{%[1]s}", scope), scope)
}
