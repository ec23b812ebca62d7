// What Oracle Net speaks over: a socket, or TLS on it, either of which can be made to misbehave.
package simulator

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"time"
)

// trickleEvery is the time between two bytes of a trickle.
const trickleEvery = 50 * time.Millisecond

// faultError ends a connection that a fault struck.
type faultError struct{ fault Fault }

func (e *faultError) Error() string { return "fault " + e.fault.String() }

// spoiler is a connection whose writes can be spoilt.
type spoiler struct {
	net.Conn
	slow bool
	cut  error // not nil: the next write is cut off and returns this
}

// Write sends p as it is, slowly, or half of it.
func (s *spoiler) Write(p []byte) (int, error) {
	switch {
	case s.cut != nil:
		n, err := s.Conn.Write(p[:len(p)/2])
		return n, errors.Join(s.cut, err)
	case s.slow:
		return s.trickle(p)
	}
	return s.Conn.Write(p)
}

func (s *spoiler) trickle(p []byte) (int, error) {
	for i := range p {
		if i > 0 {
			time.Sleep(trickleEvery)
		}
		if _, err := s.Conn.Write(p[i : i+1]); err != nil {
			return i, err
		}
	}
	return len(p), nil
}

// transport is one connection's way to its client.
type transport struct {
	meter  *meter
	bare   net.Conn  // as it was accepted
	socket *spoiler  // with its bytes counted
	top    *spoiler  // what Oracle Net speaks over: the socket, or TLS on it
	secure *tls.Conn // nil over plain TCP
	struck bool      // by a fault, in place of the last answer
}

func newTransport(m *meter, bare net.Conn) *transport {
	socket := &spoiler{Conn: countedSocket{Conn: bare, meter: m}}
	return &transport{meter: m, bare: bare, socket: socket, top: socket}
}

// handshake does the server's side of TLS within the time for a log-on. Done again, it puts a new TLS in place of the one before.
func (t *transport) handshake(config *tls.Config) error {
	ctx, cancel := context.WithTimeout(context.Background(), logonTimeout)
	defer cancel()
	t.secure = tls.Server(t.socket, config)
	if err := t.secure.HandshakeContext(ctx); err != nil {
		return err
	}
	if t.top == t.socket {
		t.top = new(spoiler)
	}
	t.top.Conn = t.secure
	return nil
}

// strike says that the given fault, or none (nil), is what the client gets next.
func (t *transport) strike(f *Fault) {
	for _, s := range []*spoiler{t.socket, t.top} {
		s.slow, s.cut = false, nil
	}
	if f != nil || t.struck {
		t.struck = f != nil
		t.meter.struck(f)
	}
}

// play plays a fault for which no packets need be known. It returns nil when the right answer is to follow.
func (t *transport) play(f Fault) error {
	ending := &faultError{f}
	switch f.Do.kind {
	case kindTrickle:
		t.top.slow = true
		return nil
	case kindTruncate:
		t.top.cut = ending
		return nil
	case kindReset:
		if tcp, ok := t.bare.(interface{ SetLinger(int) error }); ok {
			// It fails on a socket that is closed already.
			_ = tcp.SetLinger(0)
		}
		return ending
	case kindClose:
		// Closing both ways at once, with something unread, would be a reset.
		if tcp, ok := t.bare.(interface{ CloseWrite() error }); ok {
			_ = tcp.CloseWrite() // It fails on a socket that is closed already.
		}
	case kindGarbage:
		t.say(bytes.Repeat([]byte{0xa5}, 256))
	case kindHTTP:
		t.say([]byte("HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n400 Bad Request"))
	case kindAnswer:
		t.say([]byte(f.Do.text))
	}
	t.hold()
	return ending
}

// awaitHello waits for the first bytes of the client's handshake.
func (t *transport) awaitHello() {
	if t.socket.SetReadDeadline(time.Now().Add(logonTimeout)) == nil {
		_, _ = t.socket.Read(make([]byte, 16<<10))
	}
}

// say sends bytes to a client who may have gone already.
func (t *transport) say(b []byte) { _, _ = t.top.Write(b) }

// hold reads on, without a word, until the client closes the connection.
func (t *transport) hold() {
	if t.top.SetReadDeadline(time.Time{}) == nil {
		_, _ = io.Copy(io.Discard, t.top)
	}
}

// end closes the connection. TLS says goodbye, unless a fault is what ends it.
func (t *transport) end(why error) {
	if struck := (*faultError)(nil); errors.As(why, &struck) {
		_ = t.bare.Close()
	}
	if t.secure != nil {
		// That the client may have gone already does not matter.
		_ = t.secure.Close()
	}
}
