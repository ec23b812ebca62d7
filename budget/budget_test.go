package budget

import (
	"math"
	"testing"
	"time"
)

const (
	ms    = time.Millisecond
	limit = 3 * time.Second // of MEASUREMENTS M3
)

// The rows of MEASUREMENTS M3 that were measured at three RTTs.
var m3 = []struct {
	name      string
	shape     Shape
	server    time.Duration
	elapsed   [3]time.Duration // at m3RTT
	slope     float64          // published for the last three; the others' from their elapsed times
	estimate  time.Duration    // published, at 10 ms; 0: not published
	overLimit bool             // of 3 s
}{
	{"one row", Shape{1, 1}, 600 * time.Microsecond, [3]time.Duration{7 * ms, 18 * ms, 27 * ms}, 1.93, 20 * ms, false},
	{"page at 100", Shape{1000, 100}, 2900 * time.Microsecond, [3]time.Duration{43 * ms, 102 * ms, 157 * ms}, 11.0, 0, false},
	{"page at 1,000", Shape{1000, 1000}, 1 * ms, [3]time.Duration{9 * ms, 21 * ms, 29 * ms}, 1.93, 20 * ms, false},
	{"bulk at 100", Shape{100_000, 100}, 98 * ms, [3]time.Duration{3911 * ms, 9336 * ms, 14193 * ms}, 992.5, 10_080 * ms, true},
	{"bulk at 1,000", Shape{100_000, 1000}, 64800 * time.Microsecond, [3]time.Duration{505 * ms, 1069 * ms, 1572 * ms}, 103.0, 1150 * ms, false},
	{"bulk at 10,000", Shape{100_000, 10_000}, 55900 * time.Microsecond, [3]time.Duration{252 * ms, 318 * ms, 396 * ms}, 13.9, 340 * ms, false},
}

var m3RTT = [3]time.Duration{3790 * time.Microsecond, 9430 * time.Microsecond, 14150 * time.Microsecond}

// near tells whether got is within tolerance of want.
func near(got, want, tolerance float64) bool { return math.Abs(got-want) <= tolerance }

func TestRoundTripsFollowFromRowsAndArraysize(t *testing.T) {
	for _, c := range []struct {
		name            string
		shape           Shape
		toLast, toClose int
	}{
		{"MEASUREMENTS M3", Shape{100_000, 100}, 1001, 1002},
		{"MEASUREMENTS M3", Shape{100_000, 1000}, 101, 102},
		{"MEASUREMENTS M3", Shape{100_000, 10_000}, 11, 12},
		{"MEASUREMENTS M2", Shape{500_000, 100}, 5001, 5002},
		{"MEASUREMENTS M2", Shape{500_000, 1000}, 501, 502},
		{"MEASUREMENTS M2", Shape{500_000, 10_000}, 51, 52},
		{"MEASUREMENTS M2, JDBC", Shape{20_000, 10}, 2001, 2002},
		{"MEASUREMENTS M2, JDBC", Shape{20_000, 10_000}, 3, 4},
		{"a page", Shape{1000, 100}, 11, 12},
		{"even division: an empty fetch", Shape{200, 100}, 3, 4},
		{"the last fetch comes short", Shape{199, 100}, 2, 3},
		{"all with the execute", Shape{99, 100}, 1, 2},
		{"no rows", Shape{0, 100}, 1, 2},
		{"nonsense", Shape{-5, 0}, 1, 2},
	} {
		if got := c.shape.RoundTrips(); got != c.toLast {
			t.Errorf("%s, %+v: %d round trips to the last row, want %d", c.name, c.shape, got, c.toLast)
		}
		if got := c.shape.RoundTripsToClose(); got != c.toClose {
			t.Errorf("%s, %+v: %d round trips to the close, want %d", c.name, c.shape, got, c.toClose)
		}
	}
}

