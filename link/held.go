// A session that is held from one use to the next. On a long link to open it
// takes longer than one use may: then the opening goes on between the uses.

package link

import (
	"context"
	"errors"
	"time"
)

// openingUses bounds an opening: it may take as long as so many uses, if each
// of them has a deadline.
const openingUses = 5

// Held holds one session of a link. It is for one user at a time, who must
// close it.
type Held struct {
	link    *Link
	session *Session     // nil: none is open
	opening *heldOpening // nil: none is under way
}

// heldOpening is an opening under way.
type heldOpening struct {
	cancel  context.CancelFunc
	done    chan struct{} // closed when the rest is there
	session *Session
	attempt *Attempt
	err     error
}

// Hold makes a Held that opens its session when it is first asked for it.
func (l *Link) Hold() *Held { return &Held{link: l} }

var errStillOpening = errors.New("no session yet; it is still being opened, and the next run goes on with that. " +
	"On a link this long, give the probe a timeout of twelve round trips")

// Session returns the session, and the attempt that opened it if it is a new
// one. When ctx ends before it is open, that is a *Failure of the phase it was
// in; the opening goes on, for at most five times as long as ctx allowed, if
// its peer has said something in the last half of that time. A peer that was
// silent has it ended: a new attempt may find a better one.
func (h *Held) Session(ctx context.Context) (*Session, *Attempt, error) {
	if h.session != nil {
		return h.session, nil, nil
	}
	if h.opening == nil {
		h.open(ctx)
	}
	heard := h.await(ctx)
	select {
	case <-h.opening.done:
		return h.opened()
	default:
	}
	if heard && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return nil, nil, &Failure{Phase: h.link.usage.Phase(), Reason: ReasonTimeout, Err: errStillOpening}
	}
	h.opening.cancel()
	<-h.opening.done
	session, attempt, err := h.opened()
	if f := (*Failure)(nil); errors.As(err, &f) && f.Reason == ReasonCanceled {
		return nil, nil, f.endedBy(ctx)
	}
	return session, attempt, err
}

// endedBy is the failure of an opening that was canceled because ctx ended.
func (f *Failure) endedBy(ctx context.Context) *Failure {
	ended := *f
	ended.Reason = reasonOf(ctx, ctx.Err())
	if unanswered := (*unansweredError)(nil); errors.Is(f.Err, context.Canceled) && !errors.As(f.Err, &unanswered) {
		ended.Err = ctx.Err()
	}
	return &ended
}

// await waits for the opening until ctx ends, and tells whether the peer was
// heard in the last half of that time.
func (h *Held) await(ctx context.Context) (heard bool) {
	half := make(<-chan time.Time)
	if deadline, ok := ctx.Deadline(); ok {
		timer := time.NewTimer(time.Until(deadline) / 2)
		defer timer.Stop()
		half = timer.C
	}
	before := h.link.usage.Received()
	for {
		select {
		case <-h.opening.done:
			return true
		case <-half:
			before = h.link.usage.Received()
		case <-ctx.Done():
			return h.link.usage.Received() > before
		}
	}
}

// open starts an opening.
func (h *Held) open(ctx context.Context) {
	o := &heldOpening{done: make(chan struct{})}
	lasting := context.WithoutCancel(ctx)
	if deadline, ok := ctx.Deadline(); ok {
		lasting, o.cancel = context.WithTimeout(lasting, openingUses*time.Until(deadline))
	} else {
		lasting, o.cancel = context.WithCancel(lasting)
	}
	h.opening = o
	go func() {
		defer close(o.done)
		o.session, o.attempt, o.err = h.link.Open(lasting, DriverChooses)
	}()
}

// opened takes over what an opening that is done came to.
func (h *Held) opened() (*Session, *Attempt, error) {
	o := h.opening
	o.cancel()
	h.opening, h.session = nil, o.session
	return o.session, o.attempt, o.err
}

// Drop closes the session, after an error of it. The next use opens another.
func (h *Held) Drop(ctx context.Context) error {
	if h.session == nil {
		return nil
	}
	err := h.session.Close(ctx)
	h.session = nil
	return err
}

// Close ends an opening that is under way and logs the session off.
func (h *Held) Close(ctx context.Context) error {
	if h.opening != nil {
		h.opening.cancel()
		<-h.opening.done
		_, _, _ = h.opened() // that it failed is what was wanted
	}
	return h.Drop(ctx)
}
