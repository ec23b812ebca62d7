package link_test

import (
	"testing"
	"time"

	"oranet_exporter/simulator"
)

func TestPasswordExpiryIsWhatTheDatabaseTells(t *testing.T) {
	for _, c := range []struct {
		name  string
		at    time.Time
		left  time.Duration
		never bool
	}{
		{"no expiry", time.Time{}, 0, true},
		{"in 180 days", time.Now().AddDate(0, 0, 180), 180 * 24 * time.Hour, false},
		{"an hour ago", time.Now().Add(-time.Hour), -time.Hour, false},
	} {
		_, cfg := database(t, simulator.Options{PasswordExpiry: c.at})
		left, never, err := open(t, newLink(t, cfg), 100).PasswordExpiry(minute(t))
		// The database's clock has whole seconds, and goes on between the two readings.
		if off := (left - c.left).Abs(); err != nil || never != c.never || off > time.Minute {
			t.Errorf("%s: %v left, never %v, %v; want %v, %v", c.name, left, never, err, c.left, c.never)
		}
	}
}
