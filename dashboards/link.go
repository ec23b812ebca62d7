// The Link dashboard: everything that is measured of one link, from whether it is
// up to what the measuring itself puts on it.

package main

//lint:file-ignore SA1019 the second schema of dashboards is not what every Grafana in use imports; the first is

import (
	"fmt"

	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/prometheus"
	"github.com/grafana/grafana-foundation-sdk/go/units"
)

func link() *dashboard.DashboardBuilder {
	b := frame("Oracle Net link", linkUID, "One link to an Oracle database: where its time goes.").
		Annotation(outages(oneLink, "probe", "{{probe}} fails"))
	for _, v := range regionVariables() {
		b.WithVariable(v)
	}
	b.WithVariable(targetVariable()).
		WithVariable(instanceVariable()).
		WithVariable(filters())
	health(b)
	roundTrip(b)
	connect(b)
	pool(b)
	fetch(b)
	measuring(b)
	return b
}

func health(b *dashboard.DashboardBuilder) {
	b.WithRow(dashboard.NewRowBuilder("Health")).
		WithPanel(states("Success by probe",
			"The outcome of each probe's last run, and whether Prometheus could scrape the exporter. A failed run adds nothing to a latency histogram, so an outage shows here and as a red mark in the panels below, not in their lines.",
			"succeeded", "failed",
			series("{{probe}}", selected("oranet_probe_success", "")),
			series("scrape", `max(up{instance="$instance"})`))).
		WithPanel(stacked("Failures by phase and reason",
			"Failed runs in a few scrapes, by the phase of the link that was under way and by reason. The project's docs/errors.md says of each what to do.",
			units.Short,
			series("{{phase}}: {{reason}}", failures(oneLink, "phase, reason", fast))).
			Span(third)).
		WithPanel(numbers("Certificates expire in",
			"Days until the earliest certificate of each side expires: the server's chain as it was presented, the client's as it is in the wallet. Below 21, have it renewed and fetch the wallet again. A link without TLS has none.",
			units.Days, badBelow(7, 21),
			now("{{side}} {{subject}}", `(`+selected("oranet_certificate_expiry_timestamp_seconds", "")+` - time()) / 86400`)))
}

func roundTrip(b *dashboard.DashboardBuilder) {
	b.WithRow(dashboard.NewRowBuilder("Round trip")).
		WithPanel(density("Round trips, idle link",
			"How long one SQL*Net round trip takes on a held session while none of our own bulk transfers is on the link. Darker: more of them. Two bands are two paths or two nodes.",
			units.Seconds,
			observed("oranet_round_trip_seconds", `load="idle"`, "", fast))).
		WithPanel(density("Round trips beside a bulk transfer",
			"The same while the fetch probe moves rows: what a transfer does to everyone else. Far longer than on the idle link: a queue on the path is too deep, or the bandwidth is used up.",
			units.Seconds,
			observed("oranet_round_trip_seconds", `load="bulk"`, "", recent))).
		WithPanel(lines("End to end against kernel and TCP connect",
			"One SQL*Net round trip beside what the kernel sees on the same socket and one TCP connect, which goes to the listener or gateway only. All longer: the network. Only the round trip longer: the server, or what is behind the gateway.",
			units.Seconds,
			mean("round trip, mean", observed("oranet_round_trip_seconds", `load="idle"`, "", recent)),
			quantile("round trip", .99, observed("oranet_round_trip_seconds", `load="idle"`, "", recent)),
			mean("TCP connect, mean", observed("oranet_tcp_connect_seconds", "", "", recent)),
			quantile("TCP connect", .99, observed("oranet_tcp_connect_seconds", "", "", recent)),
			series("kernel, smoothed", whileUp(selected("oranet_tcp_rtt_seconds", ""), oneLink)),
			series("kernel, shortest", whileUp(selected("oranet_tcp_min_rtt_seconds", ""), oneLink)))).
		WithPanel(lines("Retransmitted segments",
			"Segments that this host sent again on the held session, in 10 minutes. A few a day are normal; a steady number is loss on the path, and each costs at least 200 ms.",
			units.Short,
			series("retransmitted", "increase("+selected("oranet_tcp_retransmits_total", "")+"["+minute+"])")))
}

