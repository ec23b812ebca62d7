// What one user of a link puts on it: bytes, and the attempts to open it.

package link

import (
	"sync"
	"sync/atomic"
)

// Usage counts for one user of a link, such as one probe of one target. The
// zero value is ready; it is safe for concurrent use.
type Usage struct {
	Name string // of the user: V$SESSION.ACTION of its sessions

	received, sent atomic.Int64
	phase          atomic.Value // Phase
	mu             sync.Mutex
	attempts       []*Attempt
}

// Received is the number of bytes read from sockets so far, TLS included.
func (u *Usage) Received() int64 { return u.received.Load() }

// Sent is the number of bytes written to sockets so far, TLS included.
func (u *Usage) Sent() int64 { return u.sent.Load() }

// Phase is the phase that the user's last operation on the link came to, empty
// before the first.
func (u *Usage) Phase() Phase {
	phase, _ := u.phase.Load().(Phase)
	return phase
}

func (u *Usage) enter(p Phase) { u.phase.Store(p) }

// TakeAttempts returns the attempts finished since it was last called.
func (u *Usage) TakeAttempts() []*Attempt {
	u.mu.Lock()
	defer u.mu.Unlock()
	taken := u.attempts
	u.attempts = nil
	return taken
}

func (u *Usage) addAttempt(a *Attempt) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.attempts = append(u.attempts, a)
}
