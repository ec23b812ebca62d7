// The meter on the socket: bytes, round trips, and where the time went.

package link

import (
	"sync"
	"time"
)

// Counts is what a meter has counted. Subtract an earlier reading from a
// later one to measure what lies between.
type Counts struct {
	Received int64 // bytes read from the socket, TLS included
	Sent     int64 // bytes written to the socket, TLS included

	// RoundTrips counts changes of direction: a write, then a read that
	// brought something.
	RoundTrips int
	// Waiting is the time from the end of the last write of a request to the
	// first byte of its answer, summed over all round trips.
	Waiting time.Duration
	// Receiving is the time spent in reads after an answer's first byte.
	Receiving time.Duration
	// FirstSegments is how many bytes had to be there before waiting could end.
	// A read does not return with a byte but with a TCP segment, so that on a
	// slow link the time to receive that segment is part of Waiting. The rest of
	// what a first read brought was there already.
	FirstSegments int64

	PacketsReceived int // Oracle Net packets, in the clear under TLS too
	PacketsSent     int
	Markers         int // MARKER packets, both directions
	BiggestReceived int // largest DATA packet received since the session began, bytes
	BiggestSent     int // largest DATA packet sent since the session began, bytes
}

// Sub returns what was counted between earlier and c. The biggest packets are
// those of c: they have no difference.
func (c Counts) Sub(earlier Counts) Counts {
	c.Received -= earlier.Received
	c.Sent -= earlier.Sent
	c.RoundTrips -= earlier.RoundTrips
	c.Waiting -= earlier.Waiting
	c.Receiving -= earlier.Receiving
	c.FirstSegments -= earlier.FirstSegments
	c.PacketsReceived -= earlier.PacketsReceived
	c.PacketsSent -= earlier.PacketsSent
	c.Markers -= earlier.Markers
	return c
}

// segmentBytes is the payload of a full TCP segment over Ethernet.
const segmentBytes = 1460

// meter counts on one connection. A second reader, such as a status page,
// may ask for the counts while the connection is in use.
type meter struct {
	mu        sync.Mutex
	counts    Counts
	awaiting  bool // the last thing that happened was a write
	lastWrite time.Time
}

func (m *meter) Counts() Counts {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.counts
}

func (m *meter) wrote(n int, end time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.counts.Sent += int64(n)
	if n > 0 {
		m.awaiting = true
		m.lastWrite = end
	}
}

func (m *meter) read(n int, start, end time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.counts.Received += int64(n)
	switch {
	case n == 0:
	case m.awaiting:
		m.awaiting = false
		m.counts.RoundTrips++
		m.counts.Waiting += end.Sub(m.lastWrite)
		m.counts.FirstSegments += int64(min(n, segmentBytes))
	default:
		m.counts.Receiving += end.Sub(start)
	}
}
