package probes

import (
	"testing"
	"testing/synctest"
	"time"

	"oranet_exporter/simulator"
)

// Execute and close of the cursor are two round trips. At 1 Gbit/s each takes
// a microsecond longer than the path's RTT, as the ping does.
func TestPoolQueryIsTakenApart(t *testing.T) {
	const rtt, busy = 10 * time.Millisecond, 3 * time.Millisecond
	synctest.Test(t, func(t *testing.T) {
		path := newPathInMemory()
		path.set(rtt, 1e9)
		l := targetInMemory(t, path, simulator.Options{ServerTime: func(string) time.Duration { return busy }})
		p := start(t, Pool, l, nil)
		samples := run(t, p)
		var sum float64
		for component, want := range map[string]time.Duration{"network": 2 * rtt, "server": busy, "transfer": 0, "client": 0} {
			got := asDuration(value(t, samples, poolQueryComponentSeconds, component))
			if off := (got - want).Abs(); off > 10*time.Microsecond {
				t.Errorf("%s is %v, it was told to take %v", component, got, want)
			}
			sum += value(t, samples, poolQueryComponentSeconds, component)
		}
		if elapsed := value(t, samples, poolQuerySeconds); asDuration(sum-elapsed).Abs() > time.Nanosecond {
			t.Errorf("the components sum to %v s, elapsed is %v s", sum, elapsed)
		}
	})
}
