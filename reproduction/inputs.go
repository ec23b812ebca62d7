// What the emulated link and the simulated database are told, and where each
// input comes from. Everything else on the page is measured.

package main

import (
	"math"
	"time"

	"oranet_exporter/budget"
)

// The two cells of M3 that the shaper is fitted to: bulk at the arraysizes of
// 1,000 and 10,000 and the lowest RTT.
var fittedTo = [2]query{publishedQueries[4], publishedQueries[5]}

// answerBytes is what an answer of that many rows takes: 19.7 MB for 100,000.
func answerBytes(rows int) float64 { return 197 * float64(rows) }

// fitShaper finds the bandwidth and the burst of the published link. In both
// cells, what server and round trips leave of the elapsed time is the time of
// the bytes: of each answer, those beyond the burst, at the bandwidth.
func fitShaper() shaper {
	var left, answers [2]float64 // seconds in all; bytes of an answer
	var count [2]float64
	for i, q := range fittedTo {
		waiting := budget.Model{RTT: milliseconds(m3RTTs[0]), Work: budget.Work{Rows: q.shape.Rows, Server: q.server}}
		left[i] = q.elapsed[0].value() - waiting.Estimate(q.shape).Elapsed().Seconds()
		answers[i] = answerBytes(q.shape.Arraysize)
		count[i] = float64(q.shape.Rows / q.shape.Arraysize)
	}
	// count × (answer − burst) × 8 ÷ bandwidth = left, for both.
	per := [2]float64{left[0] / count[0], left[1] / count[1]}
	bytesPerSecond := (answers[1] - answers[0]) / (per[1] - per[0])
	return shaper{bitsPerSecond: 8 * bytesPerSecond, burst: answers[0] - per[0]*bytesPerSecond}
}

// serverTime is the database's for a bulk query, in proportion to M3's. A
// smaller arraysize than was published takes the time of the smallest.
func serverTime(rows, arraysize int) time.Duration {
	nearest := publishedQueries[3]
	for _, q := range publishedQueries[4:] {
		if q.shape.Arraysize <= arraysize {
			nearest = q
		}
	}
	return budget.Work{Rows: nearest.shape.Rows, Server: nearest.server}.For(rows).Server
}

// rtt is what the link is told for a line of a table.
func (a atRTT) rtt(t table) time.Duration {
	shape := budget.Shape{Rows: t.rows, Arraysize: t.arraysizes[0]}
	waiting := a.elapsed[0].value() - serverTime(t.rows, t.arraysizes[0]).Seconds()
	implied := seconds(waiting / float64(shape.RoundTrips()))
	published := milliseconds(printed(a.published))
	switch a.told {
	case asImplied:
		return implied
	case between:
		return (implied + published) / 2
	}
	return published
}

// slow chooses by how much a fetch is slowed, so that this machine's own work
// is a small part of it: 0.3 ms for each row or 50 ms for each round trip, at
// least a second and at most 100 s in all.
func (f fetch) slow() fetch {
	trips := budget.Shape{Rows: f.rows, Arraysize: f.arraysize}.RoundTrips()
	least := max(time.Second, min(100*time.Second, max(time.Duration(f.rows)*300*time.Microsecond, time.Duration(trips)*50*time.Millisecond)))
	f.slowed = int(math.Ceil(least.Seconds() / f.expected().Seconds()))
	return f
}

// expected is about what the fetch should take, if it is not slowed.
func (f fetch) expected() time.Duration {
	m := budget.Model{RTT: f.rtt, Work: budget.Work{
		Rows: f.rows, Server: f.server, Transfer: budget.Transfer(answerBytes(f.rows), f.shaper.bitsPerSecond),
	}}
	return m.Estimate(budget.Shape{Rows: f.rows, Arraysize: f.arraysize}).Elapsed()
}

func milliseconds(p printed) time.Duration { return seconds(p.value() / 1e3) }

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
