// The metrics of every run, whichever probe it was, and of the exporter.

package exporter

import (
	"slices"
	"time"

	"oranet_exporter/probes"
)

// Namespace is the prefix of every metric.
const Namespace = "oranet_"

var (
	probeSuccess = &probes.Metric{
		Name:   "probe_success",
		Help:   "Whether the last run succeeded, 1 or 0.",
		Kind:   probes.Gauge,
		Labels: []string{"probe"},
	}
	probeDuration = &probes.Metric{
		Name:    "probe_duration_seconds",
		Help:    "Time of a successful run, from its start to its end.",
		Kind:    probes.Histogram,
		Labels:  []string{"probe"},
		Buckets: []float64{100e-6, 200e-6, 500e-6, 1e-3, 2e-3, 5e-3, .01, .02, .05, .1, .2, .5, 1, 2, 5, 10, 20, 50, 100},
	}
	probeRuns = &probes.Metric{
		Name:   "probe_runs_total",
		Help:   "Runs that started, counted when they ended.",
		Kind:   probes.Counter,
		Labels: []string{"probe"},
	}
	probeFailures = &probes.Metric{
		Name:   "probe_failures_total",
		Help:   "Runs that failed, by the phase that was under way and the reason.",
		Kind:   probes.Counter,
		Labels: []string{"probe", "phase", "reason"},
	}
	probeMissed = &probes.Metric{
		Name:   "probe_missed_total",
		Help:   "Slots in which no run could start: the previous one was still on, or waited for another heavy probe.",
		Kind:   probes.Counter,
		Labels: []string{"probe"},
	}
	probeStartDelay = &probes.Metric{
		Name:    "probe_start_delay_seconds",
		Help:    "How long after its slot a run started: the scheduler's own error.",
		Kind:    probes.Histogram,
		Buckets: []float64{10e-6, 20e-6, 50e-6, 100e-6, 200e-6, 500e-6, 1e-3, 2e-3, 5e-3, .01, .02, .05, .1, .2, .5, 1, 10, 100, 1000},
	}
	probeLastRun = &probes.Metric{
		Name:   "probe_last_run_timestamp_seconds",
		Help:   "When the last run ended.",
		Kind:   probes.Gauge,
		Labels: []string{"probe"},
	}
	probeLastSuccess = &probes.Metric{
		Name:   "probe_last_success_timestamp_seconds",
		Help:   "When the last successful run ended.",
		Kind:   probes.Gauge,
		Labels: []string{"probe"},
	}
	probeBackoff = &probes.Metric{
		Name:   "probe_backoff_seconds",
		Help:   "0, or what is left of the time for which the probe is held back because retrying would make things worse; +Inf: until the configuration is reloaded.",
		Kind:   probes.Gauge,
		Labels: []string{"probe"},
	}
	sessionsOpen = &probes.Metric{
		Name: "sessions_open",
		Help: "Sessions that are open to the database, being opened or being closed.",
		Kind: probes.Gauge,
	}
	sessionsLimit = &probes.Metric{
		Name: "sessions_limit",
		Help: "Sessions that may be open to the database at once: max_sessions, or one for each probe that logs on.",
		Kind: probes.Gauge,
	}
	linkBytes = &probes.Metric{
		Name:   "link_bytes_total",
		Help:   "Bytes that this exporter put on the link, TLS included: its own cost.",
		Kind:   probes.Counter,
		Labels: []string{"probe", "direction"},
	}
)

// The values of linkBytes' label direction.
const (
	directionReceived = "received"
	directionSent     = "sent"
)

// runMetrics are the metrics that every target has.
var runMetrics = []*probes.Metric{probeSuccess, probeDuration, probeRuns, probeFailures, probeMissed,
	probeStartDelay, probeLastRun, probeLastSuccess, probeBackoff, probeDisturbed, allowanceExhausted, sessionsOpen, sessionsLimit, linkBytes}

// metricsOf are the metrics of a target with these probes.
func metricsOf(list []ProbeConfig) []*probes.Metric {
	metrics := slices.Concat(runMetrics, probes.AttemptMetrics, budgetMetrics)
	for _, p := range list {
		metrics = append(metrics, p.Definition.Metrics...)
	}
	return metrics
}

// unixSeconds is how Prometheus tells a time.
func unixSeconds(t time.Time) float64 { return float64(t.UnixNano()) / 1e9 }
