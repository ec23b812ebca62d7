// The tcp probe: what the network alone costs, to whatever answers the SYN.

package probes

import (
	"context"
	"time"

	"oranet_exporter/link"
)

var tcpConnectSeconds = &Metric{
	Name: "tcp_connect_seconds",
	Help: "Time from SYN to SYN/ACK, name resolution not included: one network round trip, " +
		"to the listener, gateway or proxy that answers.",
	Kind:    Histogram,
	Buckets: grid(50e-6, 5),
}

// TCP opens a TCP connection and closes it.
var TCP = &Definition{
	Name:    "tcp",
	Help:    "TCP connect to the listener",
	Default: Schedule{Enabled: true, Interval: 2 * time.Second, Timeout: 2 * time.Second},
	Metrics: []*Metric{tcpConnectSeconds},
	New:     func(l *link.Link, _ Options) Probe { return tcpProbe{l} },
}

type tcpProbe struct{ link *link.Link }

// Run connects once.
func (p tcpProbe) Run(ctx context.Context, out *Samples) error {
	attempt, err := p.link.Connect(ctx)
	if err != nil {
		return err
	}
	out.Add(tcpConnectSeconds, attempt.TCPConnect.Seconds())
	return nil
}

// Close has nothing to close.
func (tcpProbe) Close(context.Context) error { return nil }
