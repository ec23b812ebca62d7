// One attempt to open a link, step by step, each phase timed on its own.

package link

import (
	"context"
	"errors"
	"net"
	"time"

	"oranet_exporter/link/dsn"
	"oranet_exporter/link/tns"
	"oranet_exporter/link/wallet"
)

// maxDials bounds the connections of one attempt that a listener answered
// with a REDIRECT, so that one which redirects to itself costs four of them.
const maxDials = 4

var errRedirectLoop = errors.New("the listener redirected more often than is sane")

// opening is an attempt under way.
type opening struct {
	link    *Link
	meter   *meter
	attempt *Attempt
	sdu     int // to ask for

	phase Phase
	since time.Time
	peer  string

	wallet       *wallet.Wallet // nil: plain TCP, or TLS trusting the system's authorities
	certDemanded bool           // the server asked for a client certificate and none was sent
	judged       Answer         // to the password, as far as the calls have shown it
}

// connection is a link that a listener has accepted.
type connection struct {
	wire     *wire
	conn     net.Conn // what Oracle Net speaks over: the wire, or TLS on it
	accepted tns.Acceptance
}

func (l *Link) newOpening(sdu int) *opening {
	return &opening{
		link:    l,
		meter:   new(meter),
		attempt: &Attempt{Phases: make(map[Phase]time.Duration)},
		sdu:     sdu,
	}
}

// enter ends the phase under way and starts the next.
func (o *opening) enter(next Phase) {
	now := time.Now()
	if o.phase != "" && o.phase != PhaseConfig {
		o.attempt.Phases[o.phase] += now.Sub(o.since)
	}
	o.phase, o.since = next, now
	if next != "" {
		o.link.usage.enter(next)
	}
}

// finish closes the record and hands it to the link's user.
func (o *opening) finish(err error) {
	if err == nil {
		o.enter("")
	}
	o.attempt.Err = err
	o.attempt.RoundTrips += o.meter.Counts().RoundTrips
	o.link.usage.addAttempt(o.attempt)
}

// fail turns err into the Failure of the phase under way.
func (o *opening) fail(ctx context.Context, err error) *Failure {
	f := Classify(ctx, o.phase, err)
	if o.certDemanded && f.Reason == ReasonTLSHandshake {
		f.Reason = ReasonTLSClientCert
	}
	f.Peer = o.peer
	return f
}

// accept goes from the host name to the listener's ACCEPT, over redirects and
// the descriptor's other addresses.
func (o *opening) accept(ctx context.Context) (*connection, error) {
	var first error
	addresses := o.link.desc.Addresses
	for i, address := range addresses {
		turn, cancel := share(ctx, len(addresses)-i)
		c, err := o.follow(turn, address)
		cancel()
		if err == nil {
			return c, nil
		}
		if first == nil {
			first = err
		}
		if ctx.Err() != nil {
			break
		}
	}
	return nil, first
}

// share gives one of the turns that are left its part of the time that is left.
func share(ctx context.Context, turns int) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok || turns <= 1 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, time.Until(deadline)/time.Duration(turns))
}

// follow connects to one address and goes where its listener redirects.
func (o *opening) follow(ctx context.Context, address dsn.Address) (*connection, error) {
	o.enter(PhaseConfig)
	if err := o.loadWallet(address); err != nil {
		return nil, err
	}
	request := tns.ConnectRequest{SDU: o.sdu, Data: o.link.connectData(address)}
	certified := address // redirects do not change whose certificate is expected
	for range maxDials {
		c, err := o.dialSecure(ctx, address, certified)
		if err != nil {
			return nil, err
		}
		o.enter(PhaseTNS)
		o.attempt.RequestedSDU = o.sdu
		redirection, err := o.exchange(ctx, c, request, certified)
		if err == nil && redirection == nil {
			o.attempt.Address = address.HostPort()
			return c, nil
		}
		c.close()
		if err != nil {
			return nil, err
		}
		o.attempt.Redirects++
		next, err := dsn.ParseRedirect(redirection.Address)
		if err != nil {
			return nil, &Failure{Phase: PhaseTNS, Reason: ReasonProtocol, Peer: o.peer, Err: err}
		}
		next.Protocol = address.Protocol
		address = next
		request.Redirected = true
		if redirection.ConnectData != "" {
			request.Data = redirection.ConnectData
		}
	}
	return nil, &Failure{Phase: PhaseTNS, Reason: ReasonRedirectLoop, Peer: o.peer, Err: errRedirectLoop}
}

// dialSecure opens TCP and, where the descriptor says TCPS, TLS on it.
func (o *opening) dialSecure(ctx context.Context, address dsn.Address, certified dsn.Address) (*connection, error) {
	conn, err := o.dial(ctx, address)
	if err != nil {
		return nil, err
	}
	w := newWire(conn, o.meter, o.link.usage)
	c := &connection{wire: w, conn: w}
	release := w.bind(ctx)
	defer release()
	if address.HTTPSProxy != "" {
		if err := o.tunnel(w, address); err != nil {
			_ = w.Close()
			return nil, o.fail(ctx, err)
		}
	}
	if address.Protocol != dsn.TCPS {
		return c, nil
	}
	if err := o.secure(ctx, c, certified); err != nil {
		_ = w.Close()
		return nil, err
	}
	return c, nil
}
