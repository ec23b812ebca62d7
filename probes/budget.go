// What samples tell of an application's budget: the round trip, the work
// beside it, and which histograms a budget's limit can be read from.

package probes

import (
	"strconv"
	"time"

	"oranet_exporter/budget"
)

// QueryTimes are the histograms of a whole query's time, which is what a
// budget limits. Whoever makes them adds the limits to their buckets, so that
// the share of queries within a budget is exact.
var QueryTimes = []*Metric{fetchSeconds, poolQuerySeconds}

// RoundTripTime returns the round trip that a run of RoundTrip measured; false
// if these samples hold none.
func RoundTripTime(samples []Sample) (time.Duration, bool) {
	for _, s := range samples {
		if s.Metric == roundTripSeconds {
			return asDuration(s.Value), true
		}
	}
	return 0, false
}

// FetchWork returns what a run of Fetch found the query to take beside waiting
// for the network, by arraysize; nothing from other samples. A fetch whose
// arraysize the driver chose is left out, as no budget can name it.
func FetchWork(samples []Sample) map[int]budget.Work {
	found := make(map[int]budget.Work)
	for _, s := range samples {
		if s.Metric != fetchRowsTotal && s.Metric != fetchComponentSeconds {
			continue
		}
		arraysize, err := strconv.Atoi(s.Values[0])
		if err != nil {
			continue
		}
		work := found[arraysize]
		if s.Metric == fetchRowsTotal {
			work.Rows = int(s.Value)
		} else {
			addComponent(&work, s.Values[1], asDuration(s.Value))
		}
		found[arraysize] = work
	}
	return found
}

func addComponent(w *budget.Work, component string, d time.Duration) {
	switch component {
	case "server":
		w.Server = d
	case "transfer":
		w.Transfer = d
	case "client":
		w.Client = d
	}
}

func asDuration(seconds float64) time.Duration {
	return time.Duration(seconds * float64(time.Second))
}
