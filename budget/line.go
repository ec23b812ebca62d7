// An elapsed time as it grows with the distance: a straight line.

package budget

import (
	"errors"
	"time"
)

// Point is an elapsed time measured at a round-trip time.
type Point struct {
	Elapsed, RTT time.Duration
}

// Line is an elapsed time at any RTT: Fixed + RoundTrips × RTT. It describes
// a query as well as a connect.
type Line struct {
	Fixed      time.Duration // what does not depend on the distance
	RoundTrips float64       // the slope; measured, it need not be whole
}

// Through is the line through the points at the lowest and the highest RTT.
// Its slope says how many round trips something makes without counting them.
// It is an error if the RTTs do not differ.
func Through(low, high Point) (Line, error) {
	if low.RTT == high.RTT {
		return Line{}, errors.New("the two points were measured at the same round-trip time; a slope needs two that differ")
	}
	slope := float64(high.Elapsed-low.Elapsed) / float64(high.RTT-low.RTT)
	return low.Line(slope), nil
}

// Line is the line through one point, for something that makes that many
// round trips.
func (p Point) Line(roundTrips float64) Line {
	return Line{Fixed: p.Elapsed - times(p.RTT, roundTrips), RoundTrips: roundTrips}
}

// At is the elapsed time at a round-trip time.
func (l Line) At(rtt time.Duration) time.Duration { return l.Fixed + times(rtt, l.RoundTrips) }

// ConnectingAdds is what every query pays more where the application connects
// each time instead of acquiring a session from a pool.
func ConnectingAdds(connect Line, acquire, rtt time.Duration) time.Duration {
	return connect.At(rtt) - acquire
}
