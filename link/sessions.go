// How many sessions a target may have open at once.

package link

import (
	"context"
	"fmt"
	"sync"
)

// Sessions counts a target's sessions, from before the first packet of one to
// the close of its socket, and lets no more be opened than its limit. It is
// safe for concurrent use; nil sets no limit.
type Sessions struct {
	limit int

	mu    sync.Mutex
	open  int
	freed chan struct{} // closed when a session ends
}

// NewSessions allows limit sessions at once.
func NewSessions(limit int) *Sessions {
	return &Sessions{limit: limit, freed: make(chan struct{})}
}

// Limit is how many sessions may be open.
func (s *Sessions) Limit() int { return s.limit }

// Open is how many are.
func (s *Sessions) Open() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open
}

// take waits for room within ctx's deadline.
func (s *Sessions) take(ctx context.Context) error {
	for s != nil {
		freed := s.tryTake()
		if freed == nil {
			return nil
		}
		select {
		case <-freed:
		case <-ctx.Done():
			return &Failure{Phase: PhaseConfig, Reason: ReasonLimit,
				Err: fmt.Errorf("all %d sessions that max_sessions allows are in use; raise it or switch a probe off", s.limit)}
		}
	}
	return nil
}

// tryTake returns nil if there was room, else what tells of the next session
// that ends.
func (s *Sessions) tryTake() (freed <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open >= s.limit {
		return s.freed
	}
	s.open++
	return nil
}

// give makes room for another session.
func (s *Sessions) give() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open--
	close(s.freed)
	s.freed = make(chan struct{})
}

// Limited returns the same link with its sessions counted and bounded by s.
func (l *Link) Limited(s *Sessions) *Link {
	view := *l
	view.sessions = s
	return &view
}
