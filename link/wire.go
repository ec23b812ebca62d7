// The socket: metered, and bound by the run's deadline whatever the driver
// asks of it.

package link

import (
	"context"
	"errors"
	"net"
	"os"
	"sync/atomic"
	"time"
)

// wire is a TCP connection with the meter on it. Everything above it, TLS
// included, passes through its Read and Write.
type wire struct {
	net.Conn
	meter *meter
	usage *Usage
	err   atomic.Pointer[error] // the first error of the socket
}

func newWire(conn net.Conn, m *meter, u *Usage) *wire {
	return &wire{Conn: conn, meter: m, usage: u}
}

// Read reads from the socket and meters it.
func (w *wire) Read(p []byte) (int, error) {
	start := time.Now()
	n, err := w.Conn.Read(p)
	w.meter.read(n, start, time.Now())
	w.usage.received.Add(int64(n))
	w.note(err)
	return n, err
}

// Write writes to the socket and meters it.
func (w *wire) Write(p []byte) (int, error) {
	n, err := w.Conn.Write(p)
	w.meter.wrote(n, time.Now())
	w.usage.sent.Add(int64(n))
	w.note(err)
	return n, err
}

// note keeps the first error, because the driver may turn it into another.
func (w *wire) note(err error) {
	if err != nil {
		w.err.CompareAndSwap(nil, &err)
	}
}

// firstError is what the socket itself reported first, nil if nothing.
func (w *wire) firstError() error {
	if err := w.err.Load(); err != nil {
		return *err
	}
	return nil
}

// bind makes ctx rule the socket: its deadline is the socket's, and its end
// interrupts whatever blocks. The returned function ends the binding.
func (w *wire) bind(ctx context.Context) (release func()) {
	deadline, _ := ctx.Deadline() // the zero time means none, for the socket too
	_ = w.Conn.SetDeadline(deadline)
	stop := context.AfterFunc(ctx, func() {
		_ = w.Conn.SetDeadline(time.Unix(1, 0))
	})
	return func() { stop() }
}

// SetDeadline and its like are refused silently: the driver resets deadlines
// before every read and write, which would erase the run's own.
func (w *wire) SetDeadline(time.Time) error      { return nil }
func (w *wire) SetReadDeadline(time.Time) error  { return nil }
func (w *wire) SetWriteDeadline(time.Time) error { return nil }

func isTimeout(err error) bool {
	var netErr net.Error
	return errors.Is(err, os.ErrDeadlineExceeded) ||
		errors.As(err, &netErr) && netErr.Timeout()
}
