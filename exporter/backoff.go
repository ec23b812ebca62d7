// When not to try again, because trying makes it worse: wrong passwords lock
// accounts, and a statement that fails every cycle trips the database's flood
// control.

package exporter

import (
	"math"
	"slices"
	"sync"
	"time"

	"oranet_exporter/link"
)

// never is a back-off that only a reload ends.
const never = time.Duration(math.MaxInt64)

// After a refused logon the next try comes in 10 minutes, the third half an
// hour later, the fourth an hour after that: three tries in the first hour.
var logonWaits = []time.Duration{10 * time.Minute, 30 * time.Minute, time.Hour,
	2 * time.Hour, 4 * time.Hour, 8 * time.Hour, 16 * time.Hour, 24 * time.Hour}

// maxLogonTries is how many refusals, or runs that may end in one, there may be
// before the waits are an hour and more.
const maxLogonTries = 3

// A probe whose object or privilege is missing waits a minute, then twice as
// long each time, up to an hour.
const (
	firstObjectWait = time.Minute
	lastObjectWait  = time.Hour
)

// account is what the probes of a target that log on know together.
type account struct {
	mu       sync.Mutex
	refused  int // in a row
	until    time.Time
	locked   bool
	proven   bool // the last run that logged on, or used a session, succeeded
	failed   bool // it did not
	inFlight int
	queue    []string // probes that had to wait, in the order in which they came
}

// admission is the answer to whether a run may start.
type admission int

const (
	admitted admission = iota
	heldBack           // by a back-off: neither a run nor a missed slot
	mustWait           // for other runs' answers: a missed slot
	usedUp             // the allowance of the hour is: counted by itself
)

// begin asks for a run of probe that may log on. While no logon is known to
// work, as many may be unanswered as could be refused without harm; a probe
// that had to wait has its place before those that came later, because slots
// always fall in the same order and one would never get its turn.
func (a *account) begin(now time.Time, probe string) admission {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.locked || now.Before(a.until) {
		return heldBack
	}
	if a.proven {
		a.queue = nil
	} else if ahead := a.place(probe); a.inFlight+ahead >= max(1, maxLogonTries-a.refused) {
		if ahead == len(a.queue) {
			a.queue = append(a.queue, probe)
		}
		return mustWait
	} else if ahead < len(a.queue) {
		a.queue = slices.Delete(a.queue, ahead, ahead+1)
	}
	a.inFlight++
	return admitted
}

// place is how many probes wait before this one.
func (a *account) place(probe string) int {
	if i := slices.Index(a.queue, probe); i >= 0 {
		return i
	}
	return len(a.queue)
}

// end tells how a run ended that begin admitted.
func (a *account) end(now time.Time, failure *link.Failure) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.inFlight--
	a.proven, a.failed = failure == nil, failure != nil
	switch {
	case failure == nil:
		a.refused, a.until = 0, time.Time{}
	case failure.Reason == link.ReasonAccountLocked:
		a.locked = true
	case failure.Reason == link.ReasonAuthFailed:
		wait := logonWaits[min(a.refused, len(logonWaits)-1)]
		a.refused++
		a.until = now.Add(wait)
	}
}

// failing tells whether the last run that needed a session failed.
func (a *account) failing() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.failed
}

// left is how long no run may start.
func (a *account) left(now time.Time) time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.locked {
		return never
	}
	return max(0, a.until.Sub(now))
}

// forgive forgets refusals, as a reload does: someone may have mended it.
func (a *account) forgive() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.refused, a.until, a.locked, a.queue = 0, time.Time{}, false, nil
}

// objects is one probe's back-off from objects and privileges that it lacks.
type objects struct {
	mu    sync.Mutex
	wait  time.Duration // the last one, 0 after a run that found what it needs
	until time.Time
}

func (o *objects) end(now time.Time, failure *link.Failure) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case failure == nil:
		o.wait, o.until = 0, time.Time{}
	case failure.Reason == link.ReasonObjectMissing, failure.Reason == link.ReasonPrivilege:
		o.wait = min(max(firstObjectWait, 2*o.wait), lastObjectWait)
		o.until = now.Add(o.wait)
	}
}

func (o *objects) left(now time.Time) time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	return max(0, o.until.Sub(now))
}

func (o *objects) forgive() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.wait, o.until = 0, time.Time{}
}
