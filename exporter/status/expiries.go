// How long the certificates last, on both sides, and the password.

package status

import (
	"maps"
	"slices"
	"time"
)

// soon is how long before its end something is to be renewed.
const soon = 21 * 24 * time.Hour

// expiryRow is the certificate that expires first on one side, or the password.
type expiryRow struct {
	What, Subject string
	Day           string
	Left          Figure // in words
	Bad           bool   // it has expired, or does soon
}

func newExpiries(c *copied, now time.Time) (rows []expiryRow) {
	for _, what := range slices.Sorted(maps.Keys(c.expiries)) {
		one := c.expiries[what]
		left := one.expires.Sub(now)
		r := expiryRow{What: what, Subject: one.subject, Day: day(one.expires), Bad: left < soon,
			Left: Figure{Metric: one.metric, Text: rough(left) + " left"}}
		if left < 0 {
			r.Left.Text = "expired " + rough(-left) + " ago"
		}
		rows = append(rows, r)
	}
	return rows
}
