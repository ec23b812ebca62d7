// One probe of one running target, as the scheduler sees it.

package exporter

import (
	"context"
	"math"
	"time"

	"github.com/go-kit/log/level"

	"oranet_exporter/link"
	"oranet_exporter/probes"
)

// job is an instance with its turn, its back-off and its past.
type job struct {
	*instance
	target  *live
	idle    chan struct{} // holds one token while no run is on, or waits
	objects objects
	before  *link.Failure // of the last scheduled run, nil: it succeeded

	// The scheduler's, under its lock.
	next  time.Time // its next slot
	slot  time.Time // the slot for which it runs or waits
	index int       // in the heap
	alone bool      // its run keeps other heavy ones waiting
}

func newJob(t *live, p ProbeConfig) *job {
	j := &job{instance: newInstance(t.config.Name, t.link, p, t.logger), target: t, idle: make(chan struct{}, 1)}
	j.give()
	return j
}

func (j *job) name() string            { return j.config.Definition.Name }
func (j *job) interval() time.Duration { return j.config.Interval }
func (j *job) heavy() bool             { return j.config.Definition.Heavy }

// take makes the job the caller's until it gives it back.
func (j *job) take() bool {
	select {
	case <-j.idle:
		return true
	default:
		return false
	}
}

func (j *job) give() { j.idle <- struct{}{} }

// backoff is how long the job is held back.
func (j *job) backoff(now time.Time) time.Duration {
	left := j.objects.left(now)
	if j.config.Definition.Logon {
		left = max(left, j.target.account.left(now))
	}
	return left
}

// backoffSeconds is the same for Prometheus.
func (j *job) backoffSeconds() float64 {
	left := j.backoff(time.Now())
	if left == never {
		return math.Inf(1)
	}
	return left.Seconds()
}

// admission is the answer to whether a run may start.
type admission int

const (
	admitted admission = iota
	heldBack           // by a back-off: neither a run nor a missed slot
	usedUp             // the allowance of the hour is: counted by itself
)

// begin asks whether a run may start; if so, finish must follow it.
func (j *job) begin(now time.Time) admission {
	switch {
	case j.backoff(now) > 0:
		return heldBack
	case j.exhausted(now) != "":
		return usedUp
	}
	return admitted
}

// finish tells the back-offs how a run ended, and the allowance what it used.
func (j *job) finish(r *Result) {
	now := time.Now()
	j.objects.end(now, r.Failure)
	if j.config.Definition.Logon {
		j.target.failing.Store(r.Failure != nil)
	}
	if j.heavy() {
		j.target.spending.add(now, r)
	}
}

// exclusive tells whether the job's run must have the heavy place to itself. A
// target that does not answer moves no bulk: its runs would only keep the
// place until their deadline, and those of targets that are up from running.
func (j *job) exclusive() bool { return j.heavy() && !j.target.failing.Load() }

// exhausted says which of its target's allowances keeps a heavy job from
// running, empty if none does.
func (j *job) exhausted(now time.Time) Resource {
	if !j.heavy() {
		return ""
	}
	return j.target.spending.exhausted(now)
}

// turnedAway counts a slot for which begin admitted no run.
func (j *job) turnedAway(answer admission, now time.Time) {
	resource := j.exhausted(now)
	if answer != usedUp || resource == "" { // the hour may have turned meanwhile
		return
	}
	j.record([]probes.Sample{{Metric: allowanceExhausted, Values: []string{j.name(), string(resource)}, Value: 1}})
	if j.target.spending.tell() {
		level.Warn(j.logger).Log("msg", "the target's allowance for heavy probes is used up; they wait until it is renewed",
			"allowance", resource, "renewed", renewed(now))
	}
}

// miss counts slots in which the job could not run.
func (j *job) miss(slots int) {
	if slots > 0 {
		j.record([]probes.Sample{{Metric: probeMissed, Values: []string{j.name()}, Value: float64(slots)}})
	}
}

// scheduled runs the job for its slot and keeps what it measured.
func (j *job) scheduled(slot time.Time) (ended <-chan struct{}) {
	j.record([]probes.Sample{{Metric: probeStartDelay, Value: time.Since(slot).Seconds()}})
	result, ended := j.run(j.target.ctx)
	j.finish(result)
	j.record(result.cost())
	measured, judged := result.samples(), j.target.budgets.judge(result)
	j.record(measured)
	j.record(judged)
	j.tell(result)
	j.target.past.Add(result.remembered(measured, judged))
	return ended
}

// demanded runs the job now, for whoever asked. Of the target's own series
// only the bytes grow: they were really sent.
func (j *job) demanded(ctx context.Context) (result *Result, ended <-chan struct{}) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(j.target.ctx, cancel)()
	result, ended = j.run(ctx)
	j.finish(result)
	j.record(result.cost())
	return result, ended
}

// record keeps samples in the target's series.
func (j *job) record(samples []probes.Sample) {
	for _, s := range samples {
		if err := j.target.series.record(s); err != nil {
			level.Error(j.logger).Log("msg", "a sample was dropped; this is a defect, please report it", "err", err)
		}
	}
}

// tell logs a run: the first failure of a kind, and the recovery, so that an
// outage is two lines and not one every two seconds.
func (j *job) tell(r *Result) {
	before := j.before
	j.before = r.Failure
	switch f := r.Failure; {
	case f == nil && before != nil:
		level.Info(j.logger).Log("msg", "the probe works again", "duration", r.Duration)
	case f == nil:
		level.Debug(j.logger).Log("msg", "probed", "duration", r.Duration)
	case f.Reason == link.ReasonCanceled:
		level.Debug(j.logger).Log("msg", "the run was ended", "phase", f.Phase, "err", f)
	case before != nil && before.Phase == f.Phase && before.Reason == f.Reason:
		level.Debug(j.logger).Log("msg", "the probe still fails", "phase", f.Phase, "reason", f.Reason, "err", f)
	default:
		level.Warn(j.logger).Log("msg", "the probe failed", "phase", f.Phase, "reason", f.Reason, "err", f)
	}
}
