// The status pages' side of the exporter: what they are told of a run, and of
// a target when a page is asked for.

package exporter

import (
	"slices"
	"time"

	"github.com/go-kit/log/level"
	"github.com/prometheus/common/version"

	"oranet_exporter/exporter/status"
	"oranet_exporter/probes"
)

func (e *Exporter) pages() *status.Pages {
	return &status.Pages{
		Exporter:      shown{e},
		Namespace:     Namespace,
		Version:       version.Version,
		TelemetryPath: e.opts.TelemetryPath,
		Failed: func(err error) {
			level.Error(e.logger).Log("msg", "a status page could not be made", "err", err)
		},
	}
}

// shown is the exporter as the pages see it.
type shown struct{ *Exporter }

func (s shown) Targets() (list []status.Target) {
	now := time.Now()
	for _, t := range s.fleet.targets() {
		list = append(list, s.show(t, now))
	}
	return list
}

func (s shown) Target(name string) (status.Target, bool) {
	t := s.fleet.target(name)
	if t == nil {
		return status.Target{}, false
	}
	return s.show(t, time.Now()), true
}

func (s shown) show(t *live, now time.Time) status.Target {
	one := status.Target{Name: t.config.Name, Labels: t.config.Labels, Past: t.past}
	for _, b := range t.config.Budgets {
		one.Budgets = append(one.Budgets, status.Budget{Name: b.Name, Budget: b.model()})
	}
	for _, j := range t.jobs {
		p := status.Probe{Definition: j.config.Definition, Next: s.scheduler.nextSlot(j),
			Held: j.backoff(now), Exhausted: string(j.exhausted(now))}
		if p.Held == never {
			p.Held = status.Forever
		}
		if p.Exhausted != "" {
			p.Renewed = renewed(now)
		}
		one.Probes = append(one.Probes, p)
	}
	return one
}

// remembered is a run as the pages keep it: with the samples that were
// recorded of it, and no others.
func (r *Result) remembered(recorded ...[]probes.Sample) status.Run {
	return status.Run{
		Probe: r.Probe, Start: r.Start, Duration: r.Duration, Failure: r.Failure,
		Late: r.Disturbed.Late, Cause: string(r.Disturbed.Cause),
		Samples: slices.Concat(recorded...),
	}
}
