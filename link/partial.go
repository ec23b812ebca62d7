// The link up to a point: TCP alone, or Oracle Net up to ACCEPT. Neither
// needs the driver, a user or a password.

package link

import (
	"context"
	"crypto/tls"
)

// Connect resolves the name, opens a TCP connection to the first address of
// the descriptor that answers, and closes it. Attempt.Phases[PhaseTCP] is the
// time from SYN to SYN/ACK. The error is a *Failure.
func (l *Link) Connect(ctx context.Context) (*Attempt, error) {
	o := l.newOpening(0)
	err := o.connect(ctx)
	o.finish(err)
	return o.attempt, err
}

func (o *opening) connect(ctx context.Context) error {
	var first error
	addresses := o.link.desc.Addresses
	for i, address := range addresses {
		turn, cancel := share(ctx, len(addresses)-i)
		conn, err := o.dial(turn, address)
		cancel()
		if err == nil {
			o.enter("")
			return conn.Close()
		}
		if first == nil {
			first = err
		}
	}
	return first
}

// Negotiate goes as far as the listener's ACCEPT, asking for sdu bytes, and
// closes the connection. The error is a *Failure.
func (l *Link) Negotiate(ctx context.Context, sdu int) (*Attempt, error) {
	o := l.newOpening(sdu)
	c, err := o.accept(ctx)
	if err == nil {
		o.enter("")
		c.close()
	}
	o.finish(err)
	return o.attempt, err
}

// close ends the connection; TLS gets its close_notify, for which the socket's
// deadline still stands.
func (c *connection) close() {
	if t, ok := c.conn.(*tls.Conn); ok {
		_ = t.Close()
	}
	_ = c.wire.Close()
}
