// The sdu probe: what the listener grants of what is asked.

package probes

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"oranet_exporter/link"
	"oranet_exporter/link/tns"
)

var sduNegotiatedBytes = &Metric{
	Name:   "sdu_negotiated_bytes",
	Help:   "Session data unit that the listener granted, by the size asked for.",
	Kind:   Gauge,
	Labels: []string{"requested"},
}

// SDU negotiates each requested size, without logging on.
var SDU = &Definition{
	Name:    "sdu",
	Help:    "session data unit granted, by size requested",
	Default: Schedule{Enabled: true, Interval: 10 * time.Minute, Timeout: 30 * time.Second},
	Metrics: []*Metric{sduNegotiatedBytes},
	Options: func() Options { return &SDUOptions{Requested: []int{2048, 8192, 65536, tns.MaxSDU}} },
	New: func(l *link.Link, o Options) Probe {
		return sduProbe{link: l, requested: o.(*SDUOptions).Requested}
	},
}

// SDUOptions are the sdu probe's settings.
type SDUOptions struct {
	Requested []int `yaml:"requested"` // sizes to ask for, bytes
}

// Validate checks that every size is one that Oracle Net knows.
func (o *SDUOptions) Validate() error {
	if len(o.Requested) == 0 {
		return fmt.Errorf("requested: give at least one size")
	}
	for _, size := range o.Requested {
		if size < tns.MinSDU || size > tns.MaxSDU {
			return fmt.Errorf("requested: %d is not a session data unit, %d to %d bytes are", size, tns.MinSDU, tns.MaxSDU)
		}
	}
	return nil
}

type sduProbe struct {
	link      *link.Link
	requested []int
}

// Run asks for each size in turn.
func (p sduProbe) Run(ctx context.Context, out *Samples) error {
	for _, size := range p.requested {
		attempt, err := p.link.Negotiate(ctx, size)
		if err != nil {
			return err
		}
		out.Add(sduNegotiatedBytes, float64(attempt.Accepted.SDU), strconv.Itoa(size))
	}
	return nil
}

// Close has nothing to close.
func (sduProbe) Close(context.Context) error { return nil }
