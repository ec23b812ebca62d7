// What the link of a configured target costs, measured for plan.

package command

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"oranet_exporter/budget"
	"oranet_exporter/exporter"
	"oranet_exporter/probes"
)

// rounds is how often the link is measured: the median of three leaves one
// outlier out, and more would only be more log-ons.
const rounds = 3

// linkCost is what a link costs whatever the query.
type linkCost struct {
	rtt     time.Duration // of one round trip on a session that is held
	tcp     time.Duration // from SYN to SYN/ACK; 0: not measured
	connect budget.Line   // of a cold connect; zero: not known
	acquire time.Duration // of a session from a warm pool
}

func (c linkCost) connectKnown() bool { return c.connect != budget.Line{} }

// connectingAdds is what connecting each time adds to a query.
func (c linkCost) connectingAdds() time.Duration {
	return budget.ConnectingAdds(c.connect, c.acquire, c.rtt)
}

// linkProbes tell a linkCost.
var linkProbes = []*probes.Definition{probes.TCP, probes.RoundTrip, probes.Pool, probes.Connect}

// enableLinkProbes switches those on, and all others off.
func enableLinkProbes(t *exporter.Target) {
	for i := range t.Probes {
		t.Probes[i].Enabled = slices.Contains(linkProbes, t.Probes[i].Definition)
	}
}

// measureLink runs the target's probes some times over and takes the median of
// each figure. The first failure ends it: a refused logon must not be repeated.
func measureLink(ctx context.Context, cfg *exporter.Config, target string, stderr io.Writer) (linkCost, error) {
	logger, err := exporter.NewLogger(stderr, "logfmt", "error")
	if err != nil {
		return linkCost{}, err
	}
	seen := make(map[string][]float64)
	for range rounds {
		results, err := exporter.RunOnce(ctx, cfg, []string{target}, nil, logger)
		if err != nil {
			return linkCost{}, err
		}
		for _, r := range results {
			if r.Failure != nil {
				return linkCost{}, fmt.Errorf("cannot measure the link of %s: probe %s: reason %s: %w", target, r.Probe, r.Failure.Reason, r.Failure)
			}
			for _, s := range r.Samples {
				seen[s.Metric.Name] = append(seen[s.Metric.Name], s.Value)
			}
		}
	}
	return newLinkCost(seen)
}

func newLinkCost(seen map[string][]float64) (linkCost, error) {
	var connect, trips float64
	var c linkCost
	for name, set := range map[string]func(float64){
		"tcp_connect_seconds":  func(v float64) { c.tcp = duration(v) },
		"round_trip_seconds":   func(v float64) { c.rtt = duration(v) },
		"pool_acquire_seconds": func(v float64) { c.acquire = duration(v) },
		"connect_seconds":      func(v float64) { connect = v },
		"connect_round_trips":  func(v float64) { trips = v },
	} {
		values := seen[name]
		if len(values) == 0 {
			return c, fmt.Errorf("the probes told no %s%s; this is a defect, please report it", exporter.Namespace, name)
		}
		slices.Sort(values)
		set(values[len(values)/2])
	}
	c.connect = budget.Point{Elapsed: duration(connect), RTT: c.rtt}.Line(trips)
	return c, nil
}

func duration(seconds float64) time.Duration {
	return time.Duration(seconds * float64(time.Second))
}
