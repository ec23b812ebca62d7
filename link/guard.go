// When a password may go to the database: a wrong one that is tried too often
// locks the account.

package link

import "context"

// Guard is asked before each logon. All links that log on as the same user of
// the same database share one, so that together they do not lock the account.
type Guard interface {
	// Enter returns when this password may be tried, or an error that says why
	// it may not; a *Failure keeps its phase and reason. answered must be
	// called once, with what the database made of the password.
	Enter(ctx context.Context, password string) (answered func(Answer), err error)
}

// Answer is what a database made of a password.
type Answer int

// The answers.
const (
	Unjudged Answer = iota // it never went out, or something else was the matter
	NoAnswer               // it went out, and the attempt ended before the answer came
	Accepted
	Denied
	Locked // nobody logs on, whatever the password
)

// Guarded returns the same link with its logons let through by g.
func (l *Link) Guarded(g Guard) *Link {
	view := *l
	view.guard = g
	return &view
}

// passGuard asks the guard, if there is one. Waiting for it is in no phase.
func (o *opening) passGuard(ctx context.Context, password string) (answered func(Answer), err error) {
	if o.link.guard == nil {
		return func(Answer) {}, nil
	}
	phase := o.phase
	o.enter(PhaseConfig)
	if answered, err = o.link.guard.Enter(ctx, password); err != nil {
		return nil, Classify(ctx, PhaseAuth, err)
	}
	o.enter(phase)
	return answered, nil
}

// judge says what became of the password in a logon that failed.
func (o *opening) judge(failure *Failure) Answer {
	switch {
	case o.judged == Accepted: // and what failed came later
		return Accepted
	case failure.Reason == ReasonAuthFailed:
		return Denied
	case failure.Reason == ReasonAccountLocked:
		return Locked
	case failure.ORA != 0:
		return Unjudged
	}
	return o.judged
}
