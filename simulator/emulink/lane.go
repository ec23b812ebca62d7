// A lane is one direction of one connection: what was sent and has not arrived.

package emulink

import (
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// window is how much may be under way in a lane, like the largest socket
	// buffer that Linux grows to by itself. A sender waits when it is full.
	window = 4 << 20
	// A piece is what the wire carries at a time: a TLS record's worth.
	pieceSize = 16 << 10
	// A sender waits when its turn on the wire is further away than a router's buffer is deep.
	wireQueue = 5 * time.Millisecond
)

// wire is one direction of the whole link, whose capacity all lanes share.
type wire struct {
	mu   sync.Mutex
	free time.Time
}

// freeAt tells when all that was put on the wire will have left it.
func (w *wire) freeAt() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.free
}

// carry puts n bytes on the wire behind the others and returns when the last
// of them has left it.
func (w *wire) carry(n int, bitsPerSecond int64) time.Time {
	now := time.Now()
	if bitsPerSecond <= 0 {
		return now
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.free.Before(now) {
		w.free = now
	}
	w.free = w.free.Add(time.Duration(float64(n) * 8 / float64(bitsPerSecond) * float64(time.Second)))
	return w.free
}

// lane is a queue with one sender and one receiver at a time.
type lane struct {
	link         *Link
	wire         *wire
	opposite     *lane
	late         atomic.Int64  // what the last wait overshot by; see receive
	ready, space chan struct{} // news for the receiver, for the sender

	mu    sync.Mutex
	queue []piece
	size  int
	last  time.Time // when what was sent last is due
	end   error     // why nothing more can be sent
}

// piece is what arrives together; one with an error is the last.
type piece struct {
	data []byte
	due  time.Time
	err  error
}

func newLane(link *Link, w *wire) *lane {
	return &lane{link: link, wire: w, ready: make(chan struct{}, 1), space: make(chan struct{}, 1)}
}

// send puts a copy of b on its way. It returns once the last piece has its
// place on the wire, not when it has arrived.
func (l *lane) send(b []byte, s stop) (n int, err error) {
	if err := l.awaitTurn(s); err != nil {
		return 0, err
	}
	delay := l.link.share(l.link.Path().Jitter/2) - time.Duration(l.opposite.late.Swap(0))
	for n < len(b) {
		if err := l.awaitTurn(s); err != nil {
			return n, err
		}
		part := append([]byte(nil), b[n:min(len(b), n+pieceSize)]...)
		path := l.link.Path()
		due := l.wire.carry(len(part), path.BitsPerSecond).Add(path.RTT/2 + delay)
		if err := l.add(piece{data: part, due: due}); err != nil {
			return n, err
		}
		n += len(part)
	}
	return n, nil
}

// finish sends the end of the stream: the receiver gets why, after everything sent before.
func (l *lane) finish(why error) {
	// Nothing can be sent after the end, so a second end goes nowhere.
	_ = l.add(piece{err: why, due: time.Now().Add(l.link.Path().RTT / 2)})
}

// fail drops what is under way and makes further sends return why.
func (l *lane) fail(why error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.queue, l.size = nil, 0
	l.end = why
	notify(l.space)
}

func (l *lane) add(p piece) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.end != nil {
		return l.end
	}
	if p.due.Before(l.last) {
		p.due = l.last
	}
	l.last = p.due
	l.queue = append(l.queue, p)
	l.size += len(p.data)
	if p.err != nil {
		l.end = net.ErrClosed
	}
	notify(l.ready)
	return nil
}

// awaitTurn waits until the lane has room for a piece and the wire is near.
func (l *lane) awaitTurn(s stop) error {
	for {
		l.mu.Lock()
		full, end := l.size+pieceSize > window, l.end
		l.mu.Unlock()
		if err := s.check(); err != nil {
			return err
		}
		if end != nil {
			return end
		}
		if !full {
			return l.link.pacer.wait(l.wire.freeAt().Add(-wireQueue), s)
		}
		if err := s.await(l.space); err != nil {
			return err
		}
	}
}

// receive waits until something has arrived. An error other than the stop's
// is what the sender ended with.
//
// No operating system wakes anyone exactly on time. How late this wait ended
// is taken off what travels next in the opposite direction, so that it does
// not add up over the round trips.
func (l *lane) receive(s stop) error {
	for {
		if err := s.check(); err != nil {
			return err
		}
		head, any := l.head()
		if !any {
			if err := s.await(l.ready); err != nil {
				return err
			}
			continue
		}
		if time.Until(head.due) <= 0 {
			return head.err
		}
		if err := l.link.pacer.wait(head.due, s); err != nil {
			return err
		}
		l.late.Store(int64(time.Since(head.due)))
		return head.err
	}
}

func (l *lane) head() (p piece, any bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.queue) == 0 {
		return piece{}, false
	}
	return l.queue[0], true
}

// read copies what has arrived into b.
func (l *lane) read(b []byte) (n int) {
	l.arrived(func(data []byte) int {
		m := copy(b[n:], data)
		n += m
		return m
	})
	return n
}

// takeAll removes what has arrived and returns it in order.
func (l *lane) takeAll() (all net.Buffers) {
	l.arrived(func(data []byte) int {
		all = append(all, data)
		return len(data)
	})
	return all
}

// arrived offers use each piece that has arrived, until it uses up less than the piece.
func (l *lane) arrived(use func([]byte) int) {
	now := time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.queue) > 0 && l.queue[0].err == nil && !l.queue[0].due.After(now) {
		head := &l.queue[0]
		n := use(head.data)
		l.size -= n
		if head.data = head.data[n:]; len(head.data) > 0 {
			break
		}
		l.queue[0] = piece{}
		l.queue = l.queue[1:]
	}
	notify(l.space)
}

// check returns why to stop, nil if there is no reason to.
func (s stop) check() error {
	select {
	case <-s.closed:
		return net.ErrClosed
	case <-s.expired:
		return os.ErrDeadlineExceeded
	default:
		return nil
	}
}

// await waits for news.
func (s stop) await(news <-chan struct{}) error {
	select {
	case <-news:
		return nil
	case <-s.closed:
		return net.ErrClosed
	case <-s.expired:
		return os.ErrDeadlineExceeded
	}
}
