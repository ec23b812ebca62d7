package faults

import (
	"context"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// network is TCP in memory. In a synctest bubble no time passes on it but what the peers let pass, so that a run's end can be held to
// the nanosecond; streams end, are reset and are cut by deadlines as the kernel's.
type network struct {
	dial     dialling
	others   map[string]*network     // by address; this one is at every other
	corrupt  func(net.Conn) net.Conn // what the client gets in place of its socket; nil: that
	accepted chan net.Conn
	closed   chan struct{}
	ends     [2]atomic.Int64 // open sockets: the client's, the server's
}

// dialling is what becomes of a SYN.
type dialling int

const (
	answered dialling = iota
	refused           // by a reset: nothing listens
	unreachable
	dropped
)

const clientEnd, serverEnd = 0, 1

func newNetwork() *network {
	return &network{accepted: make(chan net.Conn), closed: make(chan struct{})}
}

func (n *network) DialContext(ctx context.Context, _, address string) (net.Conn, error) {
	if other := n.others[address]; other != nil {
		return other.DialContext(ctx, "", address)
	}
	switch n.dial {
	case refused:
		return nil, failed("dial", os.NewSyscallError("connect", syscall.ECONNREFUSED))
	case unreachable:
		return nil, failed("dial", os.NewSyscallError("connect", syscall.EHOSTUNREACH))
	case dropped:
		<-ctx.Done()
		return nil, failed("dial", ctx.Err())
	}
	up, down := newStream(), newStream()
	client := &socket{in: down, out: up, open: &n.ends[clientEnd]}
	server := &socket{in: up, out: down, open: &n.ends[serverEnd]}
	select {
	case n.accepted <- server:
	case <-n.closed:
		return nil, failed("dial", os.NewSyscallError("connect", syscall.ECONNREFUSED))
	}
	n.ends[clientEnd].Add(1)
	n.ends[serverEnd].Add(1)
	if n.corrupt != nil {
		return n.corrupt(client), nil
	}
	return client, nil
}

// Listen returns the network itself: there is one listener.
func (n *network) Listen(string, string) (net.Listener, error) { return n, nil }

func (n *network) Accept() (net.Conn, error) {
	select {
	case c := <-n.accepted:
		return c, nil
	case <-n.closed:
		return nil, net.ErrClosed
	}
}

func (n *network) Close() error {
	close(n.closed)
	return nil
}

func (n *network) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1521} }

// stream is one direction of a connection.
type stream struct {
	mu       sync.Mutex
	change   *sync.Cond
	data     []byte
	end      error // io.EOF or a reset, behind data; nil while it goes on
	unwanted bool  // the reader has closed
	deadline time.Time
	timer    *time.Timer
}

func newStream() *stream {
	s := new(stream)
	s.change = sync.NewCond(&s.mu)
	return s
}

func (s *stream) read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		switch {
		case s.unwanted:
			return 0, net.ErrClosed
		case !s.deadline.IsZero() && !time.Now().Before(s.deadline):
			return 0, os.ErrDeadlineExceeded
		case len(s.data) > 0:
			n := copy(p, s.data)
			s.data = s.data[n:]
			return n, nil
		case s.end != nil:
			return 0, s.end
		}
		s.change.Wait()
	}
}

func (s *stream) write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.end != nil:
		return 0, net.ErrClosed
	case s.unwanted:
		return 0, os.NewSyscallError("write", syscall.EPIPE)
	}
	s.data = append(s.data, p...)
	s.change.Broadcast()
	return len(p), nil
}

// finish ends the stream on the writer's side.
func (s *stream) finish(how error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.end == nil {
		s.end = how
	}
	if how != io.EOF {
		s.end, s.data = how, nil // a reset throws away what was not read
	}
	s.change.Broadcast()
}

// abandon ends it on the reader's side, and tells whether something was left unread.
func (s *stream) abandon() (unread bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unwanted = true
	s.change.Broadcast()
	return len(s.data) > 0
}

func (s *stream) setDeadline(t time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.timer != nil {
		s.timer.Stop()
		s.timer = nil
	}
	s.deadline = t
	if left := time.Until(t); !t.IsZero() && left > 0 {
		s.timer = time.AfterFunc(left, s.change.Broadcast)
	}
	s.change.Broadcast()
}

// socket is one end of a connection.
type socket struct {
	in, out *stream
	open    *atomic.Int64
	linger0 atomic.Bool
	closing sync.Once
}

func failed(op string, err error) error {
	if err == nil || err == io.EOF {
		return err
	}
	return &net.OpError{Op: op, Net: "tcp", Err: err}
}

func (s *socket) Read(p []byte) (int, error) {
	n, err := s.in.read(p)
	return n, failed("read", err)
}

func (s *socket) Write(p []byte) (int, error) {
	n, err := s.out.write(p)
	return n, failed("write", err)
}

// Close says goodbye, or resets the connection where the kernel would: when told to, and when something was left unread.
func (s *socket) Close() error {
	err := net.ErrClosed
	s.closing.Do(func() {
		err = nil
		s.open.Add(-1)
		how := io.EOF
		if s.in.abandon() || s.linger0.Load() {
			how = failed("read", os.NewSyscallError("read", syscall.ECONNRESET))
		}
		s.out.finish(how)
		s.in.setDeadline(time.Time{})
	})
	return failed("close", err)
}

func (s *socket) CloseWrite() error {
	s.out.finish(io.EOF)
	return nil
}

func (s *socket) SetLinger(int) error {
	s.linger0.Store(true)
	return nil
}

func (s *socket) LocalAddr() net.Addr  { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1521} }
func (s *socket) RemoteAddr() net.Addr { return s.LocalAddr() }

func (s *socket) SetDeadline(t time.Time) error { return s.SetReadDeadline(t) }

func (s *socket) SetReadDeadline(t time.Time) error {
	s.in.setDeadline(t)
	return nil
}

// SetWriteDeadline does nothing: a write never blocks.
func (s *socket) SetWriteDeadline(time.Time) error { return nil }
