// Package emulink emulates a network path between the two ends of a TCP
// connection on one machine: round trip time, jitter and bandwidth. It needs
// no privilege and no kernel module, and runs on every operating system.
//
// The listening side carries the delay of both directions; the dialling side
// is the operating system's own connection, so that whatever is measured there
// is measured on a real socket. Delays are kept so precisely that elapsed time
// against the RTT is a straight line whose slope is the number of round trips.
//
// Loss is not emulated: TCP repairs it below the sockets that this package
// sees, by the kernel's timers, and a delay made up here would only resemble
// it. A test of loss belongs in network namespaces with a queueing discipline.
package emulink

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// Path is what a network path does to packets. The zero value is a perfect wire.
type Path struct {
	// RTT is the round trip time without queueing; half of it passes in each direction.
	RTT time.Duration
	// Jitter is the most that a round trip takes longer than RTT. Each write is
	// delayed by its own share, evenly distributed; order is kept.
	Jitter time.Duration
	// BitsPerSecond is the capacity of each direction, shared by all connections; 0 is unlimited.
	BitsPerSecond int64
	// Burst is how many bytes pass at once after a pause before BitsPerSecond
	// holds them back, as a cloud's shaper lets them. It comes back at that rate.
	Burst int
	// InitialWindow is how many bytes a new connection may have unacknowledged
	// before slow start opens its congestion window; Linux begins with 14,600.
	// 0 is no congestion window at all.
	InitialWindow int
}

// onWire is how long n bytes take at the path's capacity.
func (p Path) onWire(n int) time.Duration {
	return time.Duration(float64(n) * 8 / float64(p.BitsPerSecond) * float64(time.Second))
}

// unit is how many bytes arrive together: segments where bytes take time, and
// elsewhere as many as are sent together, which is less work.
func (p Path) unit() int {
	if p.BitsPerSecond > 0 || p.InitialWindow > 0 {
		return segmentSize
	}
	return pieceSize
}

// Link is a Path that can be changed while connections use it. It is safe for
// concurrent use and needs no closing.
type Link struct {
	path     atomic.Pointer[Path]
	pacer    pacer
	memory   *memory // nil: the operating system's network
	up, down wire

	mu     sync.Mutex
	random *rand.Rand
}

// New makes a link. Two links of one path delay the same writes alike.
func New(p Path) *Link {
	l := &Link{random: rand.New(rand.NewPCG(1, 1))}
	l.Set(p)
	return l
}

// Set changes the path. It holds for what is sent from now on; what is under
// way arrives as it would have.
func (l *Link) Set(p Path) { l.path.Store(&p) }

// Path returns the path in force.
func (l *Link) Path() Path { return *l.path.Load() }

// Listen listens like net.Listen, for TCP only. Accepted connections delay
// what they receive and what they send by the path.
func (l *Link) Listen(network, address string) (net.Listener, error) {
	if l.memory != nil {
		return memoryListener{l}, nil
	}
	under, err := net.Listen(network, address)
	if err != nil {
		return nil, err
	}
	tcp, ok := under.(*net.TCPListener)
	if !ok {
		under.Close()
		return nil, fmt.Errorf("cannot listen on %s %s: an emulated link carries TCP only", network, address)
	}
	return &listener{tcp, l}, nil
}

// DialContext waits for one round trip, then connects like net.Dialer. On
// loopback a kernel completes the handshake at once and a process without
// privileges cannot hold back the SYN, so its cost is paid here. The result is
// the operating system's connection itself.
func (l *Link) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	p := l.Path()
	due := time.Now().Add(p.RTT + l.share(p.Jitter))
	if l.pacer.wait(due, stop{closed: ctx.Done()}) != nil {
		return nil, &net.OpError{Op: "dial", Net: network, Err: ctx.Err()}
	}
	if l.memory != nil {
		return l.memory.dial(ctx)
	}
	var d net.Dialer
	return d.DialContext(ctx, network, address)
}

// share draws a duration of 0 … most.
func (l *Link) share(most time.Duration) time.Duration {
	if most <= 0 {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return time.Duration(l.random.Int64N(int64(most) + 1))
}

type listener struct {
	*net.TCPListener
	link *Link
}

func (ln *listener) Accept() (net.Conn, error) {
	tcp, err := ln.AcceptTCP()
	if err != nil {
		return nil, err
	}
	return newConn(ln.link, tcp), nil
}
