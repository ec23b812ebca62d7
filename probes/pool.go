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
	poolQueryComponentSeconds = &Metric{
		Name: "pool_query_component_seconds",
		Help: "pool_query_seconds taken apart: network (round trips times the shortest of three pings just before), " +
			"server (the rest of the time spent waiting for answers), transfer (receiving the answers), client (everything else, the pool included).",
		Kind:    Histogram,
		Labels:  []string{"component"},
		Buckets: grid(1e-6, 10),
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
	Metrics: []*Metric{poolAcquireSeconds, poolQuerySeconds, poolQueryComponentSeconds, poolReconnectsTotal},
	Known:   poolSeries,
	New:     func(l *link.Link, _ Options) Probe { return &poolProbe{pool: l.NewPool(1)} },
}

func poolSeries(Options) []Series {
	var known []Series
	for _, component := range componentNames {
		known = append(known, Series{poolQueryComponentSeconds, []string{component}})
	}
	return known
}

type poolProbe struct {
	pool *link.Pool
	warm bool // a session has been in the pool before
}

// Run warms the pool up, then acquires, selects one row and releases.
func (p *poolProbe) Run(ctx context.Context, out *Samples) error {
	logons := p.pool.Logons()
	ping, err := p.warmUp(ctx)
	if err != nil {
		return err
	}
	if p.pool.Logons() != logons && p.warm {
		out.Add(poolReconnectsTotal, 1)
	}
	p.warm = true
	return p.measure(ctx, ping, out)
}

// warmUp logs on if the pool has no session or a lost one, and executes the
// query so that it is parsed. It returns the round-trip time.
func (p *poolProbe) warmUp(ctx context.Context) (ping time.Duration, err error) {
	err = p.use(ctx, func(s *link.Session) error {
		err := oneRow(ctx, s)
		if err == nil {
			ping, err = shortestPing(ctx, s)
		}
		return err
	})
	return ping, err
}

func (p *poolProbe) measure(ctx context.Context, ping time.Duration, out *Samples) error {
	var acquired time.Duration
	var counts link.Counts
	start := time.Now()
	err := p.use(ctx, func(s *link.Session) error {
		acquired = time.Since(start)
		before := s.Counts()
		err := oneRow(ctx, s)
		counts = s.Counts().Sub(before)
		return err
	})
	elapsed := time.Since(start)
	if err != nil {
		return err
	}
	out.Add(poolAcquireSeconds, acquired.Seconds())
	out.Add(poolQuerySeconds, elapsed.Seconds())
	takeApart(elapsed, counts, ping).add(out, poolQueryComponentSeconds)
	return nil
}

// use lends a session of the pool to do and releases it.
func (p *poolProbe) use(ctx context.Context, do func(*link.Session) error) error {
	lease, err := p.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	err = do(lease.Session)
	if releaseErr := lease.Release(); err == nil {
		err = releaseErr
	}
	return err
}

func oneRow(ctx context.Context, s *link.Session) error {
	_, err := s.Fetch(ctx, "select 1 from dual", nil, func([]driver.Value) {})
	return err
}

// Close logs off the pool's session.
func (p *poolProbe) Close(context.Context) error { return p.pool.Close() }
