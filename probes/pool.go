// The pool probe: what an application with a session pool pays.

package probes

import (
	"context"
	"database/sql/driver"
	"time"

	"oranet_exporter/link"
)

var (
	poolAcquireSeconds = &Metric{
		Name:    "pool_acquire_seconds",
		Help:    "Time to acquire a session from a warm pool. An acquire that had to log on is not in it.",
		Kind:    Histogram,
		Buckets: grid(1e-6, 1),
	}
	poolQuerySeconds = &Metric{
		Name:    "pool_query_seconds",
		Help:    "Time to acquire a session from a warm pool, fetch one row, close the cursor and release the session.",
		Kind:    Histogram,
		Buckets: grid(50e-6, 10),
	}
	poolReconnectsTotal = &Metric{
		Name: "pool_reconnects_total",
		Help: "Acquires that found the pool's session lost and logged on again. The first logon is not counted.",
		Kind: Counter,
	}
)

// Pool uses a session pool of one.
var Pool = &Definition{
	Name:    "pool",
	Help:    "acquire from a warm session pool, one row, release",
	Default: Schedule{Enabled: true, Interval: 15 * time.Second, Timeout: 5 * time.Second},
	Logon:   true,
	Metrics: []*Metric{poolAcquireSeconds, poolQuerySeconds, poolReconnectsTotal},
	New:     func(l *link.Link, _ Options) Probe { return &poolProbe{pool: l.NewPool(1)} },
}

type poolProbe struct {
	pool *link.Pool
	warm bool // a session has been in the pool before
}

// Run acquires, selects one row and releases. If the pool had to log on, it
// does so again with the pool warm.
func (p *poolProbe) Run(ctx context.Context, out *Samples) error {
	logons := p.pool.Logons()
	if err := p.use(ctx, nil); err != nil {
		return err
	}
	if p.pool.Logons() != logons && p.warm {
		out.Add(poolReconnectsTotal, 1)
	}
	p.warm = true
	return p.use(ctx, out)
}

// use runs one acquire, query and release; it adds its figures to out if any.
func (p *poolProbe) use(ctx context.Context, out *Samples) error {
	start := time.Now()
	lease, err := p.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	acquired := time.Since(start)
	_, err = lease.Fetch(ctx, "select 1 from dual", nil, func([]driver.Value) {})
	if releaseErr := lease.Release(); err == nil {
		err = releaseErr
	}
	if err != nil || out == nil {
		return err
	}
	out.Add(poolAcquireSeconds, acquired.Seconds())
	out.Add(poolQuerySeconds, time.Since(start).Seconds())
	return nil
}

// Close logs off the pool's session.
func (p *poolProbe) Close(context.Context) error { return p.pool.Close() }
