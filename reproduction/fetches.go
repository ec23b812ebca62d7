// M2 and M3: fetches by arraysize, and their elapsed time against the RTT.

package main

import (
	"fmt"
	"strconv"
	"time"

	"oranet_exporter/budget"
)

// estimateRTT is where M3 estimates, and 3 s is what it holds that against.
const (
	estimateRTT = 10 * time.Millisecond
	limit       = 3 * time.Second
)

func reproduceFetches(l *lab) ([]section, error) {
	tables, queries := tableFetches(publishedFetches), queryFetches(publishedQueries)
	got, err := l.measureFetches(append(tables, queries...))
	if err != nil {
		return nil, err
	}
	return []section{
		compareTables(publishedFetches, got[:len(tables)]),
		compareQueries(publishedQueries, got[len(tables):]),
	}, nil
}

// tableFetches are the fetches of the tables, line by line.
func tableFetches(tables []table) []fetch {
	var all []fetch
	for _, t := range tables {
		for _, line := range t.at {
			for _, arraysize := range t.arraysizes {
				f := fetch{
					name: fmt.Sprintf("%s, arraysize %s at %s ms", t.name, thousands(arraysize), line.published),
					rows: t.rows, arraysize: arraysize, rtt: line.rtt(t),
					server: serverTime(t.rows, arraysize), shaper: fitShaper(), newSession: true,
				}
				all = append(all, f.slow())
			}
		}
	}
	return all
}

// perQuery is how many fetches there are of each query: at the RTT of the
// estimate, and at those of M3.
const perQuery = 1 + len(m3RTTs)

// queryFetches are the fetches of each query at the published RTTs, and at the
// one of the estimate.
func queryFetches(queries []query) []fetch {
	var all []fetch
	for _, q := range queries {
		rtts := []time.Duration{estimateRTT}
		for _, p := range m3RTTs {
			rtts = append(rtts, milliseconds(p))
		}
		for _, rtt := range rtts {
			f := fetch{
				name: fmt.Sprintf("%s at %v", q.name, rtt),
				rows: q.shape.Rows, arraysize: q.shape.Arraysize, rtt: rtt,
				server: q.server, shaper: fitShaper(),
			}
			all = append(all, f.slow())
		}
	}
	return all
}

// compareTables holds what was fetched for the tables against them.
func compareTables(tables []table, got []fetched) section {
	s := section{title: "M2 Fetch by arraysize", text: tablesText(fitShaper())}
	for _, t := range tables {
		width := len(t.arraysizes)
		lines := got[:width*len(t.at)]
		got = got[len(lines):]
		compareTrips(&s, t, lines)
		for i, line := range t.at {
			compareArraysizes(&s, t, line, lines[i*width:(i+1)*width])
		}
		if len(t.at) > 1 {
			compareRTTs(&s, t, lines)
		}
	}
	return s
}

func compareTrips(s *section, t table, got []fetched) {
	for i, trips := range t.trips {
		if trips == 0 {
			continue
		}
		s.add(figure{name: fmt.Sprintf("%s, arraysize %s: round trips", t.name, thousands(t.arraysizes[i])),
			published: count(trips), ours: float64(got[i].trips)})
	}
}

// compareArraysizes compares each arraysize with the next at one RTT, and
// shows what they took.
func compareArraysizes(s *section, t table, line atRTT, got []fetched) {
	for i, arraysize := range t.arraysizes {
		s.add(figure{name: fmt.Sprintf("%s at %s ms, arraysize %s", t.name, line.published, thousands(arraysize)), unit: "s", decimals: 3,
			published: line.elapsed[i].span(), ours: got[i].elapsed.Seconds(), allowed: shown})
	}
	for i := 1; i < len(got); i++ {
		s.add(figure{name: fmt.Sprintf("%s at %s ms: arraysize %s ÷ %s", t.name, line.published,
			thousands(t.arraysizes[i-1]), thousands(t.arraysizes[i])), decimals: 2,
			published: line.elapsed[i-1].over(line.elapsed[i]),
			ours:      got[i-1].elapsed.Seconds() / got[i].elapsed.Seconds(), allowed: within})
	}
}

// compareRTTs compares the second line of a table with the first.
func compareRTTs(s *section, t table, got []fetched) {
	near, far := t.at[0], t.at[1]
	for i, arraysize := range t.arraysizes {
		s.add(figure{name: fmt.Sprintf("%s, arraysize %s: %s ms ÷ %s ms", t.name, thousands(arraysize), far.published, near.published), decimals: 2,
			published: far.elapsed[i].over(near.elapsed[i]),
			ours:      got[len(t.arraysizes)+i].elapsed.Seconds() / got[i].elapsed.Seconds(), allowed: within})
	}
}

// compareQueries holds what was fetched for the queries against M3.
func compareQueries(queries []query, got []fetched) section {
	s := section{title: "M3 Elapsed time, taken apart", text: queriesText, chart: elapsedChart(queries, got)}
	for i, q := range queries {
		at10, points := got[i*perQuery], got[i*perQuery+1:(i+1)*perQuery]
		line, err := budget.Through(points[0].point(), points[2].point())
		if err != nil {
			continue // the published RTTs differ
		}
		s.add(figure{name: q.name + ": slope", unit: "RTT", decimals: 1, published: q.slope.span(), ours: line.RoundTrips, allowed: q.allowed})
		s.add(figure{name: q.name + ": slope ÷ round trips to the last row", decimals: 2, allowed: within,
			published: count(1), ours: line.RoundTrips / float64(points[0].trips-1)})
		if q.estimate != "" {
			s.add(estimates(q, line, at10)...)
		}
	}
	return s
}

// estimates compares the published estimate at 10 ms with the one from our two
// outer points, and with what was measured there.
func estimates(q query, line budget.Line, at10 fetched) []figure {
	estimate := figure{unit: "s", decimals: 2, published: q.estimate.span(), allowed: within}
	estimate.name, estimate.ours = q.name+": estimate at 10 ms"+verdict(q, line.At(estimateRTT)), line.At(estimateRTT).Seconds()
	measured := estimate
	measured.name, measured.ours = q.name+": measured at 10 ms"+verdict(q, at10.elapsed), at10.elapsed.Seconds()
	return []figure{estimate, measured}
}

// verdict says whether a query breaks its 3 s, as the published one does or not.
func verdict(q query, elapsed time.Duration) string {
	if (budget.Budget{Shape: q.shape, Max: limit}).Holds(elapsed) {
		return ""
	}
	return " (over 3 s)"
}

func (f fetched) point() budget.Point { return budget.Point{Elapsed: f.elapsed, RTT: f.rtt} }

func thousands(n int) string { return groups(strconv.Itoa(n)) }
