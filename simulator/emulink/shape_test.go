// What a path does to bulk, on a clock of its own: no machine is too busy for it.

package emulink

import (
	"testing"
	"testing/synctest"
	"time"
)

const megabit = 1_000_000

func TestWireTakesBytesAtItsRate(t *testing.T) {
	for _, c := range []struct {
		name  string
		path  Path
		pause time.Duration // since the wire was last used
		bytes int
		want  time.Duration
	}{
		{"unlimited", Path{}, time.Hour, 1 << 20, 0},
		{"no burst", Path{BitsPerSecond: 8 * megabit}, time.Hour, 100_000, 100 * time.Millisecond},
		{"all in one burst", Path{BitsPerSecond: 8 * megabit, Burst: 100_000}, time.Hour, 100_000, 0},
		{"more than the burst", Path{BitsPerSecond: 8 * megabit, Burst: 40_000}, time.Hour, 100_000, 60 * time.Millisecond},
		{"the burst is used up", Path{BitsPerSecond: 8 * megabit, Burst: 40_000}, 0, 100_000, 100 * time.Millisecond},
		{"a quarter of it is back", Path{BitsPerSecond: 8 * megabit, Burst: 40_000}, 10 * time.Millisecond, 100_000, 90 * time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var w wire
				w.carry(c.path.Burst, c.path)
				time.Sleep(c.pause)
				start := time.Now()
				var left time.Time
				for range c.bytes / 1000 {
					left = w.carry(1000, c.path)
				}
				if took := left.Sub(start); took.Round(time.Microsecond) != c.want {
					t.Errorf("the last of %d bytes left after %v, want %v", c.bytes, took, c.want)
				}
			})
		})
	}
}

func TestSenderRunsAheadOfTheWireByItsQueueAtMost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w wire
		path := Path{BitsPerSecond: 8 * megabit}
		w.carry(1000*int(wireQueue/time.Millisecond), path)
		if turn := w.turn(); turn.After(time.Now()) {
			t.Errorf("a full queue holds the sender back for %v", time.Until(turn))
		}
		w.carry(1000, path)
		if wait, want := time.Until(w.turn()), wireQueue/2+time.Millisecond; wait != want {
			t.Errorf("a queue that runs over holds the sender back for %v, want %v", wait, want)
		}
	})
}

// A new connection's answers of n bytes come in rounds of 10, 20, 40 … segments.
func TestCongestionWindowDoublesWithEveryRoundTrip(t *testing.T) {
	const rtt, initial = 10 * time.Millisecond, 10 * segmentSize
	for _, c := range []struct {
		segments []int // of one answer after the other
		want     []int // round trips that each took beyond its first
	}{
		{[]int{10, 10, 10}, []int{0, 0, 0}},
		{[]int{11}, []int{1}},
		{[]int{30, 40}, []int{1, 0}},
		{[]int{31, 1}, []int{2, 0}},
		{[]int{1360, 1360}, []int{7, 0}}, // 2 MB
	} {
		synctest.Test(t, func(t *testing.T) {
			var w congestion
			for i, segments := range c.segments {
				start := time.Now()
				for range segments {
					for turn := w.turn(segmentSize, initial); time.Until(turn) > 0; turn = w.turn(segmentSize, initial) {
						time.Sleep(time.Until(turn))
					}
					w.sent(segmentSize, time.Now().Add(rtt))
				}
				if rounds := int(time.Since(start) / rtt); rounds != c.want[i] {
					t.Errorf("answer %d of %v segments took %d round trips more, want %d", i, c.segments, rounds, c.want[i])
				}
				time.Sleep(rtt)
			}
		})
	}
}

func TestWithoutAnInitialWindowNothingWaitsForAcknowledgements(t *testing.T) {
	var w congestion
	for range 1000 {
		if turn := w.turn(segmentSize, 0); !turn.IsZero() {
			t.Fatalf("has to wait until %v", turn)
		}
		w.sent(segmentSize, time.Now().Add(time.Hour))
	}
	if len(w.flights) > 1 {
		t.Errorf("%d flights are remembered for nothing", len(w.flights))
	}
}