func TestSlopeIsThePublishedOneAndAboutTheRoundTrips(t *testing.T) {
	for _, c := range m3 {
		line, err := Through(Point{c.elapsed[0], m3RTT[0]}, Point{c.elapsed[2], m3RTT[2]})
		if err != nil {
			t.Fatal(err)
		}
		if !near(line.RoundTrips, c.slope, 0.05) {
			t.Errorf("%s: slope %.2f, published %.2f", c.name, line.RoundTrips, c.slope)
		}
		// The last row's excess, 13.9 to 11, is in the published figures.
		if trips := float64(c.shape.RoundTrips()); !near(line.RoundTrips, trips, max(3, trips*0.02)) {
			t.Errorf("%s: slope %.2f, %v round trips", c.name, line.RoundTrips, trips)
		}
	}
}

// The published estimates were computed before the elapsed times and RTTs were
// rounded for printing; from the printed ones they come out a hundredth of a
// second apart at most.
func TestEstimateFromTwoMeasuredPointsIsThePublishedOne(t *testing.T) {
	for _, c := range m3 {
		if c.estimate == 0 {
			continue
		}
		line, err := Through(Point{c.elapsed[0], m3RTT[0]}, Point{c.elapsed[2], m3RTT[2]})
		if err != nil {
			t.Fatal(err)
		}
		got := line.At(10 * ms)
		if !near(got.Seconds(), c.estimate.Seconds(), 0.01) {
			t.Errorf("%s: %v at 10 ms, published %v", c.name, got, c.estimate)
		}
		b := Budget{c.shape, limit}
		if over := !b.Holds(got); over != c.overLimit {
			t.Errorf("%s: over the limit: %t, published %t", c.name, over, c.overLimit)
		}
		if b.Headroom(got) != limit-got {
			t.Errorf("%s: head-room %v of 3 s after %v", c.name, b.Headroom(got), got)
		}
	}
}

func TestEstimateFromOnePointTakesTheRoundTripsForTheSlope(t *testing.T) {
	for _, c := range m3 {
		line := Point{c.elapsed[0], m3RTT[0]}.Line(float64(c.shape.RoundTrips()))
		if got := line.At(m3RTT[0]); got != c.elapsed[0] {
			t.Errorf("%s: %v at its own RTT, want %v", c.name, got, c.elapsed[0])
		}
		for i, want := range c.elapsed {
			if got := line.At(m3RTT[i]); !near(got.Seconds(), want.Seconds(), want.Seconds()*0.10) {
				t.Errorf("%s at %v: %v, measured %v", c.name, m3RTT[i], got, want)
			}
		}
	}
}

func TestTwoPointsAtOneRTTHaveNoSlope(t *testing.T) {
	if line, err := Through(Point{1, ms}, Point{2, ms}); err == nil {
		t.Errorf("got %+v, want an error", line)
	}
}

// What the server and the client took at the lowest RTT tells the elapsed
// times at the others.
func TestModelTellsTheMeasuredElapsedTimes(t *testing.T) {
	for _, c := range m3 {
		m := Model{RTT: m3RTT[0], Work: Work{Rows: c.shape.Rows, Server: c.server}}
		m.Work.Client = max(0, c.elapsed[0]-m.Estimate(c.shape).Elapsed())
		for i, want := range c.elapsed {
			m.RTT = m3RTT[i]
			got := m.Estimate(c.shape).Elapsed()
			if !near(got.Seconds(), want.Seconds(), max(0.0015, want.Seconds()*0.10)) {
				t.Errorf("%s at %v: %v, measured %v", c.name, m.RTT, got, want)
			}
		}
	}
}

func TestEstimateHasEveryTermOnce(t *testing.T) {
	m := Model{
		RTT:     10 * ms,
		Connect: 160 * ms,
		Work:    Work{Rows: 10_000, Server: 30 * ms, Transfer: Transfer(2_000_000, 1_000_000_000), Client: 5 * ms},
	}
	got := m.Estimate(Shape{Rows: 20_000, Arraysize: 1000})
	want := Estimate{Connect: 160 * ms, Server: 60 * ms, Network: 210 * ms, Transfer: 32 * ms, Client: 10 * ms}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got.Elapsed() != 472*ms {
		t.Errorf("the terms sum to %v", got.Elapsed())
	}
}

func TestWorkOfUnknownRowsAndUnlimitedBandwidthTakeNoTime(t *testing.T) {
	if got := (Work{Server: time.Second}).For(100); got != (Work{}) {
		t.Errorf("got %+v", got)
	}
	if got := Transfer(1<<40, 0); got != 0 {
		t.Errorf("got %v", got)
	}
}

