// Deadlines as net.Conn demands them.

package emulink

import (
	"sync"
	"time"
)

// deadline is an instant that can be moved while others wait for it.
type deadline struct {
	mu      sync.Mutex
	timer   *time.Timer
	expired chan struct{} // closed once the instant has passed
}

func newDeadline() *deadline { return &deadline{expired: make(chan struct{})} }

// set moves the instant; the zero time means never.
func (d *deadline) set(t time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timer != nil && !d.timer.Stop() {
		<-d.expired // the timer fired: let it finish before its channel is looked at
	}
	d.timer = nil
	select {
	case <-d.expired:
		d.expired = make(chan struct{})
	default:
	}
	switch left := time.Until(t); {
	case t.IsZero():
	case left <= 0:
		close(d.expired)
	default:
		expired := d.expired
		d.timer = time.AfterFunc(left, func() { close(expired) })
	}
}

// done is closed when the instant passes. It is to be asked for anew by every wait.
func (d *deadline) done() <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.expired
}
