// The published figures that a test must reproduce, on smaller queries and a
// clock that nothing moves but what link and database are told to take.

package main

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"oranet_exporter/simulator/emulink"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func testLab(t *testing.T) *lab {
	t.Helper()
	l, err := newLab(t.Context(), t.TempDir(), t.Output(), 4)
	if err != nil {
		t.Fatal(err)
	}
	l.newPath = emulink.NewInMemory
	return l
}

// onFakeClock runs a test in a bubble, and lets what is under way at its end arrive.
func onFakeClock(t *testing.T, test func(*testing.T)) {
	synctest.Test(t, func(t *testing.T) {
		test(t)
		time.Sleep(time.Minute)
	})
}

// expectHeld demands that every figure that has a tolerance is within it.
func expectHeld(t *testing.T, s section) {
	t.Helper()
	if len(s.figures) == 0 {
		t.Errorf("%s compares nothing", s.title)
	}
	for _, f := range s.figures {
		if !f.holds() {
			t.Errorf("%s: %s", s.title, f.row())
		}
	}
}

// small makes a fetch a small one of the same shape: the same round trips, in
// the same time, of fewer and smaller rows. A segment is what it is, so answers
// that TCP sends slowly at first stay larger.
func small(fetches []fetch) []fetch {
	for i := range fetches {
		f := &fetches[i]
		f.slowed = 1
		switch {
		case f.arraysize <= 100 && f.rows > 1000:
			f.smaller = f.arraysize
		case f.rows <= 20_000:
			f.smaller = 1
		default:
			f.smaller = initialWindow / 1460
		}
	}
	return fetches
}

func TestSDUIsGrantedAsPublished(t *testing.T) {
	onFakeClock(t, func(t *testing.T) {
		sections, err := reproduceSDU(testLab(t))
		if err != nil {
			t.Fatal(err)
		}
		expectHeld(t, sections[0])
	})
}

// Round trips, and ratios of elapsed times between arraysizes and RTTs.
func TestFetchesByArraysizeAreAsPublished(t *testing.T) {
	onFakeClock(t, func(t *testing.T) {
		got, err := testLab(t).runFetches(small(tableFetches(publishedFetches)))
		if err != nil {
			t.Fatal(err)
		}
		expectHeld(t, compareTables(publishedFetches, got))
	})
}

func TestSlopesAndEstimatesAreAsPublished(t *testing.T) {
	onFakeClock(t, func(t *testing.T) {
		got, err := testLab(t).runFetches(small(queryFetches(publishedQueries)))
		if err != nil {
			t.Fatal(err)
		}
		expectHeld(t, compareQueries(publishedQueries, got))
	})
}

// Of the published estimates, one breaks the budget of 3 s.
func TestOneEstimateIsOverTheBudget(t *testing.T) {
	for _, q := range publishedQueries {
		if q.estimate == "" {
			continue
		}
		if over := strings.Contains(verdict(q, seconds(q.estimate.value())), "over"); over != q.over {
			t.Errorf("%s: over %t, published %t", q.name, over, q.over)
		}
	}
}

func TestConnectIsALineOfTheRoundTripsCounted(t *testing.T) {
	onFakeClock(t, func(t *testing.T) {
		var rtts []time.Duration
		for _, p := range publishedPooling {
			rtts = append(rtts, milliseconds(p.rtt))
		}
		got, err := testLab(t).measureConnects(rtts, 1)
		if err != nil {
			t.Fatal(err)
		}
		s, err := compareConnects(got)
		if err != nil {
			t.Fatal(err)
		}
		expectHeld(t, s)
	})
}

// A machine that is busy once makes a fetch run again, and the faster counts.
func TestAStretchedFetchIsMeasuredAgain(t *testing.T) {
	onFakeClock(t, func(t *testing.T) {
		var stalls int
		l := testLab(t)
		l.newPath = func(p emulink.Path) *emulink.Link {
			if stalls++; stalls == 1 {
				p.RTT *= 2
			}
			return emulink.NewInMemory(p)
		}
		got, err := l.measureFetches([]fetch{{rows: 10, arraysize: 2, rtt: time.Millisecond, slowed: 3}})
		if err != nil {
			t.Fatal(err)
		}
		if want := 6 * time.Millisecond; got[0].elapsed != want || stalls != 2 {
			t.Errorf("%v after %d measurements, want %v after 2", got[0].elapsed, stalls, want)
		}
	})
}
