// The one way in which a probe is run: timed, within its deadline, with its
// panics and errors turned into failures, and its bytes counted. No probe can
// forget any of it.

package exporter

import (
	"cmp"
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/go-kit/log"
	"github.com/go-kit/log/level"

	"oranet_exporter/link"
	"oranet_exporter/probes"
)

// patience is how long after its deadline a run may still return. Then it is
// given up, so that a probe that hangs is seen to.
const patience = 100 * time.Millisecond

// Result is one run and what it measured.
type Result struct {
	Target   string
	Probe    string
	Start    time.Time
	Duration time.Duration
	Failure  *link.Failure   // nil: success
	Samples  []probes.Sample // of a failed run only counters and gauges
	Attempts []*link.Attempt // to open the link, in order
	Received int64           // bytes on the link since the run before
	Sent     int64

	// Disturbed marks samples that may hold this process's own delay.
	Disturbed Disturbance
}

// instance is one probe of one target, with the bytes that it puts on the link.
type instance struct {
	target string
	config ProbeConfig
	probe  probes.Probe
	usage  *link.Usage
	logger log.Logger

	received, sent int64 // of usage, at the end of the last run
}

func newInstance(target string, l *link.Link, p ProbeConfig, logger log.Logger) *instance {
	usage := &link.Usage{Name: p.Definition.Name}
	return &instance{
		target: target,
		config: p,
		probe:  p.Definition.New(l.For(usage), p.Options),
		usage:  usage,
		logger: log.With(logger, "target", target, "probe", p.Definition.Name),
	}
}

// run measures once. It returns when the run ended or was given up; ended is
// closed when the probe has really come back. Until then run and close must
// not be called again.
func (i *instance) run(ctx context.Context) (result *Result, ended <-chan struct{}) {
	ctx, cancel := context.WithTimeout(ctx, i.config.Timeout)
	defer cancel()
	samples := new(probes.Samples)
	outcome := make(chan *link.Failure, 1)
	back := make(chan struct{})
	result = &Result{Target: i.target, Probe: i.config.Definition.Name, Start: time.Now()}
	watch := processCanary.begin(result.Start)
	go func() {
		defer close(back)
		outcome <- i.call(ctx, samples)
	}()
	overdue := time.NewTimer(i.config.Timeout + patience)
	defer overdue.Stop()
	select {
	case result.Failure = <-outcome:
		<-back
		i.measure(result, watch, samples)
	case <-overdue.C:
		result.Failure = &link.Failure{Phase: cmp.Or(i.usage.Phase(), link.PhaseQuery), Reason: link.ReasonTimeout,
			Err: fmt.Errorf("the probe did not return within %s of its deadline; it does not run again until it has", patience)}
		// The samples are still the probe's.
		i.measure(result, watch, new(probes.Samples))
	}
	return result, back
}

// call runs the probe and makes a failure of whatever goes wrong in it.
func (i *instance) call(ctx context.Context, out *probes.Samples) (failure *link.Failure) {
	defer func() {
		if value := recover(); value != nil {
			failure = i.panicked(value)
		}
	}()
	if err := i.probe.Run(ctx, out); err != nil {
		return link.Classify(ctx, link.PhaseQuery, err)
	}
	return nil
}

// panicked logs where, and what as far as it holds no secret.
func (i *instance) panicked(value any) *link.Failure {
	what := link.PanicText(value)
	level.Error(i.logger).Log("msg", "the probe panicked; this is a defect, please report it", "panic", what, "stack", string(debug.Stack()))
	return &link.Failure{Phase: link.PhaseQuery, Reason: link.ReasonProtocol, Err: fmt.Errorf("the probe panicked: %s", what)}
}

// measure completes a result that has ended.
func (i *instance) measure(r *Result, w *watch, samples *probes.Samples) {
	end := time.Now()
	r.Duration = end.Sub(r.Start)
	r.Disturbed = processCanary.end(w, end)
	r.Attempts = i.usage.TakeAttempts()
	for _, a := range r.Attempts {
		probes.FromAttempt(a, samples)
	}
	for _, s := range samples.List() {
		if r.Failure == nil || s.Metric.Kind != probes.Histogram {
			r.Samples = append(r.Samples, s)
		}
	}
	received, sent := i.usage.Received(), i.usage.Sent()
	r.Received, r.Sent = received-i.received, sent-i.sent
	i.received, i.sent = received, sent
}

// close logs the probe's sessions off, within ctx's deadline. A probe's panic
// or error at this point hurts nobody else.
func (i *instance) close(ctx context.Context) {
	defer func() {
		if value := recover(); value != nil {
			_ = i.panicked(value)
		}
	}()
	if err := i.probe.Close(ctx); err != nil {
		level.Debug(i.logger).Log("msg", "a session could not be logged off", "err", err)
	}
}

// known are the series that this probe has before its first run.
func (p *ProbeConfig) known() []probes.Series {
	name := p.Definition.Name
	list := []probes.Series{
		{Metric: probeDuration, Values: []string{name}},
		{Metric: probeRuns, Values: []string{name}},
		{Metric: probeMissed, Values: []string{name}},
		{Metric: probeDisturbed, Values: []string{name, string(CauseScheduler)}},
		{Metric: probeDisturbed, Values: []string{name, string(CauseGC)}},
		{Metric: linkBytes, Values: []string{name, directionReceived}},
		{Metric: linkBytes, Values: []string{name, directionSent}},
	}
	if p.Definition.Heavy {
		for _, r := range []Resource{ResourceBytes, ResourceLogons} {
			list = append(list, probes.Series{Metric: allowanceExhausted, Values: []string{name, string(r)}})
		}
	}
	if p.Definition.Known != nil {
		list = append(list, p.Definition.Known(p.Options)...)
	}
	return list
}

// samples are what every run tells of itself. The duration comes before the
// count, so that failures, their difference, are never seen too many.
func (r *Result) samples() []probes.Sample {
	list := new(probes.Samples)
	end := unixSeconds(r.Start.Add(r.Duration))
	success := 0.0
	if r.Failure == nil {
		success = 1
		list.Add(probeDuration, r.Duration.Seconds(), r.Probe)
		list.Add(probeLastSuccess, end, r.Probe)
	} else {
		list.Add(probeFailures, 1, r.Probe, string(r.Failure.Phase), string(r.Failure.Reason))
	}
	list.Add(probeSuccess, success, r.Probe)
	list.Add(probeRuns, 1, r.Probe)
	list.Add(probeLastRun, end, r.Probe)
	if d := r.Disturbed; d.Cause != "" {
		list.Add(probeDisturbed, 1, r.Probe, string(d.Cause))
	}
	return append(list.List(), r.Samples...)
}

// cost is what the run put on the link.
func (r *Result) cost() []probes.Sample {
	return []probes.Sample{
		{Metric: linkBytes, Values: []string{r.Probe, directionReceived}, Value: float64(r.Received)},
		{Metric: linkBytes, Values: []string{r.Probe, directionSent}, Value: float64(r.Sent)},
	}
}
