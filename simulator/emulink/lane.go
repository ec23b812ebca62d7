// A lane is one direction of one connection: what was sent and has not arrived.

package emulink

import (
	"net"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// window is how much may be under way in a lane, like the largest socket
	// buffer that Linux grows to by itself. A sender waits when it is full.
	window = 4 << 20
	// A piece is what is copied at a time: a TLS record's worth.
	pieceSize = 16 << 10
	// A segment is what arrives at a time where bytes take time: the payload of
	// a TCP segment over Ethernet.
	segmentSize = 1460
)

// lane is a queue with one sender and one receiver at a time.
type lane struct {
	link         *Link
	wire         *wire
	asked        *lane         // whose data this one answers; nil for the lane that asks
	late         atomic.Int64  // how late the receiver got what it got last; see receive
	ready, space chan struct{} // news for the receiver, for the sender
	congestion   congestion    // the sender's

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
	if err := l.awaitTurn(0, s); err != nil {
		return 0, err
	}
	delay := l.link.share(l.link.Path().Jitter / 2)
	if l.asked != nil {
		delay -= time.Duration(l.asked.late.Swap(0))
	}
	for part := range slices.Chunk(b, pieceSize) {
		for data := range slices.Chunk(slices.Clone(part), l.link.Path().unit()) {
			if err := l.sendPiece(data, delay, s); err != nil {
				return n, err
			}
			n += len(data)
		}
	}
	return n, nil
}

func (l *lane) sendPiece(data []byte, delay time.Duration, s stop) error {
	if err := l.awaitTurn(len(data), s); err != nil {
		return err
	}
	path := l.link.Path()
	due := l.wire.carry(len(data), path).Add(path.RTT/2 + delay)
	l.congestion.sent(len(data), due.Add(path.RTT/2))
	return l.add(piece{data: data, due: due})
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

// awaitTurn waits until n more bytes may be under way, for the receiver, for
// the network, and because the wire is near.
func (l *lane) awaitTurn(n int, s stop) error {
	for {
		if err := l.awaitSpace(s); err != nil {
			return err
		}
		turn := latest(l.wire.turn(), l.congestion.turn(n, l.link.Path().InitialWindow))
		if time.Until(turn) <= 0 {
			return nil
		}
		if err := l.link.pacer.wait(turn, s); err != nil {
			return err
		}
	}
}

// awaitSpace waits until the receiver has room for a piece.
func (l *lane) awaitSpace(s stop) error {
	for {
		l.mu.Lock()
		full, end := l.size+pieceSize > window, l.end
		l.mu.Unlock()
		if err := s.check(); err != nil {
			return err
		}
		if end != nil || !full {
			return end
		}
		if err := s.await(l.space); err != nil {
			return err
		}
	}
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// receive waits until something has arrived. An error other than the stop's
// is what the sender ended with.
//
// No operating system wakes anyone exactly on time. How late the receiver of a
// request woke is taken off the way of its answer, so that it does not add up
// over the round trips. It is never more than the request's own lateness, and
// how late an answer comes is taken off nothing: no round trip is shorter than
// the path was told.
func (l *lane) receive(s stop) error {
	waited := false
	for {
		if err := s.check(); err != nil {
			return err
		}
		head, any := l.head()
		if !any {
			if err := s.await(l.ready); err != nil {
				return err
			}
			waited = true
			continue
		}
		late := time.Since(head.due)
		if late < 0 {
			if err := l.link.pacer.wait(head.due, s); err != nil {
				return err
			}
			waited = true
			continue
		}
		l.overslept(late, waited)
		return head.err
	}
}

// overslept notes that a receiver got something late. One that did not wait
// for it was busy, maybe because it had got what came before late.
func (l *lane) overslept(by time.Duration, waited bool) {
	if !waited {
		by = min(by, time.Duration(l.late.Load()))
	}
	l.late.Store(int64(by))
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
