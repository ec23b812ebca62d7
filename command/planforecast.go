// What plan has to say, in the form that a program reads.

package command

import (
	"encoding/json"
	"io"
	"slices"

	"oranet_exporter/budget"
	"oranet_exporter/link"
)

// forecast is the whole answer. Times are in seconds.
type forecast struct {
	OK      bool            `json:"ok"` // every budget holds
	Target  string          `json:"target,omitempty"`
	Link    linkForecast    `json:"link"`
	Queries []queryForecast `json:"queries"`
}

type linkForecast struct {
	RTT        float64 `json:"round_trip_seconds"`
	Measured   bool    `json:"measured"` // or given
	TCPConnect float64 `json:"tcp_connect_seconds,omitempty"`
	// Absent where not known.
	Connect           float64 `json:"connect_seconds,omitempty"`
	ConnectRoundTrips float64 `json:"connect_round_trips,omitempty"`
	Acquire           float64 `json:"pool_acquire_seconds"`
	ConnectingAdds    float64 `json:"connecting_each_time_adds_seconds,omitempty"`
}

type queryForecast struct {
	Name              string         `json:"name"`
	Rows              int            `json:"rows"`
	Max               float64        `json:"max_seconds,omitempty"`
	Holds             bool           `json:"holds"`
	ByArraysize       []sizeForecast `json:"by_arraysize"`
	SmallestArraysize int            `json:"smallest_arraysize,omitempty"` // that keeps max; absent: none does, or there is no max
}

type sizeForecast struct {
	Arraysize         int     `json:"arraysize"`
	InUse             bool    `json:"in_use"`
	RoundTrips        float64 `json:"round_trips"` // to the last row; not whole where a slope was measured
	RoundTripsToClose float64 `json:"round_trips_to_close"`
	Network           float64 `json:"network_seconds"`
	Rest              float64 `json:"rest_seconds"` // pool acquire, server, transfer, client
	Elapsed           float64 `json:"elapsed_seconds"`
	ConnectingElapsed float64 `json:"connecting_each_time_elapsed_seconds,omitempty"`
	Headroom          float64 `json:"headroom_seconds,omitempty"` // negative: over max
}

func newForecast(target string, cost linkCost, queries []query) *forecast {
	f := &forecast{OK: true, Target: target, Link: newLinkForecast(cost)}
	for _, q := range queries {
		one := newQueryForecast(cost, q)
		f.OK = f.OK && one.Holds
		f.Queries = append(f.Queries, one)
	}
	return f
}

func newLinkForecast(cost linkCost) linkForecast {
	l := linkForecast{RTT: cost.rtt.Seconds(), Measured: cost.tcp > 0, TCPConnect: cost.tcp.Seconds(), Acquire: cost.acquire.Seconds()}
	if cost.connectKnown() {
		l.Connect = cost.connect.At(cost.rtt).Seconds()
		l.ConnectRoundTrips = cost.connect.RoundTrips
		l.ConnectingAdds = cost.connectingAdds().Seconds()
	}
	return l
}

func newQueryForecast(cost linkCost, q query) queryForecast {
	f := queryForecast{Name: q.name, Rows: q.rows, Max: q.max.Seconds(), Holds: true}
	for _, n := range q.compared {
		f.ByArraysize = append(f.ByArraysize, newSizeForecast(cost, q, n))
	}
	if q.max == 0 {
		return f
	}
	for _, s := range f.ByArraysize {
		f.Holds = f.Holds && (s.Headroom >= 0 || !s.InUse)
	}
	b := budget.Budget{Shape: budget.Shape{Rows: q.rows}, Max: q.max}
	if n, ok := b.SmallestArraysize(q.model(cost), link.MaxArraysize); ok {
		f.SmallestArraysize = n
	} else if len(q.inUse) == 0 {
		f.Holds = false
	}
	return f
}

func newSizeForecast(cost linkCost, q query, arraysize int) sizeForecast {
	shape := budget.Shape{Rows: q.rows, Arraysize: arraysize}
	e := q.model(cost).Estimate(shape)
	elapsed := e.Elapsed()
	trips := float64(shape.RoundTrips()) * q.perTrip
	s := sizeForecast{
		Arraysize:         arraysize,
		InUse:             slices.Contains(q.inUse, arraysize),
		RoundTrips:        trips,
		RoundTripsToClose: trips + float64(shape.RoundTripsToClose()-shape.RoundTrips()),
		Network:           e.Network.Seconds(),
		Rest:              (elapsed - e.Network).Seconds(),
		Elapsed:           elapsed.Seconds(),
	}
	if cost.connectKnown() {
		s.ConnectingElapsed = (elapsed + cost.connectingAdds()).Seconds()
	}
	if q.max > 0 {
		s.Headroom = budget.Budget{Max: q.max}.Headroom(elapsed).Seconds()
	}
	return s
}

// JSON writes the plan for a program.
func (f *forecast) JSON(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(f)
}
