// Whether one of our own bulk transfers is on the link.

package link

import "sync/atomic"

// load is shared by all users of one target's link.
type load struct {
	active  atomic.Int64
	started atomic.Int64
}

// BeginBulk tells the link's other users that a bulk transfer of ours is on
// it until end is called.
func (l *Link) BeginBulk() (end func()) {
	l.load.started.Add(1)
	l.load.active.Add(1)
	return func() { l.load.active.Add(-1) }
}

// WatchBulk starts watching for bulk transfers; the returned function tells
// whether one was under way at any time since.
func (l *Link) WatchBulk() (seen func() bool) {
	before := l.load.started.Load()
	busy := l.load.active.Load() > 0
	return func() bool { return busy || l.load.started.Load() != before }
}
