// Whether this process ran when it wanted to. A process that gets no processor
// reads an answer later than it came, and takes its own delay for the link's.

package exporter

import (
	"sync"
	"time"

	"oranet_exporter/probes"
)

// Cause is what kept this process from running.
type Cause string

// The causes; empty is none.
const (
	CauseScheduler Cause = "scheduler" // no processor: other processes, a CPU quota, or our own other goroutines
	CauseGC        Cause = "gc"        // the garbage collector had stopped every goroutine for most of the time
)

// Disturbance is the longest time in a run for which this process wanted to
// run and did not. It is told if it may show in what the run measured.
type Disturbance struct {
	Cause Cause // empty: none to be told
	Late  time.Duration
}

var probeDisturbed = &probes.Metric{
	Name: "probe_disturbed_total",
	Help: "Runs during which this process did not get to run for more than a tenth of the run's time and at least 2 ms, " +
		"so that what they measured may be our own delay. cause: scheduler (no processor) or gc (stopped by the garbage collector).",
	Kind:   probes.Counter,
	Labels: []string{"probe", "cause"},
}

const (
	// canaryPeriod is how often the canary looks, and the least lateness that
	// it can tell: operating systems' timers are a millisecond late by themselves.
	canaryPeriod = 2 * time.Millisecond
	// resolution is the share of a run's time below which a delay is lost in a
	// native histogram's bucket, which is a tenth wide (nativeFactor).
	resolution = 10
)

// canary sets an alarm while runs are on and looks how late it comes. One
// alarm serves all runs, however many; while there are none there is none.
type canary struct {
	mu       sync.Mutex
	pauses   pauses // since the alarm was set
	watches  map[*watch]struct{}
	youngest time.Time   // when the last watch began
	alarm    *time.Timer // nil without watches
	due      time.Time
}

// pauses tells how long the longest stop of every goroutine since a mark took.
type pauses interface {
	mark()
	longest() time.Duration
}

// watch is one run as the canary sees it.
type watch struct {
	start time.Time
	worst Disturbance
}

// processCanary serves every run, as the processors are the process's.
var processCanary = newCanary(newGCPauses())

func newCanary(p pauses) *canary {
	return &canary{pauses: p, watches: map[*watch]struct{}{}}
}

// begin watches from now on.
func (c *canary) begin(now time.Time) *watch {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := &watch{start: now}
	c.watches[w] = struct{}{}
	c.youngest = now
	switch {
	case c.alarm == nil:
		c.alarm = time.AfterFunc(canaryPeriod, func() { c.ring(time.Now()) })
		c.set(now, canaryPeriod)
	case now.Add(canaryPeriod).Before(c.due):
		c.set(now, canaryPeriod)
	}
	return w
}

// end stops watching a run that ended now, and tells what may show in what it
// measured.
func (c *canary) end(w *watch, now time.Time) Disturbance {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.look(now) // the alarm itself may not have got to run yet
	delete(c.watches, w)
	if len(c.watches) == 0 {
		c.alarm.Stop()
		c.alarm = nil
	}
	if w.worst.Late < now.Sub(w.start)/resolution {
		return Disturbance{}
	}
	return w.worst
}

// ring looks how late it is and sets the next alarm.
func (c *canary) ring(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.alarm == nil {
		return // stopped meanwhile
	}
	c.look(now)
	// What is short beside the youngest run's time is not told, so the longer
	// all of them take the less often there is something to see.
	c.set(now, max(canaryPeriod, now.Sub(c.youngest)/(2*resolution)))
}

func (c *canary) set(now time.Time, wait time.Duration) {
	c.due = now.Add(wait)
	c.alarm.Reset(wait)
	c.pauses.mark()
}

// look tells every watch how late the alarm is, if it is.
func (c *canary) look(now time.Time) {
	late := now.Sub(c.due)
	if late < canaryPeriod {
		return
	}
	cause := CauseScheduler
	if c.pauses.longest() > late/2 {
		cause = CauseGC
	}
	for w := range c.watches {
		// A watch that began when it was late already saw the rest of it.
		if seen := min(late, now.Sub(w.start)); seen > w.worst.Late && seen >= canaryPeriod {
			w.worst = Disturbance{cause, seen}
		}
	}
}
