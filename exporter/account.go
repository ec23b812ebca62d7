// When not to log on again, because a wrong password that is tried too often
// locks the account.

package exporter

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"sync"
	"time"

	"oranet_exporter/link"
)

// never is a back-off that only a reload ends.
const never = time.Duration(math.MaxInt64)

// After a refused logon the next try comes in 10 minutes, the third half an
// hour later, the fourth an hour after that: three tries in the first hour.
var logonWaits = []time.Duration{10 * time.Minute, 30 * time.Minute, time.Hour,
	2 * time.Hour, 4 * time.Hour, 8 * time.Hour, 16 * time.Hour, 24 * time.Hour}

// maxUnanswered is how many logons with a password that worked may be on at
// once: if it has been changed, all of them are refused.
const maxUnanswered = 3

// account is one user of one database: what everything that logs on as it
// knows together. It is a link.Guard.
type account struct {
	mu         sync.Mutex
	refused    int  // in a row, of the password wrong
	silent     bool // the last of these got no answer
	until      time.Time
	locked     bool
	wrong      print // of the password that was refused last
	right      print // of the password that worked last
	unanswered int
	news       chan struct{} // closed when an answer comes
	once       bool          // for a check: nothing is tried again
}

// print tells passwords apart without keeping any.
type print uint64

var printSeed = maphash.MakeSeed()

func printOf(password string) print { return print(maphash.String(printSeed, password)) }

func newAccount() *account { return &account{news: make(chan struct{})} }

// Why a logon is not let through, and when it will be.
const (
	lockedText     = "not tried: the account is locked; unlock it"
	lockedUntil    = ", then reload the configuration"
	refusedText    = "not tried: this password was refused"
	unansweredText = "not tried: this password never worked here, and the last try got no answer, which may have been a refusal"
	refusedUntil   = "; it is tried again in %s, or when a reload finds another one"
)

// Enter lets a logon through, or says why not. While a password is not known
// to work, one logon at a time may be unanswered: the next one waits for the
// answer, within its own deadline.
func (a *account) Enter(ctx context.Context, password string) (answered func(link.Answer), err error) {
	p := printOf(password)
	for {
		admitted, news, err := a.ask(time.Now(), p)
		if err != nil {
			return nil, err
		}
		if admitted {
			return func(answer link.Answer) { a.answered(time.Now(), p, answer) }, nil
		}
		select {
		case <-news:
		case <-ctx.Done():
			return nil, fmt.Errorf("an earlier logon as the same user is still unanswered: %w", ctx.Err())
		}
	}
}

// ask takes a place for a logon. If there is none, news will tell when to ask
// again.
func (a *account) ask(now time.Time, p print) (admitted bool, news <-chan struct{}, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.locked || p == a.wrong && now.Before(a.until) {
		return false, nil, a.heldBack(now)
	}
	places := 1
	if p == a.right {
		places = maxUnanswered
	}
	if a.unanswered >= places {
		return false, a.news, nil
	}
	a.unanswered++
	return true, nil, nil
}

// heldBack is the failure of a logon that is not tried now. It blames nobody's
// password for a database that is silent.
func (a *account) heldBack(now time.Time) *link.Failure {
	text, reason, until := refusedText, link.ReasonAuthFailed, fmt.Sprintf(refusedUntil, a.until.Sub(now).Round(time.Second))
	switch {
	case a.locked:
		text, reason, until = lockedText, link.ReasonAccountLocked, lockedUntil
	case a.silent:
		text, reason = unansweredText, link.ReasonTimeout
	}
	if !a.once {
		text += until
	}
	return &link.Failure{Phase: link.PhaseAuth, Reason: reason, Err: errors.New(text)}
}

// answered tells what the database made of a password that Enter let through.
// No answer to one that never worked may have been a refusal: databases delay
// those, and a run that was ended did not wait for it.
func (a *account) answered(now time.Time, p print, answer link.Answer) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.unanswered--
	close(a.news)
	a.news = make(chan struct{})
	switch {
	case answer == link.Accepted:
		a.right, a.wrong = p, 0
		a.refused, a.until, a.locked = 0, time.Time{}, false
	case answer == link.Locked:
		a.locked = true
	case answer == link.Denied, answer == link.NoAnswer && p != a.right:
		if p != a.wrong {
			a.refused = 0
		}
		a.until = now.Add(logonWaits[min(a.refused, len(logonWaits)-1)])
		a.refused++
		a.silent = answer == link.NoAnswer
		a.right, a.wrong = 0, p
	}
}

// left is how long no run may start.
func (a *account) left(now time.Time) time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.locked {
		return never
	}
	return max(0, a.until.Sub(now))
}

// refusal is the failure of a run that is not started, nil if one may start.
func (a *account) refusal(now time.Time) *link.Failure {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.locked && !now.Before(a.until) {
		return nil
	}
	return a.heldBack(now)
}

// reloaded lets a locked account be tried again, as someone may have unlocked
// it, and a refused password only if it has been replaced: reloading again and
// again must not lock the account.
func (a *account) reloaded(password string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.locked = false
	if printOf(password) != a.wrong {
		a.refused, a.until = 0, time.Time{}
	}
}

// accountKey is whose account it is. A target whose password lies elsewhere has
// its own, so that a wrong one there holds back nobody else.
type accountKey struct {
	dsn, configDir, user string
	password             link.Secret
}

func keyOf(cfg link.Config) accountKey {
	return accountKey{cfg.DSN, cfg.ConfigDir, cfg.User, cfg.Password}
}

// accounts are those in use, and those held back: taking a target out and
// putting it in again changes nothing for the database.
type accounts map[accountKey]*account

// of returns the account of a target, a new one if there is none.
func (all accounts) of(cfg link.Config) *account {
	key := keyOf(cfg)
	if all[key] == nil {
		all[key] = newAccount()
	}
	return all[key]
}

// reloaded tells the accounts of the targets in force that they are, and
// forgets those that are neither in use nor held back.
func (all accounts) reloaded(targets []*live) {
	used := map[accountKey]bool{}
	for _, t := range targets {
		key := keyOf(t.config.Link)
		used[key] = true
		if password, err := t.config.Link.Password.Reveal(); err == nil {
			t.account.reloaded(password)
		}
	}
	now := time.Now()
	for key, a := range all {
		if !used[key] && a.left(now) == 0 {
			delete(all, key)
		}
	}
}
