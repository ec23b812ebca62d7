// The fetch probe: what rows cost, by how many a round trip asks for.

package probes

import (
	"context"
	"database/sql/driver"
	"fmt"
	"time"

	"oranet_exporter/link"
)

var (
	fetchSeconds = &Metric{
		Name:    "fetch_seconds",
		Help:    "Time from the execute to the last row, closing the cursor not included.",
		Kind:    Histogram,
		Labels:  []string{"arraysize"},
		Buckets: grid(1e-3, 100),
	}
	fetchComponentSeconds = &Metric{
		Name: "fetch_component_seconds",
		Help: "fetch_seconds taken apart: network (round trips times the shortest of three pings just before), " +
			"server (the rest of the time spent waiting for answers), transfer (receiving the answers), client (everything else). " +
			"Where V$SQL can be read, it decides between network and server.",
		Kind:    Histogram,
		Labels:  []string{"arraysize", "component"},
		Buckets: grid(100e-6, 100),
	}
	fetchServerTimeSource = &Metric{
		Name: "fetch_server_time_source",
		Help: "Where the server component of the last fetch comes from; always 1. " +
			"source: rest (waiting that is not round trips) or v_sql (ELAPSED_TIME in V$SQL).",
		Kind:   Info,
		Labels: []string{"arraysize", "source"},
		Keys:   1,
	}
	fetchRoundTrips = &Metric{
		Name:   "fetch_round_trips",
		Help:   "Round trips of the last fetch, execute to last row, counted on the socket.",
		Kind:   Gauge,
		Labels: []string{"arraysize"},
	}
	fetchRowsPerRoundTrip = &Metric{
		Name:   "fetch_rows_per_round_trip",
		Help:   "Rows of the last fetch divided by its round trips.",
		Kind:   Gauge,
		Labels: []string{"arraysize"},
	}
	fetchThroughput = &Metric{
		Name:    "fetch_throughput_bytes_per_second",
		Help:    "Bytes received during a fetch divided by fetch_seconds.",
		Kind:    Histogram,
		Labels:  []string{"arraysize"},
		Buckets: grid(1e4, 5e9),
	}
	fetchRowsTotal = &Metric{
		Name:   "fetch_rows_total",
		Help:   "Rows fetched.",
		Kind:   Counter,
		Labels: []string{"arraysize"},
	}
	fetchBytesTotal = &Metric{
		Name:   "fetch_bytes_total",
		Help:   "Bytes received on the socket during fetches.",
		Kind:   Counter,
		Labels: []string{"arraysize"},
	}
)

// Fetch reads the same rows once for each arraysize.
var Fetch = &Definition{
	Name:    "fetch",
	Help:    "rows from DUAL, by arraysize",
	Default: Schedule{Enabled: true, Interval: 5 * time.Minute, Timeout: 60 * time.Second},
	Logon:   true,
	Heavy:   true,
	Metrics: append([]*Metric{fetchSeconds, fetchComponentSeconds, fetchServerTimeSource, fetchRoundTrips, fetchRowsPerRoundTrip,
		fetchThroughput, fetchRowsTotal, fetchBytesTotal, capability, fetchServerRoundTrips, fetchServerSentBytes},
		ifKernelTells(socketBufferBytes)...),
	Options: func() Options {
		return &FetchOptions{Arraysize: []Arraysize{100, 1000, 10000}, Rows: 10000, RowBytes: 200}
	},
	Known: fetchSeries,
	New:   func(l *link.Link, o Options) Probe { return &fetchProbe{link: l, FetchOptions: *o.(*FetchOptions)} },
}

// FetchOptions are the fetch probe's settings.
type FetchOptions struct {
	Arraysize []Arraysize `yaml:"arraysize"`
	Rows      int         `yaml:"rows"`
	RowBytes  int         `yaml:"row_bytes"`
}

// Validate checks the ranges.
func (o *FetchOptions) Validate() error {
	switch {
	case len(o.Arraysize) == 0:
		return fmt.Errorf("arraysize: give at least one")
	case o.Rows < 1 || o.Rows > 10_000_000:
		return fmt.Errorf("rows: %d is out of range, 1 to 10000000 are possible", o.Rows)
	case o.RowBytes < 1 || o.RowBytes/hashBytes >= maxColumns:
		return fmt.Errorf("row_bytes: %d is out of range, 1 to %d are possible", o.RowBytes, hashBytes*maxColumns-1)
	}
	return nil
}

func fetchSeries(o Options) []Series {
	var known []Series
	for _, a := range o.(*FetchOptions).Arraysize {
		label := a.String()
		for _, m := range []*Metric{fetchSeconds, fetchThroughput, fetchRowsTotal, fetchBytesTotal} {
			known = append(known, Series{m, []string{label}})
		}
		for _, component := range componentNames {
			known = append(known, Series{fetchComponentSeconds, []string{label, component}})
		}
	}
	return known
}

