// The metrics behind the pages: each figure names its own, and each is found
// among a run's samples by its name and its labels, as in a query.

package status

import (
	"slices"

	"oranet_exporter/probes"
)

// Metric names a metric family, without the prefix.
type Metric string

// The families that the pages read.
const (
	roundTripSeconds    Metric = "round_trip_seconds"
	connectSeconds      Metric = "connect_seconds"
	connectPhaseSeconds Metric = "connect_phase_seconds"
	connectRoundTrips   Metric = "connect_round_trips"
	sessionInfo         Metric = "session_info"
	poolAcquireSeconds  Metric = "pool_acquire_seconds"
	sduNegotiatedBytes  Metric = "sdu_negotiated_bytes"
	fetchSeconds        Metric = "fetch_seconds"
	fetchComponent      Metric = "fetch_component_seconds"
	fetchRoundTrips     Metric = "fetch_round_trips"
	fetchRowsTotal      Metric = "fetch_rows_total"
	fetchThroughput     Metric = "fetch_throughput_bytes_per_second"
	passwordExpiry      Metric = "password_expiry_timestamp_seconds"
	certificateExpiry   Metric = "certificate_expiry_timestamp_seconds"
	budgetLimit         Metric = "budget_limit_seconds"
	budgetPredicted     Metric = "budget_predicted_seconds"
	budgetChecks        Metric = "budget_checks_total"
	budgetBreaches      Metric = "budget_breaches_total"
	probeSuccess        Metric = "probe_success"
	probeFailures       Metric = "probe_failures_total"
	probeDisturbed      Metric = "probe_disturbed_total"
	probeBackoff        Metric = "probe_backoff_seconds"
	probeLastRun        Metric = "probe_last_run_timestamp_seconds"
	allowanceExhausted  Metric = "probe_allowance_exhausted_total"
)

// Metrics are the families that the pages read, so that a test can look for
// each in the registry.
var Metrics = []Metric{roundTripSeconds, connectSeconds, connectPhaseSeconds, connectRoundTrips, sessionInfo,
	poolAcquireSeconds, sduNegotiatedBytes, fetchSeconds, fetchComponent, fetchRoundTrips, fetchRowsTotal,
	fetchThroughput, certificateExpiry, passwordExpiry, budgetLimit, budgetPredicted, budgetChecks, budgetBreaches, probeSuccess,
	probeFailures, probeDisturbed, probeBackoff, probeLastRun, allowanceExhausted}

// samples are what a run recorded.
type samples []probes.Sample

// of returns those of one family, in the order in which they were recorded.
func (s samples) of(m Metric) samples {
	var found samples
	for _, one := range s {
		if Metric(one.Metric.Name) == m {
			found = append(found, one)
		}
	}
	return found
}

// with returns those whose label has that value.
func (s samples) with(name, value string) samples {
	var found samples
	for _, one := range s {
		if label(one, name) == value {
			found = append(found, one)
		}
	}
	return found
}

// figure is the first sample as a figure of m; none if there is none.
func (s samples) figure(m Metric, format func(float64) (text, unit string)) Figure {
	of := s.of(m)
	if len(of) == 0 {
		return Figure{Metric: m}
	}
	return newFigure(m, of[0].Value, format)
}

// label is the value of a sample's label, empty if it has none of that name.
func label(s probes.Sample, name string) string {
	if i := slices.Index(s.Metric.Labels, name); i >= 0 && i < len(s.Values) {
		return s.Values[i]
	}
	return ""
}

// Figure is one value on a page and the metric that it is of.
type Figure struct {
	Metric Metric
	Text   string // empty: nothing was measured
	Unit   string
}

func newFigure(m Metric, value float64, format func(float64) (text, unit string)) Figure {
	text, unit := format(value)
	return Figure{Metric: m, Text: text, Unit: unit}
}

// String is the figure with its unit.
func (f Figure) String() string {
	switch {
	case f.Text == "":
		return "not measured"
	case f.Unit == "":
		return f.Text
	}
	return f.Text + " " + f.Unit
}
