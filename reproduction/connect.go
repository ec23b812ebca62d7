// M4: a cold connect against a pool, over mutual TLS.

package main

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"time"

	"oranet_exporter/budget"
	"oranet_exporter/link"
	"oranet_exporter/probes"
	"oranet_exporter/simulator/emulink"
)

// pooling is what was published of one RTT; all but the RTT in milliseconds of
// elapsed time.
type pooling struct{ rtt, connect, withRow, acquire, pooledRow printed }

// Published of python-oracledb: connect = 98.1 ms + 6.20 × RTT.
var publishedPooling = []pooling{
	{"3.57", "120.2", "132.1", "0.10", "7.4"},
	{"8.55", "149.3", "170.1", "0.20", "18.2"},
	{"14.02", "185.0", "214.8", "0.10", "28.5"},
}

// connectTimes is how often each figure is measured; the fastest counts.
const connectTimes = 20

// connects is what was measured at one RTT, the fastest of all.
type connects struct {
	rtt                                  time.Duration
	connect, withRow, acquire, pooledRow time.Duration
	trips                                int // of the connect, counted
}

func reproduceConnect(l *lab) ([]section, error) {
	var rtts []time.Duration
	for _, p := range publishedPooling {
		rtts = append(rtts, milliseconds(p.rtt))
	}
	got, err := l.measureConnects(rtts, connectTimes)
	if err != nil {
		return nil, err
	}
	for _, c := range got {
		l.say("at %v: connect %v in %d round trips, acquire %v, a pooled row %v", c.rtt, c.connect, c.trips, c.acquire, c.pooledRow)
	}
	s, err := compareConnects(got)
	return []section{s}, err
}

// measureConnects measures at each RTT in turn, with the probes' own code.
func (l *lab) measureConnects(rtts []time.Duration, times int) ([]connects, error) {
	db, err := l.startTLS(emulink.Path{})
	if err != nil {
		return nil, err
	}
	defer db.Close()
	to, err := link.New(db.cfg)
	if err != nil {
		return nil, err
	}
	connect, pool := probes.Connect.New(to, nil), probes.Pool.New(to, nil)
	defer pool.Close(context.Background())
	got := make([]connects, len(rtts))
	for range times {
		for i, rtt := range rtts {
			got[i].rtt = rtt
			db.path.Set(emulink.Path{RTT: rtt})
			if err := got[i].run(l.ctx, connect, pool); err != nil {
				return nil, err
			}
			withRow, err := connectForOneRow(l.ctx, to)
			if err != nil {
				return nil, err
			}
			keep(&got[i].withRow, withRow)
		}
	}
	return got, nil
}

// run runs both probes once.
func (c *connects) run(ctx context.Context, connect, pool probes.Probe) error {
	var out probes.Samples
	if err := errors.Join(connect.Run(ctx, &out), pool.Run(ctx, &out)); err != nil {
		return err
	}
	for _, s := range out.List() {
		switch s.Metric.Name {
		case "connect_seconds":
			keep(&c.connect, seconds(s.Value))
		case "connect_round_trips":
			c.trips = int(s.Value)
		case "pool_acquire_seconds":
			keep(&c.acquire, seconds(s.Value))
		case "pool_query_seconds":
			keep(&c.pooledRow, seconds(s.Value))
		}
	}
	return nil
}

// connectForOneRow is what an application without a pool pays for one row.
func connectForOneRow(ctx context.Context, to *link.Link) (time.Duration, error) {
	start := time.Now()
	session, _, err := to.Open(ctx, link.DriverChooses)
	if err != nil {
		return 0, err
	}
	defer session.Close(ctx)
	if _, err := session.Fetch(ctx, "select 1 from dual", nil, func([]driver.Value) {}); err != nil {
		return 0, err
	}
	elapsed := time.Since(start)
	return elapsed, session.Close(ctx)
}

// keep keeps the shorter of two.
func keep(least *time.Duration, d time.Duration) {
	if *least == 0 || d < *least {
		*least = d
	}
}

// compareConnects fits lines through what was measured.
func compareConnects(got []connects) (section, error) {
	low, high := got[0], got[len(got)-1]
	line := func(of func(connects) time.Duration) (budget.Line, error) {
		return budget.Through(budget.Point{Elapsed: of(low), RTT: low.rtt}, budget.Point{Elapsed: of(high), RTT: high.rtt})
	}
	connect, err := line(func(c connects) time.Duration { return c.connect })
	if err != nil {
		return section{}, err
	}
	acquire, err := line(func(c connects) time.Duration { return c.acquire })
	if err != nil {
		return section{}, err
	}
	pooled, err := line(func(c connects) time.Duration { return c.pooledRow })
	if err != nil {
		return section{}, err
	}
	s := section{title: "M4 Connecting against pooling"}
	s.add(
		figure{name: "connect: intercept", unit: "ms", decimals: 1, published: printed("98.1").span(), ours: 1e3 * connect.Fixed.Seconds(), allowed: shown},
		figure{name: "connect: slope", unit: "RTT", decimals: 2, published: printed("6.20").span(), ours: connect.RoundTrips, allowed: shown},
		figure{name: "connect: slope ÷ round trips counted on the socket", decimals: 2, published: count(1),
			ours: connect.RoundTrips / float64(low.trips), allowed: 0.05},
		figure{name: "acquire from a pool: slope", unit: "RTT", decimals: 2, published: printed("0.00").span(), ours: acquire.RoundTrips},
		figure{name: "one row from a pool: slope", unit: "RTT", decimals: 2, published: printed("2.02").span(), ours: pooled.RoundTrips, allowed: within},
	)
	for _, c := range got {
		adds := budget.ConnectingAdds(connect, c.acquire, c.rtt)
		s.add(figure{name: fmt.Sprintf("what connecting adds to one row at %g ms ÷ (connect − acquire)", inMilliseconds(c.rtt)), decimals: 2,
			published: count(1), ours: float64(c.withRow-c.pooledRow) / float64(adds), allowed: within})
	}
	s.text, s.chart = connectText(connect, low.trips), connectChart(got, connect, low.trips)
	return s, nil
}
