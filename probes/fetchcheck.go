// The server's own counts of a fetch, for users who may read them. They are
// beside the probe's figures, never in their way: a check that fails is left
// out, and one that is refused is not tried again.

package probes

import (
	"context"
	"database/sql/driver"
	"errors"
	"time"

	"oranet_exporter/link"
)

var (
	capability = &Metric{
		Name: "capability",
		Help: "Whether the user may read what the server counts, and it was read: 1 or 0. " +
			"name: v_mystat (V$MYSTAT and V$STATNAME) or v_sql (V$SESSION and V$SQL).",
		Kind:   Gauge,
		Labels: []string{"name"},
	}
	fetchServerRoundTrips = &Metric{
		Name: "fetch_server_round_trips",
		Help: "Round trips of the last fetch as V$MYSTAT counted them, to hold fetch_round_trips against. " +
			"What reading V$MYSTAT and closing the cursor add is taken off. Absent without the grant.",
		Kind:   Gauge,
		Labels: []string{"arraysize"},
	}
	fetchServerSentBytes = &Metric{
		Name: "fetch_server_sent_bytes",
		Help: "Bytes that V$MYSTAT says the server sent during the last fetch: SQL*Net's, under TLS without its framing. " +
			"Exact but for a few bytes that two readings of V$MYSTAT differ by. Absent without the grant.",
		Kind:   Gauge,
		Labels: []string{"arraysize"},
	}
)

// checkTimeout bounds the readings before a fetch, and those after it.
const checkTimeout = 5 * time.Second

// briefly bounds the readings to a quarter of what a run has left as well: a
// database that hangs must leave the fetch the time to fail by itself.
func briefly(ctx context.Context) (context.Context, context.CancelFunc) {
	timeout := checkTimeout
	if deadline, ok := ctx.Deadline(); ok {
		timeout = min(timeout, time.Until(deadline)/4)
	}
	return context.WithTimeout(ctx, timeout)
}

// serverCheck reads what the server counts before and after one fetch.
type serverCheck struct {
	session  *link.Session
	granted  map[link.Capability]bool
	counts   link.ServerCounts // before the fetch
	overhead link.ServerCounts // what one reading adds to the next
	sqlID    string            // of the fetch's statement
	cost     link.SQLCost      // before the fetch
}

// begin reads what there is to read before a fetch of query.
func (c *serverCheck) begin(ctx context.Context, query string, oneRow []any) error {
	ctx, cancel := briefly(ctx)
	defer cancel()
	var err error
	if c.granted, err = c.session.Granted(ctx); err != nil {
		return err
	}
	if c.granted[link.VSQL] {
		if err := c.beginSQL(ctx, query, oneRow); err != nil {
			return err
		}
	}
	if !c.granted[link.VMyStat] {
		return nil
	}
	first, err := c.session.ServerCounts(ctx)
	if err != nil {
		return err
	}
	c.counts, err = c.session.ServerCounts(ctx)
	c.overhead = c.counts.Sub(first)
	return err
}

// beginSQL finds the statement in V$SQL. Its SQL_ID is known only once this
// session has executed it: of one row, which is not part of any figure.
func (c *serverCheck) beginSQL(ctx context.Context, query string, oneRow []any) error {
	if _, err := c.session.Fetch(ctx, query, oneRow, func([]driver.Value) {}); err != nil {
		return err
	}
	var err error
	if c.sqlID, err = c.session.PreviousSQL(ctx); err != nil {
		return err
	}
	c.cost, err = c.session.SQLCost(ctx, c.sqlID)
	return err
}

// serverTold is what a server told of one fetch.
type serverTold struct {
	counts *link.ServerCounts // nil: nothing
	busy   *time.Duration     // nil: nothing, or nothing of this fetch alone
}

// end reads again after the fetch. closing is what closing its cursor cost.
func (c *serverCheck) end(ctx context.Context, closing link.Counts) (told serverTold, err error) {
	ctx, cancel := briefly(ctx)
	defer cancel()
	if c.granted[link.VMyStat] {
		after, err := c.session.ServerCounts(ctx)
		if err != nil {
			return told, err
		}
		own := after.Sub(c.counts).Sub(c.overhead)
		own = own.Sub(link.ServerCounts{RoundTrips: int64(closing.RoundTrips), Sent: closing.Received})
		told.counts = &own
	}
	if c.granted[link.VSQL] {
		after, err := c.session.SQLCost(ctx, c.sqlID)
		if err != nil {
			return told, err
		}
		// If others executed the same statement meanwhile, the time is theirs, too.
		if cost := after.Sub(c.cost); cost.Executions == 1 {
			told.busy = &cost.Elapsed
		}
	}
	return told, nil
}

// addCapabilities adds what could be read; none if a reading failed.
func addCapabilities(out *Samples, granted map[link.Capability]bool) {
	for _, c := range link.Capabilities {
		value := 0.0
		if granted[c] {
			value = 1
		}
		out.Add(capability, value, string(c))
	}
}

// refused tells whether the server answered with an error. It would do so
// again the next time.
func refused(err error) bool {
	var failure *link.Failure
	return errors.As(err, &failure) && failure.ORA != 0
}
