// An accepted connection, with the path's delay in both directions.

package emulink

import (
	"errors"
	"io"
	"net"
	"sync"
	"time"
)

// A peer that takes nothing for this long after our Close loses the rest, as
// it would to a kernel that gives up retransmitting.
const lingerTimeout = 2 * time.Second

// socket is what carries the bytes: a *net.TCPConn, or what stands for one.
type socket interface {
	net.Conn
	CloseWrite() error
	SetLinger(sec int) error
}

// conn is a net.Conn that also has the half-close and linger of *net.TCPConn.
type conn struct {
	tcp               socket
	inbound, outbound *lane

	reading, writing            sync.Mutex
	readDeadline, writeDeadline *deadline

	closing sync.Once
	closed  chan struct{}
}

func newConn(link *Link, tcp socket) *conn {
	c := &conn{
		tcp:           tcp,
		inbound:       newLane(link, &link.up),
		outbound:      newLane(link, &link.down),
		readDeadline:  newDeadline(),
		writeDeadline: newDeadline(),
		closed:        make(chan struct{}),
	}
	c.outbound.asked = c.inbound
	go c.pumpIn()
	go c.pumpOut()
	return c
}

// pumpIn stamps what the peer sent and hands it over to Read.
func (c *conn) pumpIn() {
	buf := make([]byte, 4*pieceSize)
	for {
		n, err := c.tcp.Read(buf)
		if _, stopped := c.inbound.send(buf[:n], stop{closed: c.closed}); stopped != nil {
			return
		}
		if err != nil {
			c.inbound.finish(err)
			return
		}
	}
}

// pumpOut gives the kernel what Write stamped, as it falls due, and closes the
// socket when all is sent and the connection is closed.
func (c *conn) pumpOut() {
	defer c.tcp.Close()
	for {
		if c.outbound.receive(stop{}) != nil {
			c.endStream()
			break
		}
		due := c.outbound.takeAll()
		if _, err := due.WriteTo(c.tcp); err != nil {
			c.outbound.fail(err)
			break
		}
		c.limitLinger()
	}
	<-c.closed
}

// endStream tells the peer that nothing more comes, unless the socket's own
// close is about to: after SetLinger(0) that is a reset instead.
func (c *conn) endStream() {
	if (stop{closed: c.closed}).check() == nil {
		// It fails if the peer is gone, and then there is nobody to tell.
		_ = c.tcp.CloseWrite()
	}
}

// limitLinger sees to it that a closed connection is not kept by a peer that takes nothing.
func (c *conn) limitLinger() {
	if (stop{closed: c.closed}).check() != nil {
		// It fails only on a socket that is closed, which then blocks nothing.
		_ = c.tcp.SetWriteDeadline(time.Now().Add(lingerTimeout))
	}
}

func (c *conn) Read(b []byte) (int, error) {
	c.reading.Lock()
	defer c.reading.Unlock()
	s := stop{c.closed, c.readDeadline.done()}
	if len(b) == 0 {
		return 0, c.failed("read", s.check())
	}
	if err := c.inbound.receive(s); err != nil {
		return 0, c.failed("read", err)
	}
	return c.inbound.read(b), nil
}

func (c *conn) Write(b []byte) (int, error) {
	c.writing.Lock()
	defer c.writing.Unlock()
	n, err := c.outbound.send(b, stop{c.closed, c.writeDeadline.done()})
	return n, c.failed("write", err)
}

// failed dresses an error as the net package does.
func (c *conn) failed(op string, err error) error {
	var dressed *net.OpError
	if err == nil || err == io.EOF || errors.As(err, &dressed) {
		return err
	}
	return &net.OpError{Op: op, Net: "tcp", Source: c.LocalAddr(), Addr: c.RemoteAddr(), Err: err}
}

// Close ends both directions. What was written before still arrives.
func (c *conn) Close() error {
	err := net.ErrClosed
	c.closing.Do(func() {
		err = nil
		close(c.closed)
		c.limitLinger()
		c.outbound.finish(io.EOF)
	})
	return c.failed("close", err)
}

// CloseWrite ends the sending direction only.
func (c *conn) CloseWrite() error {
	c.outbound.finish(io.EOF)
	return nil
}

// SetLinger is TCPConn.SetLinger: 0 makes Close reset the connection.
func (c *conn) SetLinger(sec int) error { return c.tcp.SetLinger(sec) }

func (c *conn) LocalAddr() net.Addr  { return c.tcp.LocalAddr() }
func (c *conn) RemoteAddr() net.Addr { return c.tcp.RemoteAddr() }

func (c *conn) SetDeadline(t time.Time) error {
	if err := c.SetReadDeadline(t); err != nil {
		return err
	}
	return c.SetWriteDeadline(t)
}

func (c *conn) SetReadDeadline(t time.Time) error  { return c.setDeadline(c.readDeadline, t) }
func (c *conn) SetWriteDeadline(t time.Time) error { return c.setDeadline(c.writeDeadline, t) }

func (c *conn) setDeadline(d *deadline, t time.Time) error {
	if (stop{closed: c.closed}).check() != nil {
		return c.failed("set", net.ErrClosed)
	}
	d.set(t)
	return nil
}