func connect(b *dashboard.DashboardBuilder) {
	b.WithRow(dashboard.NewRowBuilder("Connect and SDU")).
		WithPanel(stacked("Cold connect by phase",
			"Mean time of each phase of a connection that is opened cold, name to usable session, over 10 minutes. An application that connects for each request pays all of it each time: give it a pool. resolve: the name server; tcp: the network; tls and auth: CPU on either side.",
			units.Seconds,
			mean("{{phase}}", observed("oranet_connect_phase_seconds", "", "phase", minute))).
			Span(third)).
		WithPanel(lines("Cold connect",
			"The whole connect, and the share of it that the network decides: its round trips at what one TCP connect takes. If that is most of it, the distance is what costs.",
			units.Seconds,
			mean("connect, mean", observed("oranet_connect_seconds", "", "", minute)),
			quantile("connect", .99, observed("oranet_connect_seconds", "", "", minute)),
			series("its round trips", fmt.Sprintf("max(%s) * (%s)", selected("oranet_connect_round_trips", ""),
				observed("oranet_tcp_connect_seconds", "", "", minute).mean()))).
			Span(third)).
		WithPanel(bars("SDU, asked and given",
			"Session data unit that the listener granted, for each size asked for. The smaller of the two sides' limits is what both use. It hardly changes what a fetch takes; a change since last week says that another listener answers.",
			units.BytesIEC, noLimit(),
			now("asked {{requested}}", selected("oranet_sdu_negotiated_bytes", ""))))
}

func pool(b *dashboard.DashboardBuilder) {
	b.WithRow(dashboard.NewRowBuilder("Session pool, and where sessions land")).
		WithPanel(lines("Session pool",
			"What an application with a session pool pays: acquiring a session from a warm pool, and acquire, one row and release together, over 10 minutes. An acquire takes well under 1 ms; more is a shortage of CPU here.",
			units.Seconds,
			quantile("acquire", .5, observed("oranet_pool_acquire_seconds", "", "", minute)),
			quantile("acquire", .99, observed("oranet_pool_acquire_seconds", "", "", minute)),
			quantile("query", .5, observed("oranet_pool_query_seconds", "", "", minute)),
			quantile("query", .99, observed("oranet_pool_query_seconds", "", "", minute))).
			Span(third)).
		WithPanel(stacked("Pooled query by component",
			"Mean of acquire, one row and release, taken apart, over 10 minutes. network: the distance; server: the database; transfer and client hardly show for one row.",
			units.Seconds,
			mean("{{component}}", observed("oranet_pool_query_component_seconds", "", "component", minute))).
			Span(third)).
		WithPanel(numbers("Where the last session landed",
			"Instance, host, service and version of the last session. Another instance than yesterday may be another node, and another distance.",
			units.Short, noLimit(),
			now("{{instance_name}} on {{server_host}} at {{address}}, {{service_name}}, {{version}}",
				"max by (instance_name, server_host, service_name, version, address) ("+selected("oranet_session_info", "")+")")))
}

func fetch(b *dashboard.DashboardBuilder) {
	b.WithRow(dashboard.NewRowBuilder("Fetch")).
		WithPanel(composition("Where a fetch spends its time, by arraysize",
			"Mean of the fetches of the last 30 minutes, taken apart. network shrinks with a larger arraysize and nothing else does: raise it while network is the largest part. server: tune the query; transfer: the bandwidth; client: this host's CPU.",
			units.Seconds, "arraysize", "component",
			column(observed("oranet_fetch_component_seconds", "", "arraysize, component", slow).mean()))).
		WithPanel(lines("Fetch by arraysize",
			"Mean time from the execute to the last row of the same rows, by the number of rows that one round trip asks for, over 30 minutes.",
			units.Seconds,
			mean("{{arraysize}}", observed("oranet_fetch_seconds", "", "arraysize", slow)))).
		WithPanel(lines("Throughput of a fetch by arraysize",
			"Mean of the bytes received divided by the time of the fetch, over 30 minutes. The largest arraysize comes nearest to what the path carries; if that one falls, look at the receive buffer and at retransmits.",
			units.BytesPerSecondSI,
			mean("{{arraysize}}", observed("oranet_fetch_throughput_bytes_per_second", "", "arraysize", slow))).
			Span(third)).
		WithPanel(lines("Round trips of a fetch by arraysize",
			"Round trips of the last fetch, counted on the socket: rows ÷ arraysize + 1. Each of them costs the round-trip time. More than that: the driver splits what it asks for.",
			units.Short,
			series("{{arraysize}}", selected("oranet_fetch_round_trips", ""))).
			Span(third)).
		WithPanel(lines("Socket buffers",
			"Buffers of the fetch probe's last session, after its logon and after its last row. The kernel raises the receive buffer as needed; one that stays below bandwidth × round-trip time limits the throughput: look at net.ipv4.tcp_rmem, and leave RECV_BUF_SIZE alone.",
			units.BytesIEC,
			series("{{direction}}, after {{moment}}", selected("oranet_socket_buffer_bytes", ""))).
			Span(third))
}

