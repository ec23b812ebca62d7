// The sentences and the charts of the page that hold what was measured.

package main

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"oranet_exporter/budget"
)

const buffersText = "Two hosts in network namespaces, their kernels' own TCP between them, an RTT of 42 ms (three times the published one) and a limit " +
	"on the client's `tcp_rmem`: 100,000 rows at an arraysize of 10,000. Once the buffer is smaller than bandwidth × delay, throughput is " +
	"about half of the receive buffer in each round trip: the kernel keeps the other half for its bookkeeping. What the send buffer begins with is " +
	"the kernel version's affair."

func tablesText(s shaper) string {
	return fmt.Sprintf("Each fetch is on a new session, whose TCP begins slowly (10 segments). The path carries %.0f Mbit/s after a burst of %.0f KB: "+
		"the line through the two bulk cells of M3 at the lowest RTT and arraysizes of 1,000 and 10,000; nothing of M2 is in it. "+
		"The database takes what M3 says, in proportion to the rows. Where the publication gives the RTT roughly (500,000 rows), the link is told the one which its first "+
		"column implies; and where it is at odds with that column (JDBC: 2,001 round trips in less than 2,001 RTT), the mean of both. "+
		"Round trips are counted to the close of the cursor.", s.bitsPerSecond/1e6, s.burst/1e3)
}

const queriesText = "On a session whose windows are open. The slope is `(elapsed at 14.15 ms − elapsed at 3.79 ms) ÷ (14.15 ms − 3.79 ms)`; the estimate is " +
	"`T(3.79 ms) + slope × (10 ms − 3.79 ms)` by the package `budget` from our own two elapsed times, and beside it stands what a fetch at 10 ms took. " +
	"Published 13.9 round trips for 11 (arraysize 10,000) are of a session whose windows were opening; a new session's are in M2."

// elapsedChart draws the bulk queries, ours and the published.
func elapsedChart(queries []query, got []fetched) *chart {
	c := &chart{file: "elapsed.svg", title: "100,000 rows: time grows by waiting, not by volume", xLabel: "RTT, ms", yLabel: "elapsed, s"}
	for i, q := range queries {
		if q.shape.Rows < 100_000 {
			continue
		}
		colour := len(c.series) / 2
		var measured, published []point
		for _, f := range got[i*perQuery : (i+1)*perQuery] {
			measured = append(measured, point{inMilliseconds(f.rtt), f.elapsed.Seconds()})
		}
		slices.SortFunc(measured, func(a, b point) int { return cmp.Compare(a.x, b.x) })
		for i, rtt := range m3RTTs {
			published = append(published, point{rtt.value(), q.elapsed[i].value()})
		}
		name := "arraysize " + thousands(q.shape.Arraysize)
		c.series = append(c.series,
			series{name, style{colour, joined}, measured},
			series{name + ", published", style{colour, hollow}, published})
	}
	return c
}

func connectText(line budget.Line, trips int) string {
	return fmt.Sprintf("Ours: connect = %.1f ms + %.2f × RTT over mutual TLS, with %d round trips counted on the socket, the TCP handshake included. "+
		"Published: 98.1 ms + 6.20 × RTT for python-oracledb; another driver makes another number of round trips, so the slopes are held against "+
		"each driver's own count, and not against each other. The intercept is cryptography on somebody's processor.",
		1e3*line.Fixed.Seconds(), line.RoundTrips, trips)
}

func connectChart(got []connects, line budget.Line, trips int) *chart {
	c := &chart{file: "connect.svg", title: "A connect is an intercept and a slope", xLabel: "RTT, ms", yLabel: "connect, ms"}
	far := got[len(got)-1].rtt
	var measured, published []point
	for i, g := range got {
		measured = append(measured, point{inMilliseconds(g.rtt), inMilliseconds(g.connect)})
		published = append(published, point{publishedPooling[i].rtt.value(), publishedPooling[i].connect.value()})
	}
	counted := budget.Point{Elapsed: got[0].connect, RTT: got[0].rtt}.Line(float64(trips))
	c.series = []series{
		{fmt.Sprintf("fit: %.0f ms + %.2f × RTT", inMilliseconds(line.Fixed), line.RoundTrips), style{0, dashed},
			[]point{{0, inMilliseconds(line.Fixed)}, {inMilliseconds(far), inMilliseconds(line.At(far))}}},
		{"measured", style{0, hollow}, measured},
		{fmt.Sprintf("%d round trips counted", trips), style{2, dashed},
			[]point{{0, inMilliseconds(counted.Fixed)}, {inMilliseconds(far), inMilliseconds(counted.At(far))}}},
		{"published: 98.1 ms + 6.20 × RTT", style{1, dashed}, []point{{0, 98.1}, {inMilliseconds(far), 98.1 + 6.20*inMilliseconds(far)}}},
		{"python-oracledb, published", style{1, hollow}, published},
	}
	return c
}

func inMilliseconds(d time.Duration) float64 { return 1e3 * d.Seconds() }
