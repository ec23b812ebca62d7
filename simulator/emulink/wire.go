// A wire is one direction of the whole link, whose capacity all lanes share.

package emulink

import (
	"sync"
	"time"
)

// A sender waits when its turn on the wire is further away than a router's
// buffer is deep. It goes on when half of that has drained, so that it does
// not wake for every segment.
const wireQueue = 5 * time.Millisecond

type wire struct {
	mu sync.Mutex
	// free is when all that was put on the wire will have left it. It lies in
	// the past by as much as may still go in one burst.
	free time.Time
}

// turn is when a sender may go on; it may have passed.
func (w *wire) turn() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	if time.Until(w.free) <= wireQueue {
		return time.Time{}
	}
	return w.free.Add(-wireQueue / 2)
}

// carry puts n bytes on the wire behind the others and returns when the last
// of them has left it.
func (w *wire) carry(n int, path Path) time.Time {
	now := time.Now()
	if path.BitsPerSecond <= 0 {
		return now
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.free = latest(w.free, now.Add(-path.onWire(path.Burst))).Add(path.onWire(n))
	return latest(w.free, now)
}