func measuring(b *dashboard.DashboardBuilder) {
	b.WithRow(dashboard.NewRowBuilder("The measuring itself")).
		WithPanel(lines("Bytes that the probes put on the link",
			"Every byte that this exporter sends and receives, by probe, over 10 minutes: the cost of measuring. Too much: a longer interval or fewer rows of the fetch probe.",
			units.BytesPerSecondSI,
			series("{{probe}} {{direction}}", "sum by (probe, direction) (rate("+selected("oranet_link_bytes_total", "")+"["+minute+"]))")).
			Span(third)).
		WithPanel(lines("Since the last run",
			"Time since each probe's last run ended. It rises to the probe's interval and falls to 0; a line that only rises is a probe that stands still, and all its figures are that old.",
			units.Seconds,
			series("{{probe}}", "time() - "+selected("oranet_probe_last_run_timestamp_seconds", ""))).
			Span(third)).
		WithPanel(lines("Runs begin late by",
			"How long after its slot a run began. Beyond a few milliseconds the exporter's host is short of CPU, and short latencies measured meanwhile are too long.",
			units.Seconds,
			quantile("late by", .5, observed("oranet_probe_start_delay_seconds", "", "", recent)),
			quantile("late by", .99, observed("oranet_probe_start_delay_seconds", "", "", recent))).
			Span(third)).
		WithPanel(stacked("Runs that did not happen or were disturbed",
			"In 10 minutes. missed: the run before was still on, or waited for another; allowance: a heavy probe had used up its bytes or logons for the hour; disturbed: this process did not get to run for part of the run's time, so the latency is partly the host's.",
			units.Short,
			series("missed: {{probe}}", inTenMinutes("oranet_probe_missed_total", "probe")),
			series("allowance of {{resource}}: {{probe}}", inTenMinutes("oranet_probe_allowance_exhausted_total", "probe, resource")),
			series("disturbed by {{cause}}: {{probe}}", inTenMinutes("oranet_probe_disturbed_total", "probe, cause")))).
		WithPanel(lines("Held back for",
			"What is left of the time for which a probe is held back, because retrying would make things worse: a password that is wrong would lock the account. Set the user's password right, then reload; without an end, nothing but a reload ends it.",
			units.Seconds,
			series("{{probe}}", selected("oranet_probe_backoff_seconds", ""))))
}

// selected is the metric of the chosen link; matchers may be empty.
func selected(metric, matchers string) string {
	return metric + "{" + and(oneLink, matchers) + "}"
}

// observed is a histogram of the chosen link; matchers and by may be empty.
func observed(metric, matchers, by, window string) histogram {
	return histogram{metric, and(oneLink, matchers), by, window}
}

func and(scope, matchers string) string {
	if matchers == "" {
		return scope
	}
	return scope + ", " + matchers
}

func inTenMinutes(counter, by string) string {
	return fmt.Sprintf("sum by (%s) (increase(%s[%s]))", by, selected(counter, ""), minute)
}

func quantile(legend string, q float64, h histogram) *prometheus.DataqueryBuilder {
	return series(fmt.Sprintf("%s p%.0f", legend, q*100), h.quantile(q))
}

func mean(legend string, h histogram) *prometheus.DataqueryBuilder {
	return series(legend, h.mean())
}
