// What heavy probes may put on a target's link in an hour. A measurement must
// not become the load that it measures.

package exporter

import (
	"errors"
	"sync"
	"time"

	"oranet_exporter/link"
	"oranet_exporter/probes"
)

// Allowance is what the heavy probes of a target may use together in an hour.
// Hours begin on the hour, UTC. A run that has begun is finished, so that an
// hour may exceed its allowance by one run.
type Allowance struct {
	Bytes  int `yaml:"bytes"`  // both directions, TLS included
	Logons int `yaml:"logons"` // refused ones as well
}

// defaultAllowance is some thirty times what the fetch probe uses at its
// defaults, 75 MB and 36 logons.
var defaultAllowance = Allowance{Bytes: 2_000_000_000, Logons: 1000}

// Resource is a thing of which there is an allowance.
type Resource string

// The resources; empty is none of them.
const (
	ResourceBytes  Resource = "bytes"
	ResourceLogons Resource = "logons"
)

var allowanceExhausted = &probes.Metric{
	Name:   "probe_allowance_exhausted_total",
	Help:   "Slots in which a heavy probe did not run, because the target's allowance of bytes or logons for the hour was used up.",
	Kind:   probes.Counter,
	Labels: []string{"probe", "resource"},
}

// spending is what was used of an allowance in the hour under way.
type spending struct {
	allowance Allowance

	mu     sync.Mutex
	hour   time.Time
	bytes  int64
	logons int
	told   bool // that it is used up
}

// add adds a run.
func (s *spending) add(now time.Time, r *Result) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turn(now)
	s.bytes += r.Received + r.Sent
	s.logons += logons(r.Attempts)
}

// exhausted says of what nothing is left, empty if there is something of all.
func (s *spending) exhausted(now time.Time) Resource {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turn(now)
	switch {
	case s.bytes >= int64(s.allowance.Bytes):
		return ResourceBytes
	case s.logons >= s.allowance.Logons:
		return ResourceLogons
	}
	return ""
}

// tell tells whether it is to be told, once in an hour, that nothing is left.
func (s *spending) tell() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	first := !s.told
	s.told = true
	return first
}

// renewed is when the hour after now begins.
func renewed(now time.Time) time.Time { return now.Truncate(time.Hour).Add(time.Hour) }

// turn begins a new hour when the old one is over.
func (s *spending) turn(now time.Time) {
	if hour := now.Truncate(time.Hour); !hour.Equal(s.hour) {
		s.hour, s.bytes, s.logons, s.told = hour, 0, 0, false
	}
}

// logons counts the attempts that came as far as the database's verdict.
func logons(attempts []*link.Attempt) (n int) {
	for _, a := range attempts {
		var failure *link.Failure
		_, accepted := a.Phases[link.PhaseAuth]
		if accepted || errors.As(a.Err, &failure) && failure.Phase == link.PhaseAuth {
			n++
		}
	}
	return n
}
