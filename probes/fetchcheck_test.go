package probes

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"oranet_exporter/link"
	"oranet_exporter/link/linktest"
	"oranet_exporter/simulator"
	"oranet_exporter/simulator/emulink"
)

// allViews are all that a user with CREATE SESSION alone was not granted.
var allViews = []string{"V_$MYSTAT", "V_$STATNAME", "V_$SESSION", "V_$SQL"}

func TestChecksAreMadeAsFarAsTheUserMay(t *testing.T) {
	for _, c := range []struct {
		name         string
		withheld     []string
		myStat, vSQL float64
		source       string
		sessions     int64 // of two runs
	}{
		{"every grant", nil, 1, 1, sourceVSQL, 2},
		{"CREATE SESSION alone", allViews, 0, 0, sourceRest, 2},
		{"no names of statistics", []string{"V_$STATNAME"}, 0, 1, sourceVSQL, 2},
		{"no statements", []string{"V_$SQL"}, 1, 0, sourceRest, 2},
		// The refusal costs the session that met it, once.
		{"no dictionary at all", append([]string{"ALL_OBJECTS"}, allViews...), 0, 0, sourceRest, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			// The clock stands still while they work: V$SQL's time is refused where a busy machine stretches it.
			synctest.Test(t, func(t *testing.T) {
				path := newPathInMemory()
				server, l := serverInMemory(t, path, simulator.Options{Withheld: c.withheld})
				p := start(t, Fetch, l, &FetchOptions{Arraysize: []Arraysize{100}, Rows: 1000, RowBytes: 200})
				run(t, p)
				samples := run(t, p)
				if got := value(t, samples, capability, "v_mystat"); got != c.myStat {
					t.Errorf("capability v_mystat is %v, want %v", got, c.myStat)
				}
				if got := value(t, samples, capability, "v_sql"); got != c.vSQL {
					t.Errorf("capability v_sql is %v, want %v", got, c.vSQL)
				}
				value(t, samples, fetchServerTimeSource, "100", c.source)
				told := slices.ContainsFunc(samples.List(), func(s Sample) bool { return s.Metric == fetchServerRoundTrips })
				if told != (c.myStat == 1) {
					t.Errorf("the server's round trips were told: %v, the capability is %v", told, c.myStat)
				}
				if got := server.Truth().SessionsTotal; got != c.sessions {
					t.Errorf("%d sessions for two runs, want %d", got, c.sessions)
				}
			})
		})
	}
}

// The readings must not use up the time in which the fetch itself would show
// where the database hangs.
func TestADatabaseThatHangsInQueriesFailsInTheQuery(t *testing.T) {
	for _, timeout := range []time.Duration{time.Second, checkTimeout, 4 * checkTimeout, 10 * checkTimeout} {
		synctest.Test(t, func(t *testing.T) {
			l := targetInMemory(t, newPathInMemory(), simulator.Options{Fault: &simulator.Fault{At: simulator.StepExecute, Do: simulator.Silence}})
			p := start(t, Fetch, l, &FetchOptions{Arraysize: []Arraysize{100, 1000}, Rows: 1000, RowBytes: 200})
			ctx, cancel := context.WithTimeout(t.Context(), timeout)
			defer cancel()
			begun := time.Now()
			failure := link.Classify(ctx, link.PhaseConfig, p.Run(ctx, new(Samples)))
			if failure.Phase != link.PhaseQuery || failure.Reason != link.ReasonTimeout {
				t.Errorf("within %s: failed in %s, %s, want query, timeout", timeout, failure.Phase, failure.Reason)
			}
			if took := time.Since(begun); took < timeout || took > timeout+100*time.Millisecond {
				t.Errorf("took %s of %s", took, timeout)
			}
		})
	}
}

// 1,000 rows at arraysize 100 are 11 round trips: the last one finds no rows.
func TestTheServerCountsWhatTheMeterCounts(t *testing.T) {
	_, l := target(t, emulink.Path{})
	samples := run(t, start(t, Fetch, l, &FetchOptions{Arraysize: []Arraysize{100}, Rows: 1000, RowBytes: 200}))
	ours, theirs := value(t, samples, fetchRoundTrips, "100"), value(t, samples, fetchServerRoundTrips, "100")
	if ours != 11 || theirs != ours {
		t.Errorf("%v round trips by the meter, %v by V$MYSTAT, want 11", ours, theirs)
	}
	// A NUMBER that grew a digit makes one reading longer than the other.
	const digits = 8
	received, sent := value(t, samples, fetchBytesTotal, "100"), value(t, samples, fetchServerSentBytes, "100")
	if off := received - sent; off < -digits || off > digits {
		t.Errorf("%v bytes received, V$MYSTAT says %v were sent", received, sent)
	}
}

func TestWhatTheChecksCostIsNotTheFetchs(t *testing.T) {
	fetched := func(withheld []string) map[*Metric]float64 {
		_, cfg := linktest.Simulated(t, simulator.Options{Withheld: withheld}, emulink.New(emulink.Path{}))
		samples := run(t, start(t, Fetch, newLink(t, cfg), &FetchOptions{Arraysize: []Arraysize{100}, Rows: 1000, RowBytes: 200}))
		figures := make(map[*Metric]float64)
		for _, m := range []*Metric{fetchRoundTrips, fetchRowsTotal, fetchBytesTotal, fetchRowsPerRoundTrip} {
			figures[m] = value(t, samples, m, "100")
		}
		return figures
	}
	checked, alone := fetched(nil), fetched(allViews)
	// The fetch's cursor and its calls have higher numbers after the checks' own.
	const numbers = 2 * 11
	for m, want := range alone {
		tolerance := 0.0
		if m == fetchBytesTotal {
			tolerance = numbers
		}
		if got := checked[m]; got < want-tolerance || got > want+tolerance {
			t.Errorf("%s is %v with the checks, %v without", m.Name, got, want)
		}
	}
}

// One TCP segment arrives as a whole, so that nobody but the server can tell
// its time on the wire from the server's.
func TestAnswersOfOneSegmentNeedTheServersWord(t *testing.T) {
	const (
		rtt       = 10 * time.Millisecond
		bandwidth = 1_000_000
		busy      = 5 * time.Millisecond
	)
	for _, c := range []struct {
		name     string
		withheld []string
		decided  bool
	}{
		{"with V$SQL", nil, true},
		{"without", allViews, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				path := newPathInMemory()
				path.set(rtt, bandwidth)
				l := targetInMemory(t, path, simulator.Options{Withheld: c.withheld, ServerTime: onlyPayload(busy)})
				samples := run(t, start(t, Fetch, l, &FetchOptions{Arraysize: []Arraysize{10}, Rows: 5, RowBytes: 64}))
				if transfer := value(t, samples, fetchComponentSeconds, "10", "transfer"); transfer != 0 {
					t.Errorf("transfer is %v s", transfer)
				}
				server := value(t, samples, fetchComponentSeconds, "10", "server")
				if exact := server == busy.Seconds(); exact != c.decided || server < busy.Seconds() {
					t.Errorf("server is %v s, it was busy for %v", server, busy)
				}
			})
		})
	}
}
