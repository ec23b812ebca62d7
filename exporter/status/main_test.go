// Targets of whose runs a test decides.

package status

import (
	"errors"
	"testing"
	"time"

	"oranet_exporter/budget"
	"oranet_exporter/link"
	"oranet_exporter/probes"
)

// noon is when the tests' pages are made.
var noon = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

// family finds the metric of that name among the probes', or makes one of the
// exporter's own.
func family(t *testing.T, name Metric, labels ...string) *probes.Metric {
	t.Helper()
	for _, def := range probes.All {
		for _, m := range append(def.Metrics, probes.AttemptMetrics...) {
			if Metric(m.Name) == name {
				return m
			}
		}
	}
	return &probes.Metric{Name: string(name), Labels: labels}
}

// sample is one value of a metric.
func sample(t *testing.T, name Metric, value float64, values ...string) probes.Sample {
	t.Helper()
	return probes.Sample{Metric: family(t, name, "budget"), Value: value, Values: values}
}

// good is a run that succeeded, bad one that did not.
func good(def *probes.Definition, start time.Time, of ...probes.Sample) Run {
	return Run{Probe: def.Name, Start: start, Duration: time.Millisecond, Samples: of}
}

func bad(def *probes.Definition, start time.Time, phase link.Phase, reason link.Reason) Run {
	return Run{Probe: def.Name, Start: start, Duration: time.Millisecond,
		Failure: &link.Failure{Phase: phase, Reason: reason, Peer: "db:1521", Err: errors.New("it is " + string(reason))}}
}

// target is one with these probes, and the runs that it has had.
func target(name string, runs ...Run) Target {
	t := Target{Name: name, Past: NewPast()}
	for _, def := range probes.All {
		t.Probes = append(t.Probes, Probe{Definition: def, Next: noon.Add(time.Second)})
	}
	for _, r := range runs {
		t.Past.Add(r)
	}
	return t
}

// page is a budget of 1,000 rows, 100 a round trip, in 160 ms.
var page = Budget{"order_page", budget.Budget{Shape: budget.Shape{Rows: 1000, Arraysize: 100}, Max: 160 * time.Millisecond}}

// complete is a target of which everything is known.
func complete(t *testing.T, name string) Target {
	t.Helper()
	ago := noon.Add(-10 * time.Second)
	one := target(name,
		good(probes.TCP, ago, sample(t, "tcp_connect_seconds", .010)),
		good(probes.RoundTrip, ago, sample(t, roundTripSeconds, .0105, "idle"),
			sample(t, budgetPredicted, .120, "order_page"), sample(t, budgetChecks, 1, "order_page")),
		good(probes.Pool, ago, sample(t, poolAcquireSeconds, 3e-6)),
		good(probes.Connect, ago, sample(t, connectSeconds, .1, "default"), sample(t, connectRoundTrips, 9),
			sample(t, connectPhaseSeconds, .01, "tcp"), sample(t, connectPhaseSeconds, .03, "tls"), sample(t, connectPhaseSeconds, .06, "auth"),
			sample(t, sessionInfo, 1, "FREE", "dbhost", "freepdb1", "23.9.0", "dbhost-vip:1521"),
			sample(t, certificateExpiry, float64(noon.Add(20*24*time.Hour).Unix()), "server", "CN=db")),
		good(probes.SDU, ago, sample(t, sduNegotiatedBytes, 8192, "8192"), sample(t, sduNegotiatedBytes, 32768, "2097152")),
		good(probes.Fetch, ago, sample(t, fetchRowsTotal, 10000, "100"), sample(t, fetchSeconds, 1.2, "100"), sample(t, fetchRoundTrips, 101, "100"),
			sample(t, fetchComponent, 1.0, "100", "network"), sample(t, fetchComponent, .1, "100", "server"),
			sample(t, fetchComponent, .06, "100", "transfer"), sample(t, fetchComponent, .04, "100", "client")),
	)
	one.Budgets = []Budget{page}
	return one
}
