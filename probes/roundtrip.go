// The round_trip probe: what one SQL*Net round trip costs on a session that
// is already there, as an application meets it.

package probes

import (
	"context"
	"time"

	"oranet_exporter/link"
)

var roundTripSeconds = &Metric{
	Name: "round_trip_seconds",
	Help: "Time of one TTC ping on a held session, end to end: network, TLS and the server's " +
		"handling of a call without SQL. load=bulk: one of our own bulk transfers was on the link.",
	Kind:    Histogram,
	Labels:  []string{"load"},
	Buckets: grid(50e-6, 5),
}

// The values of the label load.
const (
	loadIdle = "idle"
	loadBulk = "bulk"
)

// RoundTrip pings on a session that it holds.
var RoundTrip = &Definition{
	Name:    "round_trip",
	Help:    "one SQL*Net round trip on a held session",
	Default: Schedule{Enabled: true, Interval: 2 * time.Second, Timeout: 2 * time.Second},
	Logon:   true,
	Metrics: append([]*Metric{roundTripSeconds},
		ifKernelTells(tcpRTTSeconds, tcpRTTVarianceSeconds, tcpMinRTTSeconds, tcpRetransmitsTotal)...),
	Known: func(Options) []Series {
		return []Series{{roundTripSeconds, []string{loadIdle}}, {roundTripSeconds, []string{loadBulk}}}
	},
	New: func(l *link.Link, _ Options) Probe { return &roundTripProbe{link: l, held: l.Hold()} },
}

type roundTripProbe struct {
	link   *link.Link
	held   *link.Held
	kernel kernelWatch // on the session
}

// Run pings once. A lost session fails the run that finds it lost; the next
// run logs on again, which is not part of the figure. On a long link a logon,
// some ten round trips, takes more than a run has: those that wait for it fail,
// and it goes on. If it leaves too little of a run for a ping, the session is
// kept, and the next run pings on it.
func (p *roundTripProbe) Run(ctx context.Context, out *Samples) error {
	session, opened, err := p.held.Session(ctx)
	if err != nil {
		return err
	}
	if opened != nil {
		p.kernel = kernelWatch{}
		deadline, limited := ctx.Deadline()
		if limited && time.Until(deadline) < opened.Elapsed()/4 {
			return nil
		}
	}
	bulkSeen := p.link.WatchBulk()
	start := time.Now()
	err = session.Ping(ctx)
	elapsed := time.Since(start)
	p.kernel.look(session, out) // also when the ping failed: a lost link shows in the retransmits
	if err != nil {
		_ = p.held.Drop(ctx)
		return err
	}
	load := loadIdle
	if bulkSeen() {
		load = loadBulk
	}
	out.Add(roundTripSeconds, elapsed.Seconds(), load)
	return nil
}

// Close logs off.
func (p *roundTripProbe) Close(ctx context.Context) error { return p.held.Close(ctx) }
