// The pacer wakes whoever waits for an instant, more precisely than a timer:
// Go's timers on Linux are rounded to milliseconds, a whole RTT in a region.

package emulink

import (
	"net"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"
)

const (
	// A timer may be this late: it is trusted until that long before the instant.
	timerSlack = 2 * time.Millisecond
	// A nap ends this much late, so it is aimed at that long before the instant;
	// the rest is yielded away.
	napSlack = 100 * time.Microsecond
	// A nap cannot be ended by an earlier instant that comes in meanwhile.
	longestNap = 250 * time.Microsecond
	// Whoever waits is woken that long before the instant, because waking takes
	// time, and yields the rest away.
	wakeUp = 50 * time.Microsecond
)

// stop tells a wait to give up.
type stop struct {
	closed  <-chan struct{}
	expired <-chan struct{}
}

// pacer serves any number of waits with one goroutine, which runs only while
// there are some. Its zero value is ready.
type pacer struct {
	plain bool // waits by timers of package time alone

	mu      sync.Mutex
	alarms  []*alarm // by due
	running bool
	changed chan struct{}
}

type alarm struct {
	due  time.Time
	rung chan struct{}
}

// wait returns nil at due, net.ErrClosed or os.ErrDeadlineExceeded if s says so before.
func (p *pacer) wait(due time.Time, s stop) error {
	if time.Until(due) <= 0 {
		return nil
	}
	if p.plain {
		return sleepUntil(due, s)
	}
	a := p.add(due.Add(-wakeUp))
	select {
	case <-a.rung:
		for time.Until(due) > 0 {
			runtime.Gosched()
		}
		return nil
	case <-s.closed:
		p.remove(a)
		return net.ErrClosed
	case <-s.expired:
		p.remove(a)
		return os.ErrDeadlineExceeded
	}
}

func (p *pacer) add(due time.Time) *alarm {
	a := &alarm{due: due, rung: make(chan struct{})}
	p.mu.Lock()
	defer p.mu.Unlock()
	after := func(b *alarm, due time.Time) int {
		if b.due.After(due) {
			return 1
		}
		return -1
	}
	i, _ := slices.BinarySearchFunc(p.alarms, due, after)
	p.alarms = slices.Insert(p.alarms, i, a)
	if !p.running {
		p.running = true
		p.changed = make(chan struct{}, 1)
		go p.run()
	} else if i == 0 {
		notify(p.changed)
	}
	return a
}

func (p *pacer) remove(a *alarm) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.Index(p.alarms, a); i >= 0 {
		p.alarms = slices.Delete(p.alarms, i, i+1)
		notify(p.changed)
	}
}

func (p *pacer) run() {
	for {
		left, any := p.ring()
		switch {
		case !any:
			return
		case left > timerSlack:
			select {
			case <-time.After(left - timerSlack):
			case <-p.changed:
			}
		case left > napSlack:
			nap(min(left-napSlack, longestNap))
		default:
			runtime.Gosched()
		}
	}
}

// ring wakes everyone who is due and returns how long the next one has left.
func (p *pacer) ring() (left time.Duration, any bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.alarms) > 0 {
		if left = time.Until(p.alarms[0].due); left > 0 {
			return left, true
		}
		close(p.alarms[0].rung)
		p.alarms = slices.Delete(p.alarms, 0, 1)
	}
	p.running = false
	return 0, false
}

// notify leaves a message in a channel of capacity 1, unless one is there.
func notify(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
