// How long the probe's user can still log on: what the connect probe reads on
// its session once an hour, after the figures.

package probes

import (
	"context"
	"math"
	"time"

	"oranet_exporter/link"
)

var passwordExpiry = &Metric{
	Name: "password_expiry_timestamp_seconds",
	Help: "When the user's password expires, as Unix time by the database's clock; +Inf if it never does. Read from USER_USERS once an hour.",
	Kind: Gauge,
}

// passwordInterval is how often it is read: the answer changes by the day.
const passwordInterval = time.Hour

// passwordCheck remembers when it read and whether it may.
type passwordCheck struct {
	last    time.Time
	refused bool // by the server; not asked again
}

// read adds the metric if it is due. It is never in the way of the figures: a
// reading that fails is left out.
func (c *passwordCheck) read(ctx context.Context, session *link.Session, out *Samples) {
	if c.refused || time.Since(c.last) < passwordInterval {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	left, never, err := session.PasswordExpiry(ctx)
	if err != nil {
		c.refused = refused(err)
		return
	}
	c.last = time.Now()
	expiry := math.Inf(1)
	if !never {
		expiry = float64(c.last.Add(left).UnixMilli()) / 1e3
	}
	out.Add(passwordExpiry, expiry)
}
