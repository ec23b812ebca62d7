// How long the certificates last, on both sides.

package status

import "time"

// soon is how long before its end a certificate is to be renewed.
const soon = 21 * 24 * time.Hour

// certificateRow is the certificate that expires first on one side.
type certificateRow struct {
	Side, Subject string
	Day           string
	Left          Figure // in words
	Bad           bool   // it has expired, or does soon
}

func newCertificates(c *copied, now time.Time) (rows []certificateRow) {
	for _, side := range c.sides() {
		one := c.certificates[side]
		left := one.expires.Sub(now)
		r := certificateRow{Side: side, Subject: one.subject, Day: day(one.expires), Bad: left < soon,
			Left: Figure{Metric: certificateExpiry, Text: rough(left) + " left"}}
		if left < 0 {
			r.Left.Text = "expired " + rough(-left) + " ago"
		}
		rows = append(rows, r)
	}
	return rows
}
