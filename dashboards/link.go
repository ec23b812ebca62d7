// The Link dashboard: everything that is measured of one link, from whether it is
// up to what the measuring itself puts on it.

package main

//lint:file-ignore SA1019 the second schema of dashboards is not what every Grafana in use imports; the first is

import (
	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/units"
)

func link() *dashboard.DashboardBuilder {
	b := dashboard.NewDashboardBuilder("Oracle Net link").
		Uid("oranet-link").
		Description("One link to an Oracle database: where its time goes.").
		Tags([]string{"oranet"}).
		Readonly().
		Tooltip(dashboard.DashboardCursorSyncCrosshair).
		Time("now-3h", "now").
		Refresh("30s").
		WithVariable(datasourceVariable()).
		WithVariable(targetVariable()).
		WithVariable(instanceVariable())
	health(b)
	roundTrip(b)
	connect(b)
	fetch(b)
	return b
}

func health(b *dashboard.DashboardBuilder) {
	b.WithRow(dashboard.NewRowBuilder("Health")).
		WithPanel(states("Success by probe",
			"The outcome of each probe's last run. A failed run adds nothing to a latency histogram, so an outage shows here, not there.",
			"succeeded", "failed",
			series("{{probe}}", `oranet_probe_success{%s}`, chosen))).
		WithPanel(stacked("Failures by phase and reason",
			"Failed runs, by the phase of the link that was under way and by reason. The first failure of its kind makes the series and is not counted as an increase.",
			units.Short,
			series("{{phase}}: {{reason}}", `sum by (phase, reason) (increase(oranet_probe_failures_total{%s}[%s]))`, chosen, fast)).
			Span(third)).
		WithPanel(numbers("Certificates expire in",
			"Days until the earliest certificate of each side expires: the server's chain as it was presented, the client's as it is in the wallet.",
			units.Days,
			[]dashboard.Threshold{
				{Color: "red"},
				{Color: "orange", Value: cog.ToPtr(7.0)},
				{Color: "green", Value: cog.ToPtr(21.0)},
			},
			series("{{side}} {{subject}}", `(oranet_certificate_expiry_timestamp_seconds{%s} - time()) / 86400`, chosen)))
}

func roundTrip(b *dashboard.DashboardBuilder) {
	b.WithRow(dashboard.NewRowBuilder("Round trip")).
		WithPanel(density("Round trips, idle link",
			"How long one SQL*Net round trip takes on a held session while none of our own bulk transfers is on the link. Darker: more of them.",
			units.Seconds,
			series("{{le}}", `sum by (le) (increase(oranet_round_trip_seconds_bucket{%s, load="idle"}[%s]))`, chosen, fast))).
		WithPanel(lines("Round trip and TCP connect",
			"One SQL*Net round trip, end to end, beside one TCP connect, which is the network's round trip to the listener or gateway alone. What lies between them is TLS, the way behind the gateway, and the server.",
			units.Seconds,
			quantile(0.5, "round_trip", `, load="idle"`, fast),
			quantile(0.99, "round_trip", `, load="idle"`, fast),
			quantile(0.5, "tcp_connect", "", fast),
			quantile(0.99, "tcp_connect", "", fast)))
}

func connect(b *dashboard.DashboardBuilder) {
	b.WithRow(dashboard.NewRowBuilder("Connect, pool and SDU")).
		WithPanel(stacked("Cold connect by phase",
			"Mean time of each phase of a connection that is opened cold, name to usable session, over 10 minutes. An application that connects for each request pays all of it each time.",
			units.Seconds,
			mean("connect_phase_seconds", "phase", minute)).
			Span(third)).
		WithPanel(lines("Session pool",
			"What an application with a session pool pays: acquiring a session from a warm pool, and acquire, one row and release together; over 10 minutes.",
			units.Seconds,
			quantile(0.5, "pool_acquire", "", minute),
			quantile(0.99, "pool_acquire", "", minute),
			quantile(0.5, "pool_query", "", minute),
			quantile(0.99, "pool_query", "", minute)).
			Span(third)).
		WithPanel(bars("SDU, asked and given",
			"Session data unit that the listener granted, for each size asked for. The smaller of the two sides' limits is what both use.",
			units.BytesIEC,
			series("asked {{requested}}", `oranet_sdu_negotiated_bytes{%s}`, chosen)))
}

func fetch(b *dashboard.DashboardBuilder) {
	b.WithRow(dashboard.NewRowBuilder("Fetch, and what measuring costs")).
		WithPanel(lines("Fetch by arraysize",
			"Mean time from the execute to the last row of the same rows, by the number of rows that one round trip asks for, over 30 minutes.",
			units.Seconds,
			mean("fetch_seconds", "arraysize", slow))).
		WithPanel(lines("Round trips of a fetch by arraysize",
			"Round trips of the last fetch, counted on the socket. Each of them costs the round-trip time.",
			units.Short,
			series("{{arraysize}}", `oranet_fetch_round_trips{%s}`, chosen))).
		WithPanel(lines("Throughput of a fetch by arraysize",
			"Mean of the bytes received divided by the time of the fetch, over 30 minutes.",
			units.BytesPerSecondSI,
			mean("fetch_throughput_bytes_per_second", "arraysize", slow))).
		WithPanel(lines("Bytes that the probes put on the link",
			"Every byte that this exporter sends and receives, by probe: the cost of measuring.",
			units.BytesPerSecondSI,
			series("{{probe}} {{direction}}", `sum by (probe, direction) (rate(oranet_link_bytes_total{%s}[%s]))`, chosen, minute)))
}
