// The books behind the ground truth: a meter for each connection, and the ledger of all.
package simulator

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"oranet_exporter/simulator/tns"
)

// keptSessions is how many sessions that have ended Truth still lists; the totals hold all of them.
const keptSessions = 1000

// meter counts the work of one connection. Its owner counts, anyone may read.
type meter struct {
	socketReceived, socketSent atomic.Int64
	roundTrips, rows           atomic.Int64
	traffic                    tns.Traffic

	mutex             sync.Mutex
	byCall, piggyback map[string]int64
	connection        ConnectionTruth // without Work
}

// roundTrip counts a round trip of the given name.
func (m *meter) roundTrip(call string) {
	m.roundTrips.Add(1)
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.byCall[call]++
}

// piggybacked counts a function that came in front of another one.
func (m *meter) piggybacked(function string) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.piggyback[function]++
}

// describe changes what is known of the connection.
func (m *meter) describe(change func(*ConnectionTruth)) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	change(&m.connection)
}

// struck tells which fault the client gets in place of an answer; nil that it gets good answers again.
func (m *meter) struck(f *Fault) {
	text := ""
	if f != nil {
		text = f.String()
	}
	m.describe(func(c *ConnectionTruth) { c.Fault = text })
}

// truth returns what is known of the connection now.
func (m *meter) truth() ConnectionTruth {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	t := m.connection
	t.Work = Work{
		RoundTrips:            m.roundTrips.Load(),
		RoundTripsByCall:      maps.Clone(m.byCall),
		Piggybacks:            maps.Clone(m.piggyback),
		BytesReceived:         m.socketReceived.Load(),
		BytesSent:             m.socketSent.Load(),
		RowsSent:              m.rows.Load(),
		NetBytesReceived:      m.traffic.BytesReceived.Load(),
		NetBytesSent:          m.traffic.BytesSent.Load(),
		BiggestPacketReceived: m.traffic.BiggestReceived.Load(),
		BiggestPacketSent:     m.traffic.BiggestSent.Load(),
	}
	return t
}

// ledger is the server's book of all connections.
type ledger struct {
	mutex  sync.Mutex
	totals Truth // of what has ended, and the counters of events
	open   map[*meter]struct{}
	ended  []ConnectionTruth
}

func newLedger() *ledger {
	return &ledger{totals: Truth{Work: newWork()}, open: map[*meter]struct{}{}}
}

// started opens the book of a connection.
func (l *ledger) started(overTLS bool, now time.Time) *meter {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.totals.ConnectionsTotal++
	m := &meter{byCall: map[string]int64{}, piggyback: map[string]int64{}}
	m.connection = ConnectionTruth{Number: l.totals.ConnectionsTotal, Open: true, TLS: overTLS, Started: now}
	l.open[m] = struct{}{}
	return m
}

// loggedOff is how a connection ends that the client ended in order.
const loggedOff = "logoff"

// finished closes it. closing tells that the database itself was ending all its connections.
func (l *ledger) finished(m *meter, how string, closing bool) {
	m.describe(func(c *ConnectionTruth) { c.Open, c.Ended = false, how })
	l.mutex.Lock()
	defer l.mutex.Unlock()
	delete(l.open, m)
	t := m.truth()
	l.totals.add(t.Work)
	switch {
	case t.SessionID == 0:
	case how == loggedOff:
		l.totals.SessionsLoggedOff++
	case t.Fault != "", closing:
		l.totals.SessionsKilled++
	default:
		l.totals.SessionsDropped++
	}
	l.ended = append(l.ended, t)
	if len(l.ended) > keptSessions {
		l.ended = slices.Delete(l.ended, 0, len(l.ended)-keptSessions)
	}
}

// loggedOn counts a log-on and returns the number of the session.
func (l *ledger) loggedOn() int64 {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.totals.SessionsTotal++
	return l.totals.SessionsTotal
}

// denied counts a log-on that failed.
func (l *ledger) denied() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.totals.LogonFailures++
}

// refused counts a connection that the listener refused.
func (l *ledger) refused() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.totals.Refused++
}

// truth returns everything.
func (l *ledger) truth() Truth {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	t := l.totals
	t.Work = newWork()
	t.Work.add(l.totals.Work)
	t.Connections = slices.Clone(l.ended)
	for m := range l.open {
		c := m.truth()
		t.ConnectionsOpen++
		if c.SessionID != 0 {
			t.SessionsOpen++
		}
		t.Work.add(c.Work)
		t.Connections = append(t.Connections, c)
	}
	slices.SortFunc(t.Connections, func(a, b ConnectionTruth) int { return cmp.Compare(a.Number, b.Number) })
	return t
}
