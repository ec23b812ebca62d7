// The published elapsed times of fetches: clients in or near Japan against an
// Autonomous Database (ADB-S 26ai, 2 ECPU) in Tokyo, rows of about 200 bytes.

package main

import (
	"time"

	"oranet_exporter/budget"
)

// table holds the elapsed times of one query, in seconds.
type table struct {
	name       string
	rows       int
	arraysizes []int
	trips      []int // round trips with the close of the cursor; 0: not published
	at         []atRTT
}

// atRTT is one line of a table.
type atRTT struct {
	published string    // RTT, milliseconds
	elapsed   []printed // by arraysize

	told told
}

// told is which RTT the emulated link is told for a line.
type told int

const (
	asPublished told = iota
	// asImplied is what the line's first column implies: the publication gives
	// the RTT roughly.
	asImplied
	// between is the mean of both: the first column takes less time than its
	// round trips at the published RTT would.
	between
)

// MEASUREMENTS M2.
var publishedFetches = []table{
	{"500,000 rows", 500_000, []int{100, 1000, 10_000}, []int{5002, 502, 52}, []atRTT{
		{"≈ 4", []printed{"18.33", "2.62", "1.33"}, asImplied},
	}},
	{"100,000 rows", 100_000, []int{100, 1000, 10_000}, []int{1002, 102, 12}, []atRTT{
		{"3.96", []printed{"4.07", "0.54", "0.28"}, asPublished},
		{"14.5", []printed{"14.51", "1.69", "0.48"}, asPublished},
	}},
	{"20,000 rows, JDBC thin", 20_000, []int{10, 100, 1000, 10_000}, []int{2002, 202, 0, 4}, []atRTT{
		{"4.42", []printed{"7.4", "0.78", "0.13", "0.06"}, between},
		{"16.5", []printed{"28.4", "2.90", "0.39", "0.16"}, between},
	}},
}

// query is a row of MEASUREMENTS M3.
type query struct {
	name     string
	shape    budget.Shape
	server   time.Duration
	elapsed  [3]printed // seconds, at m3RTTs
	slope    printed    // (elapsed high − low) ÷ (RTT high − low)
	estimate printed    // seconds at 10 ms; "": not published
	over     bool       // of 3 s, by the estimate
	allowed  allowance  // of the slope
}

var m3RTTs = [3]printed{"3.79", "9.43", "14.15"} // milliseconds

// The slopes of the first three follow from their elapsed times, which were
// rounded to milliseconds.
var publishedQueries = []query{
	{"one row, arraysize 1", budget.Shape{Rows: 1, Arraysize: 1}, 600 * time.Microsecond,
		[3]printed{"0.007", "0.018", "0.027"}, "1.93", "0.02", false, within},
	{"page of 1,000 rows, arraysize 100", budget.Shape{Rows: 1000, Arraysize: 100}, 2900 * time.Microsecond,
		[3]printed{"0.043", "0.102", "0.157"}, "11.0", "", false, within},
	{"page of 1,000 rows, arraysize 1,000", budget.Shape{Rows: 1000, Arraysize: 1000}, 1 * time.Millisecond,
		[3]printed{"0.009", "0.021", "0.029"}, "1.93", "0.02", false, within},
	{"bulk of 100,000 rows, arraysize 100", budget.Shape{Rows: 100_000, Arraysize: 100}, 98 * time.Millisecond,
		[3]printed{"3.911", "9.336", "14.193"}, "992.5", "10.08", true, within},
	{"bulk of 100,000 rows, arraysize 1,000", budget.Shape{Rows: 100_000, Arraysize: 1000}, 64800 * time.Microsecond,
		[3]printed{"0.505", "1.069", "1.572"}, "103.0", "1.15", false, within},
	// Published 13.9 for 11 round trips: a session whose windows had not fully
	// opened. Ours have; those of a new session are in M2.
	{"bulk of 100,000 rows, arraysize 10,000", budget.Shape{Rows: 100_000, Arraysize: 10_000}, 55900 * time.Microsecond,
		[3]printed{"0.252", "0.318", "0.396"}, "13.9", "0.34", false, 0.25},
}

// within is what an elapsed time's ratio may be off.
const within allowance = 0.10