// The values of the label source.
const (
	sourceRest = "rest"
	sourceVSQL = "v_sql"
)

type fetchProbe struct {
	link *link.Link
	FetchOptions
	checksRefused bool // by the server; not asked again
}

// Run fetches once for each arraysize, each on a session of its own, because
// the driver fixes the arraysize at logon.
func (p *fetchProbe) Run(ctx context.Context, out *Samples) error {
	for _, a := range p.Arraysize {
		if err := p.fetch(ctx, a, out); err != nil {
			return fmt.Errorf("arraysize %s: %w", a, err)
		}
	}
	return nil
}

func (p *fetchProbe) fetch(ctx context.Context, a Arraysize, out *Samples) error {
	r, err := p.prepare(ctx, a, out)
	if err != nil {
		return err
	}
	defer r.session.Close(ctx)
	end := p.link.BeginBulk()
	f, err := r.session.Fetch(ctx, payloadQuery(p.RowBytes), payloadBinds(p.RowBytes, p.Rows), func([]driver.Value) {})
	end()
	if err != nil {
		return err
	}
	if f.Rows != p.Rows {
		return fmt.Errorf("the query returned %d rows instead of %d", f.Rows, p.Rows)
	}
	addBuffers(r.session, momentFetch, out)
	told, err := r.check.end(ctx, f.Closing)
	if err != nil {
		p.checksRefused = p.checksRefused || refused(err)
		r.check.granted, told = nil, serverTold{}
	}
	addCapabilities(out, r.check.granted)
	addFetch(out, a.String(), f, r.times, told)
	return r.session.Close(ctx)
}

// readied is a session that is about to fetch, and what was found on it before.
type readied struct {
	session *link.Session
	times   tripTimes
	check   serverCheck
}

// prepare opens a session for a fetch. If the server's counts cannot be read
// on it, that costs the session, and the fetch goes without them on another.
func (p *fetchProbe) prepare(ctx context.Context, a Arraysize, out *Samples) (*readied, error) {
	r, err := p.open(ctx, a, out)
	if err != nil || p.checksRefused {
		return r, err
	}
	err = r.check.begin(ctx, payloadQuery(p.RowBytes), payloadBinds(p.RowBytes, 1))
	if err == nil {
		return r, nil
	}
	p.checksRefused = refused(err)
	_ = r.session.Close(ctx)
	if ctx.Err() != nil {
		return nil, err
	}
	return p.open(ctx, a, out)
}

func (p *fetchProbe) open(ctx context.Context, a Arraysize, out *Samples) (*readied, error) {
	session, attempt, err := p.link.Open(ctx, int(a))
	if err != nil {
		return nil, err
	}
	addBuffers(session, momentConnect, out)
	ping, err := shortestPing(ctx, session)
	if err != nil {
		_ = session.Close(ctx)
		return nil, err
	}
	return &readied{
		session: session,
		times:   tripTimes{ping: ping, connect: attempt.TCPConnect},
		check:   serverCheck{session: session},
	}, nil
}

// shortestPing is the round-trip time beside which a query is taken apart: the
// least of three, because a delayed one says nothing about the link. It is the
// waiting alone, as the query's is: the client's own work is not the network's.
func shortestPing(ctx context.Context, session *link.Session) (time.Duration, error) {
	var shortest time.Duration
	for i := range 3 {
		before := session.Counts()
		if err := session.Ping(ctx); err != nil {
			return 0, err
		}
		if waited := session.Counts().Sub(before).Waiting; i == 0 || waited < shortest {
			shortest = waited
		}
	}
	return shortest, nil
}

func addFetch(out *Samples, label string, f link.Fetched, t tripTimes, told serverTold) {
	seconds := f.Elapsed.Seconds()
	out.Add(fetchSeconds, seconds, label)
	parts, source := takeApart(f.Elapsed, f.Counts, t.ping), sourceRest
	if told.busy != nil {
		if decided, ok := parts.toldByServer(*told.busy, f.Counts, t); ok {
			parts, source = decided, sourceVSQL
		}
	}
	parts.add(out, fetchComponentSeconds, label)
	out.Add(fetchServerTimeSource, 1, label, source)
	out.Add(fetchRoundTrips, float64(f.Counts.RoundTrips), label)
	out.Add(fetchRowsPerRoundTrip, float64(f.Rows)/float64(f.Counts.RoundTrips), label)
	out.Add(fetchThroughput, float64(f.Counts.Received)/seconds, label)
	out.Add(fetchRowsTotal, float64(f.Rows), label)
	out.Add(fetchBytesTotal, float64(f.Counts.Received), label)
	if told.counts != nil {
		out.Add(fetchServerRoundTrips, float64(told.counts.RoundTrips), label)
		out.Add(fetchServerSentBytes, float64(told.counts.Sent), label)
	}
}

// Close has nothing to close.
func (*fetchProbe) Close(context.Context) error { return nil }
