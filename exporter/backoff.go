// When not to run again, because a statement that fails every cycle trips the
// database's flood control.

package exporter

import (
	"sync"
	"time"

	"oranet_exporter/link"
)

// A probe whose object or privilege is missing waits a minute, then twice as
// long each time, up to an hour.
const (
	firstObjectWait = time.Minute
	lastObjectWait  = time.Hour
)

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
