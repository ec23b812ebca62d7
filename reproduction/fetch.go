// One fetch of a table, measured on a link of its own.

package main

import (
	"cmp"
	"context"
	"database/sql/driver"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"oranet_exporter/link"
	"oranet_exporter/simulator"
	"oranet_exporter/simulator/emulink"
)

// payload has rows of about 200 bytes that neither repeat nor compress.
const payload = "select level, standard_hash(:1 || level, 'SHA512'), standard_hash(:2 || level, 'SHA512')," +
	" standard_hash(:3 || level, 'SHA512') from dual connect by level <= :4"

// fetch is what is asked for, and under which conditions.
type fetch struct {
	name            string
	rows, arraysize int
	rtt             time.Duration
	server          time.Duration // that the database takes for the statement
	shaper          shaper
	newSession      bool // TCP starts slowly

	// slowed is by how much path and database are slower than all that was
	// said above. What was measured is divided by it: what this machine's
	// processor adds then counts as little.
	slowed int
	// smaller divides rows, arraysize and all that is said in bytes: the same
	// round trips of a smaller query. 0 is 1.
	smaller int
}

// shaper limits the bytes of a path.
type shaper struct {
	bitsPerSecond float64
	burst         float64 // bytes
}

// initialWindow is the congestion window of a new connection on Linux, bytes.
const initialWindow = 14_600

// fetched is what was measured, as if nothing had been slowed.
type fetched struct {
	fetch
	elapsed time.Duration // execute to last row
	trips   int           // round trips, to the close of the cursor
	biggest int           // bytes of the biggest data packet received
}

// path is the emulated path of a fetch.
func (f fetch) path() emulink.Path {
	smaller := float64(max(1, f.smaller))
	p := emulink.Path{
		RTT:           f.rtt * time.Duration(f.slowed),
		BitsPerSecond: int64(f.shaper.bitsPerSecond / smaller / float64(f.slowed)),
		Burst:         int(f.shaper.burst / smaller),
	}
	if f.newSession {
		p.InitialWindow = int(initialWindow / smaller)
	}
	return p
}

// runFetch measures a fetch against a database of its own.
func (l *lab) runFetch(ctx context.Context, f fetch) (fetched, error) {
	db, err := l.start(f.path(), simulator.Options{ServerTime: func(text string) time.Duration {
		if !strings.Contains(text, "standard_hash") {
			return 0
		}
		return f.server * time.Duration(f.slowed)
	}})
	if err != nil {
		return fetched{}, err
	}
	defer db.Close()
	return l.fetch(ctx, db, f)
}

// fetch opens a session, fetches, and logs off.
func (l *lab) fetch(ctx context.Context, db *database, f fetch) (fetched, error) {
	to, err := link.New(db.cfg)
	if err != nil {
		return fetched{}, err
	}
	smaller := max(1, f.smaller)
	session, _, err := to.Open(ctx, f.arraysize/smaller)
	if err != nil {
		return fetched{}, err
	}
	defer session.Close(ctx)
	rows := f.rows / smaller
	got, err := session.Fetch(ctx, payload, []any{"seed", "of", "rows", rows}, func([]driver.Value) {})
	if err != nil {
		return fetched{}, err
	}
	if got.Rows != rows {
		return fetched{}, fmt.Errorf("%d rows came instead of %d", got.Rows, rows)
	}
	return fetched{
		fetch:   f,
		elapsed: got.Elapsed / time.Duration(max(1, f.slowed)),
		trips:   got.Counts.RoundTrips + got.Closing.RoundTrips,
		biggest: session.Counts().BiggestReceived,
	}, session.Close(ctx)
}

// A fetch that took longer than all it was told by more than this share is
// measured again, so often at most. The fastest counts: what a busy machine adds
// comes and goes, what the link adds is in every one.
const (
	excess = 0.04
	rounds = 2
)

// measureFetches runs fetches, some of them again.
func (l *lab) measureFetches(fetches []fetch) ([]fetched, error) {
	got, err := l.runFetches(fetches)
	for range rounds - 1 {
		var again []fetch
		var at []int
		for i, f := range got {
			if f.elapsed > f.expected()+time.Duration(excess*float64(f.expected())) {
				again, at = append(again, f.fetch), append(at, i)
			}
		}
		if err != nil || len(again) == 0 {
			break
		}
		var repeated []fetched
		repeated, err = l.runFetches(again)
		for i, f := range repeated {
			got[at[i]].elapsed = min(got[at[i]].elapsed, f.elapsed)
		}
	}
	return got, err
}

// runFetches runs fetches side by side, each on a link of its own. Those that
// take longest begin first.
func (l *lab) runFetches(fetches []fetch) ([]fetched, error) {
	order := make([]int, len(fetches))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(fetches[b].takes(), fetches[a].takes()) })
	var done atomic.Int64
	got := make([]fetched, len(fetches))
	group, ctx := errgroup.WithContext(l.ctx)
	group.SetLimit(l.parallel)
	for _, i := range order {
		group.Go(func() (err error) {
			if got[i], err = l.runFetch(ctx, fetches[i]); err != nil {
				return fmt.Errorf("%s: %w", fetches[i].name, err)
			}
			l.say("%d of %d: %s, %.3f s", done.Add(1), len(fetches), fetches[i].name, got[i].elapsed.Seconds())
			return nil
		})
	}
	return got, group.Wait()
}

// takes is about how long the fetch runs.
func (f fetch) takes() time.Duration { return f.expected() * time.Duration(f.slowed) }