func TestAbsurdShapesTakeForeverAndNotLessThanNothing(t *testing.T) {
	w := Work{Rows: 1, Server: time.Hour, Transfer: time.Hour, Client: time.Hour}
	got := Model{RTT: time.Hour, Connect: forever, Work: w}.Estimate(Shape{Rows: math.MaxInt - 1, Arraysize: 1}).Elapsed()
	if got < 5*forever {
		t.Errorf("got %v", got)
	}
}

func TestSmallestArraysizeIsTheFirstThatHolds(t *testing.T) {
	const most = 65535
	for _, c := range []struct {
		name string
		b    Budget
		m    Model
		want int // 0: none
	}{
		// 3 s − 98 ms are 290 round trips of 10 ms: 289 fetches and what is left.
		{"MEASUREMENTS M3, bulk", Budget{Shape{100_000, 100}, limit}, Model{RTT: 10 * ms, Work: Work{Rows: 100_000, Server: 98 * ms}}, 345},
		{"in one region", Budget{Shape{100_000, 100}, limit}, Model{RTT: 500 * time.Microsecond}, 17},
		{"any will do", Budget{Shape{10, 100}, limit}, Model{RTT: ms}, 1},
		{"one round trip fits exactly", Budget{Shape{1000, 100}, 10 * ms}, Model{RTT: 10 * ms}, 1001},
		{"the server alone is over", Budget{Shape{1000, 100}, limit}, Model{Work: Work{Rows: 1000, Server: 4 * time.Second}}, 0},
		{"one round trip is over", Budget{Shape{1000, 100}, 9 * ms}, Model{RTT: 10 * ms}, 0},
		{"more than a driver can ask for", Budget{Shape{1_000_000, 100}, 20 * ms}, Model{RTT: 10 * ms}, 0},
	} {
		got, ok := c.b.SmallestArraysize(c.m, most)
		if !ok {
			got = 0
		}
		if got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
		if got > 1 {
			for arraysize, holds := range map[int]bool{got: true, got - 1: false} {
				if e := c.m.Estimate(Shape{c.b.Rows, arraysize}).Elapsed(); c.b.Holds(e) != holds {
					t.Errorf("%s: %v at arraysize %d of %v", c.name, e, arraysize, c.b.Max)
				}
			}
		}
	}
}

// MEASUREMENTS M4. The published fit is the line through the outer points.
func TestConnectIsTheLineOfThePublishedFit(t *testing.T) {
	points := []struct {
		Point
		withRow, acquire, pooledRow time.Duration
	}{
		{Point{120200 * time.Microsecond, 3570 * time.Microsecond}, 132100 * time.Microsecond, 100 * time.Microsecond, 7400 * time.Microsecond},
		{Point{149300 * time.Microsecond, 8550 * time.Microsecond}, 170100 * time.Microsecond, 200 * time.Microsecond, 18200 * time.Microsecond},
		{Point{185 * ms, 14020 * time.Microsecond}, 214800 * time.Microsecond, 100 * time.Microsecond, 28500 * time.Microsecond},
	}
	connect, err := Through(points[0].Point, points[2].Point)
	if err != nil {
		t.Fatal(err)
	}
	if !near(connect.Fixed.Seconds(), 0.0981, 0.00005) || !near(connect.RoundTrips, 6.20, 0.005) {
		t.Errorf("connect = %v + %.2f × RTT, published 98.1 ms + 6.20 × RTT", connect.Fixed, connect.RoundTrips)
	}
	for _, p := range points {
		if got, want := connect.At(p.RTT).Seconds(), p.Elapsed.Seconds(); !near(got, want, want*0.02) {
			t.Errorf("connect at %v: %v s, measured %v s", p.RTT, got, want)
		}
		// What a query with its connect took more than one from the pool.
		got, want := ConnectingAdds(connect, p.acquire, p.RTT).Seconds(), (p.withRow - p.pooledRow).Seconds()
		if !near(got, want, want*0.05) {
			t.Errorf("connecting each time adds %v s at %v, measured %v s", got, p.RTT, want)
		}
	}
}
