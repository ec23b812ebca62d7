// A link without sockets, on package time's clock.

package emulink

import (
	"context"
	"net"
	"os"
	"sync"
	"time"
)

// NewInMemory makes a link between two ends in one process, for tests. All its
// waits are package time's: in a synctest bubble no time passes on it but what
// the path is told, however busy the machine. It has one listener, which
// whoever dials reaches.
func NewInMemory(p Path) *Link {
	l := New(p)
	l.memory = &memory{dialled: make(chan net.Conn), closed: make(chan struct{})}
	l.pacer.plain = true
	return l
}

// memory is what stands for the network.
type memory struct {
	dialled chan net.Conn
	closing sync.Once
	closed  chan struct{}
}

// dial hands the far end of a new connection to the listener.
func (m *memory) dial(ctx context.Context) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case m.dialled <- far:
		return near, nil
	case <-m.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// memoryListener accepts what is dialled.
type memoryListener struct{ link *Link }

func (ln memoryListener) Accept() (net.Conn, error) {
	select {
	case far := <-ln.link.memory.dialled:
		return newConn(ln.link, pipe{far}), nil
	case <-ln.link.memory.closed:
		return nil, net.ErrClosed
	}
}

func (ln memoryListener) Close() error {
	ln.link.memory.closing.Do(func() { close(ln.link.memory.closed) })
	return nil
}

// Addr is one that a client can be told; nothing listens there.
func (ln memoryListener) Addr() net.Addr {
	return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1521}
}

// pipe is an end of a connection in memory, which has no half to close and
// nothing to linger for.
type pipe struct{ net.Conn }

func (p pipe) CloseWrite() error   { return p.Close() }
func (p pipe) SetLinger(int) error { return nil }

// sleepUntil waits by a timer of package time.
func sleepUntil(due time.Time, s stop) error {
	timer := time.NewTimer(time.Until(due))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-s.closed:
		return net.ErrClosed
	case <-s.expired:
		return os.ErrDeadlineExceeded
	}
}
