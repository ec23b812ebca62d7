// The connect probe: what a connection costs that is opened cold.

package probes

import (
	"context"
	"time"

	"oranet_exporter/link"
)

var (
	connectSeconds = &Metric{
		Name:    "connect_seconds",
		Help:    "Time from the host name to a usable session, nothing reused. server: the kind of server the descriptor asks for.",
		Kind:    Histogram,
		Labels:  []string{"server"},
		Buckets: grid(1e-3, 60),
	}
	connectPhaseSeconds = &Metric{
		Name: "connect_phase_seconds",
		Help: "Time of each phase of a cold connect: resolve, proxy, tcp, tls, tns (CONNECT to the agreed data types), " +
			"auth (both logon exchanges), session (until usable).",
		Kind:    Histogram,
		Labels:  []string{"phase"},
		Buckets: grid(50e-6, 20),
	}
	connectRoundTrips = &Metric{
		Name: "connect_round_trips",
		Help: "Round trips of the last cold connect, the TCP handshake included, counted on the socket.",
		Kind: Gauge,
	}
	sessionInfo = &Metric{
		Name:   "session_info",
		Help:   "Where the last session landed; always 1. address: host:port of the listener that accepted, redirects followed.",
		Kind:   Info,
		Labels: []string{"instance_name", "server_host", "service_name", "version", "address"}, // "instance" is Prometheus's own
	}
)

// connectPhases are the phases that a connect can pass through.
var connectPhases = []link.Phase{link.PhaseResolve, link.PhaseProxy, link.PhaseTCP, link.PhaseTLS,
	link.PhaseTNS, link.PhaseAuth, link.PhaseSession}

// Connect opens a session cold and logs off.
var Connect = &Definition{
	Name:    "connect",
	Help:    "cold connect: name to usable session, by phase",
	Default: Schedule{Enabled: true, Interval: 60 * time.Second, Timeout: 15 * time.Second},
	Logon:   true,
	Metrics: []*Metric{connectSeconds, connectPhaseSeconds, connectRoundTrips, sessionInfo, passwordExpiry},
	New:     func(l *link.Link, _ Options) Probe { return &connectProbe{link: l} },
}

type connectProbe struct {
	link     *link.Link
	password passwordCheck
}

// Run connects, reads what is due and logs off. Neither is part of the figures,
// but a logoff that fails fails the run.
func (p *connectProbe) Run(ctx context.Context, out *Samples) error {
	session, attempt, err := p.link.Open(ctx, link.DriverChooses)
	if err != nil {
		return err
	}
	info := session.Info()
	p.password.read(ctx, session, out)
	if err := session.Close(ctx); err != nil {
		return err
	}
	out.Add(connectSeconds, attempt.Elapsed().Seconds(), serverLabel(p.link))
	for _, phase := range connectPhases {
		if d, ok := attempt.Phases[phase]; ok {
			out.Add(connectPhaseSeconds, d.Seconds(), string(phase))
		}
	}
	out.Add(connectRoundTrips, float64(attempt.RoundTrips))
	out.Add(sessionInfo, 1, info.Instance, info.ServerHost, info.Service, info.Version, attempt.Address)
	return nil
}

// Close has nothing to close.
func (*connectProbe) Close(context.Context) error { return nil }

func serverLabel(l *link.Link) string {
	if server := l.Server(); server != "" {
		return string(server)
	}
	return "default"
}
