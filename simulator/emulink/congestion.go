// The congestion window that a TCP sender opens by slow start (RFC 5681): a
// new connection may have few segments unacknowledged, and twice as much after
// every round trip. It never closes again: an emulated path loses nothing, and
// a pause is not a reason.

package emulink

import "time"

// congestion is one sender's window. Its zero value is one of a new connection.
type congestion struct {
	allowed int // bytes that may be unacknowledged; 0: nothing was asked yet
	flying  int // bytes that are
	flights []flight
}

// flight is what is acknowledged at one time.
type flight struct {
	bytes int
	acked time.Time
}

// turn is when n more bytes may be sent, as far as can be told now; it may
// have passed. With an initial window of 0 there is no limit.
func (c *congestion) turn(n, initial int) time.Time {
	if initial <= 0 {
		c.flying, c.flights = 0, nil
		return time.Time{}
	}
	c.allowed = max(c.allowed, initial)
	c.acknowledge(time.Now())
	if c.flying == 0 || c.flying+n <= c.allowed {
		return time.Time{}
	}
	return c.flights[0].acked
}

// acknowledge takes notice of the acknowledgements that have come until now.
func (c *congestion) acknowledge(now time.Time) {
	for len(c.flights) > 0 && !c.flights[0].acked.After(now) {
		n := c.flights[0].bytes
		c.flights = c.flights[1:]
		c.flying -= n
		c.allowed = min(c.allowed+n, window)
	}
}

func (c *congestion) sent(n int, acked time.Time) {
	c.flying += n
	c.flights = append(c.flights, flight{n, acked})
}
