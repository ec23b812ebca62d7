// The elapsed time of a query, term by term.

package budget

import (
	"math"
	"time"
)

// Work is what a query took beside waiting for the network, as measured by a
// fetch of that many rows or as assumed.
type Work struct {
	Rows     int           // that it was for; with 0 rows nothing is known, and nothing is added
	Server   time.Duration // execution and the fetches' own time in the database
	Transfer time.Duration // receiving: bytes ÷ bandwidth
	Client   time.Duration // everything else
}

// For is the same work for another number of rows, in proportion.
func (w Work) For(rows int) Work {
	if w.Rows <= 0 {
		return Work{}
	}
	share := float64(rows) / float64(w.Rows)
	return Work{Rows: rows, Server: times(w.Server, share), Transfer: times(w.Transfer, share), Client: times(w.Client, share)}
}

// Transfer is how long that many bytes take at that many bits per second; no
// time where the bandwidth is 0, not limited.
func Transfer(bytes, bitsPerSecond float64) time.Duration {
	if bitsPerSecond <= 0 {
		return 0
	}
	return times(time.Second, bytes*8/bitsPerSecond)
}

// Model is what the link and the database cost.
type Model struct {
	RTT     time.Duration // of one round trip
	Connect time.Duration // to come by a session: a cold connect, an acquire from a pool, or 0 for one that is held
	Work    Work          // of any number of rows
}

// Estimate is an elapsed time taken apart.
type Estimate struct {
	Connect  time.Duration
	Server   time.Duration
	Network  time.Duration // round trips × RTT
	Transfer time.Duration
	Client   time.Duration
}

// Estimate says what a query of that shape takes, from asking for a session
// to its last row.
func (m Model) Estimate(s Shape) Estimate {
	work := m.Work.For(s.Rows)
	return Estimate{
		Connect:  m.Connect,
		Server:   work.Server,
		Network:  times(m.RTT, float64(s.RoundTrips())),
		Transfer: work.Transfer,
		Client:   work.Client,
	}
}

// Elapsed is the sum of the terms.
func (e Estimate) Elapsed() time.Duration {
	return e.Connect + e.Server + e.Network + e.Transfer + e.Client
}

// forever, 36 years, is where a product ends, so that a sum of several does
// not run over into the past.
const forever = math.MaxInt64 / 8

func times(d time.Duration, factor float64) time.Duration {
	return time.Duration(math.Round(min(float64(d)*factor, forever)))
}
