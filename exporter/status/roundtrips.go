// The round trips of the last hour: all of the last few minutes, and of each
// minute before what it took to draw it.

package status

import (
	"math"
	"slices"
	"time"
)

const (
	keptTrips   = 256             // round trips: eight minutes at the probe's default interval
	keptMinutes = 60              // minutes
	recent      = 5 * time.Minute // what "now" means on the pages
)

// trip is one round trip: seconds since the epoch, and seconds that it took.
type trip struct {
	at   int64
	took float32
}

// minute sums one minute up. Its percentiles are those of its last keptTrips.
type minute struct {
	start         int64 // of the minute, seconds since the epoch
	runs, failed  int32
	min, p50, p99 float32 // seconds; 0: nothing was measured
}

// roundTrips keeps round trips.
type roundTrips struct {
	trips   ring[trip]
	minutes ring[minute]
}

func newRoundTrips() roundTrips {
	return roundTrips{trips: ring[trip]{size: keptTrips}, minutes: ring[minute]{size: keptMinutes}}
}

// add takes a run. One that succeeded without a figure, because it logged on
// or a bulk transfer of our own was on the link, counts as a run alone.
func (r *roundTrips) add(at time.Time, took float64, measured, failed bool) {
	start := at.Unix() / 60 * 60
	last := r.minutes.last()
	if last == nil || last.start != start {
		r.minutes.add(minute{start: start})
		last = r.minutes.last()
	}
	last.runs++
	if failed {
		last.failed++
	}
	if !measured {
		return
	}
	r.trips.add(trip{at.Unix(), float32(took)})
	of := r.since(start)
	last.min, last.p50, last.p99 = of[0], percentile(of, 50), percentile(of, 99)
}

// since returns what the kept round trips from then on took, in order of size.
func (r *roundTrips) since(start int64) []float32 {
	var of []float32
	for _, t := range r.trips.kept {
		if t.at >= start {
			of = append(of, t.took)
		}
	}
	slices.Sort(of)
	return of
}

// percentile is the smallest value that p percent of them do not exceed
// (nearest rank). There must be one.
func percentile(ordered []float32, p float64) float32 {
	rank := int(math.Ceil(p / 100 * float64(len(ordered))))
	return ordered[max(rank, 1)-1]
}
