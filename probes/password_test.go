package probes

import (
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"oranet_exporter/simulator"
)

func TestConnectReadsThePasswordsExpiryOnceAnHour(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		expiry := time.Now().AddDate(0, 0, 30)
		p := start(t, Connect, targetInMemory(t, newPathInMemory(), simulator.Options{PasswordExpiry: expiry}), nil)
		var read []int
		for minute := range 121 {
			samples := run(t, p)
			if slices.ContainsFunc(samples.List(), func(s Sample) bool { return s.Metric == passwordExpiry }) {
				read = append(read, minute)
				if got := value(t, samples, passwordExpiry); math.Abs(got-float64(expiry.Unix())) > 2 {
					t.Errorf("the password expires at %v, the database was told %v", got, expiry.Unix())
				}
			}
			time.Sleep(time.Minute)
		}
		if want := []int{0, 60, 120}; !slices.Equal(read, want) {
			t.Errorf("read in the minutes %v, want %v", read, want)
		}
	})
}

func TestAPasswordThatNeverExpiresIsInfinite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := start(t, Connect, targetInMemory(t, newPathInMemory(), simulator.Options{}), nil)
		if got := value(t, run(t, p), passwordExpiry); !math.IsInf(got, 1) {
			t.Errorf("it expires at %v, want +Inf", got)
		}
	})
}
