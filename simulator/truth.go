// Ground truth: what the simulated database itself saw and did, to hold a client's figures against.
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

// Truth is what the simulated database did since it started.
type Truth struct {
	ConnectionsOpen  int   `json:"connections_open"`  // sockets
	ConnectionsTotal int64 `json:"connections_total"` //
	SessionsOpen     int   `json:"sessions_open"`     // sockets with a user logged on
	SessionsTotal    int64 `json:"sessions_total"`    //
	LogonFailures    int64 `json:"logon_failures_total"`
	Refused          int64 `json:"refused_total"` // connections the listener refused

	Work // of all connections, those that have ended included

	Connections []ConnectionTruth `json:"connections"` // open ones, and the last 1,000 that have ended; by number
}

// Work is what went over one connection, or over all.
type Work struct {
	// RoundTrips is how often the server answered after it had read, the exchanges before the log-on included.
	RoundTrips int64 `json:"round_trips"`
	// RoundTripsByCall is the same by what was answered: the listener's and the negotiations' exchanges by their names, TTC
	// functions by theirs, and "marker" for the second half of an error's or an interrupt's exchange.
	RoundTripsByCall map[string]int64 `json:"round_trips_by_call"`
	// Piggybacks are functions that came in front of another one, without a round trip of their own.
	Piggybacks map[string]int64 `json:"piggybacks"`

	BytesReceived int64 `json:"bytes_received"` // on the socket, with TLS if any
	BytesSent     int64 `json:"bytes_sent"`
	// NetBytesReceived and NetBytesSent are Oracle Net's bytes: under TLS what is inside its records, else the same as above.
	NetBytesReceived int64 `json:"net_bytes_received"`
	NetBytesSent     int64 `json:"net_bytes_sent"`

	RowsSent              int64 `json:"rows_sent"`
	BiggestPacketReceived int64 `json:"biggest_packet_received"` // DATA packets after the ACCEPT, header included
	BiggestPacketSent     int64 `json:"biggest_packet_sent"`
}

// ConnectionTruth is what the simulated database knows of one connection.
type ConnectionTruth struct {
	Number       int64     `json:"number"` // from 1, in the order of their arrival
	Open         bool      `json:"open"`
	TLS          bool      `json:"tls"`
	SessionID    int       `json:"session_id,omitempty"` // 0 until the log-on
	User         string    `json:"user,omitempty"`
	Program      string    `json:"program,omitempty"`
	Service      string    `json:"service,omitempty"`
	Version      uint16    `json:"version,omitempty"`
	RequestedSDU uint32    `json:"requested_sdu,omitempty"`
	GrantedSDU   uint32    `json:"granted_sdu,omitempty"`
	Started      time.Time `json:"started"`
	// Ended says how the connection ended: "logoff" when the client logged off, else what went wrong.
	Ended string `json:"ended,omitempty"`
	Work
}

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

// add adds the work of a connection to a total.
func (w *Work) add(other Work) {
	w.RoundTrips += other.RoundTrips
	w.BytesReceived += other.BytesReceived
	w.BytesSent += other.BytesSent
	w.NetBytesReceived += other.NetBytesReceived
	w.NetBytesSent += other.NetBytesSent
	w.RowsSent += other.RowsSent
	w.BiggestPacketReceived = max(w.BiggestPacketReceived, other.BiggestPacketReceived)
	w.BiggestPacketSent = max(w.BiggestPacketSent, other.BiggestPacketSent)
	for call, n := range other.RoundTripsByCall {
		w.RoundTripsByCall[call] += n
	}
	for function, n := range other.Piggybacks {
		w.Piggybacks[function] += n
	}
}

func newWork() Work {
	return Work{RoundTripsByCall: map[string]int64{}, Piggybacks: map[string]int64{}}
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

// finished closes it.
func (l *ledger) finished(m *meter, how string) {
	m.describe(func(c *ConnectionTruth) { c.Open, c.Ended = false, how })
	l.mutex.Lock()
	defer l.mutex.Unlock()
	delete(l.open, m)
	t := m.truth()
	l.totals.add(t.Work)
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
