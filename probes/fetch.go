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
		Help: "fetch_seconds taken apart: network (round trips times the round-trip time measured just before), " +
			"server (the rest of the time spent waiting for answers), transfer (receiving after an answer's first byte), client (everything else).",
		Kind:    Histogram,
		Labels:  []string{"arraysize", "component"},
		Buckets: grid(100e-6, 100),
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
	Metrics: append([]*Metric{fetchSeconds, fetchComponentSeconds, fetchRoundTrips, fetchRowsPerRoundTrip,
		fetchThroughput, fetchRowsTotal, fetchBytesTotal}, ifKernelTells(socketBufferBytes)...),
	Options: func() Options {
		return &FetchOptions{Arraysize: []Arraysize{100, 1000, 10000}, Rows: 10000, RowBytes: 200}
	},
	Known: fetchSeries,
	New:   func(l *link.Link, o Options) Probe { return fetchProbe{link: l, FetchOptions: *o.(*FetchOptions)} },
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

// The components into which a fetch is taken apart.
var fetchComponents = []string{"network", "server", "transfer", "client"}

func fetchSeries(o Options) []Series {
	var known []Series
	for _, a := range o.(*FetchOptions).Arraysize {
		label := a.String()
		for _, m := range []*Metric{fetchSeconds, fetchThroughput, fetchRowsTotal, fetchBytesTotal} {
			known = append(known, Series{m, []string{label}})
		}
		for _, component := range fetchComponents {
			known = append(known, Series{fetchComponentSeconds, []string{label, component}})
		}
	}
	return known
}

type fetchProbe struct {
	link *link.Link
	FetchOptions
}

// Run fetches once for each arraysize, each on a session of its own, because
// the driver fixes the arraysize at logon.
func (p fetchProbe) Run(ctx context.Context, out *Samples) error {
	for _, a := range p.Arraysize {
		if err := p.fetch(ctx, a, out); err != nil {
			return fmt.Errorf("arraysize %s: %w", a, err)
		}
	}
	return nil
}

func (p fetchProbe) fetch(ctx context.Context, a Arraysize, out *Samples) error {
	session, _, err := p.link.Open(ctx, int(a))
	if err != nil {
		return err
	}
	defer session.Close(ctx)
	addBuffers(session, momentConnect, out)
	rtt, err := shortestPing(ctx, session)
	if err != nil {
		return err
	}
	end := p.link.BeginBulk()
	f, err := session.Fetch(ctx, payloadQuery(p.RowBytes), payloadBinds(p.RowBytes, p.Rows), func([]driver.Value) {})
	end()
	if err != nil {
		return err
	}
	if f.Rows != p.Rows {
		return fmt.Errorf("the query returned %d rows instead of %d", f.Rows, p.Rows)
	}
	addBuffers(session, momentFetch, out)
	addFetch(out, a.String(), f, rtt)
	return session.Close(ctx)
}

// shortestPing is the round-trip time beside which a fetch is taken apart:
// the least of three, because a delayed one says nothing about the link.
func shortestPing(ctx context.Context, session *link.Session) (time.Duration, error) {
	var shortest time.Duration
	for i := range 3 {
		start := time.Now()
		if err := session.Ping(ctx); err != nil {
			return 0, err
		}
		if elapsed := time.Since(start); i == 0 || elapsed < shortest {
			shortest = elapsed
		}
	}
	return shortest, nil
}

func addFetch(out *Samples, label string, f link.Fetched, rtt time.Duration) {
	seconds := f.Elapsed.Seconds()
	out.Add(fetchSeconds, seconds, label)
	for i, d := range components(f, rtt) {
		out.Add(fetchComponentSeconds, d.Seconds(), label, fetchComponents[i])
	}
	out.Add(fetchRoundTrips, float64(f.Counts.RoundTrips), label)
	out.Add(fetchRowsPerRoundTrip, float64(f.Rows)/float64(f.Counts.RoundTrips), label)
	out.Add(fetchThroughput, float64(f.Counts.Received)/seconds, label)
	out.Add(fetchRowsTotal, float64(f.Rows), label)
	out.Add(fetchBytesTotal, float64(f.Counts.Received), label)
}

// components takes a fetch apart, in the order of fetchComponents. Their sum
// is its elapsed time exactly.
func components(f link.Fetched, rtt time.Duration) [4]time.Duration {
	network := min(time.Duration(f.Counts.RoundTrips)*rtt, f.Counts.Waiting)
	server := f.Counts.Waiting - network
	client := f.Elapsed - f.Counts.Waiting - f.Counts.Receiving
	return [4]time.Duration{network, server, f.Counts.Receiving, client}
}

// Close has nothing to close.
func (fetchProbe) Close(context.Context) error { return nil }
