// Package probes measures one thing at a time on a link: one file a probe,
// each with its metrics beside the code that fills them.
//
// A probe knows neither Prometheus nor the scheduler. Whoever runs it times
// the run, recovers from panics, classifies the error and counts it, so that
// no probe can forget to. To add one: write its file, add it to All.
package probes

import (
	"context"
	"time"

	"oranet_exporter/link"
)

// Definition is all that the rest of the program knows of a probe.
type Definition struct {
	Name    string
	Help    string // one line for the documentation and the status page
	Default Schedule
	Heavy   bool      // moves bulk or logs on often: one at a time in a process
	Logon   bool      // needs a user; shares its target's back-off from refused logons
	Metrics []*Metric // the first is what the probe is for

	// Options returns the probe's own settings at their defaults, a pointer
	// for the configuration to decode onto; nil if it has none.
	Options func() Options
	// Known lists the counter and histogram series that exist before the
	// first run, as far as the settings tell; nil for metrics without labels.
	Known func(Options) []Series
	// New makes the probe of one target. It does no I/O.
	New func(*link.Link, Options) Probe
}

// Schedule says how often a probe runs and how long a run may take.
type Schedule struct {
	Enabled  bool
	Interval time.Duration
	Timeout  time.Duration
}

// Options are a probe's own settings, decoded from the configuration.
type Options interface {
	// Validate returns an error that names the key and says what would be right.
	Validate() error
}

// Series names one series of a metric by its label values.
type Series struct {
	Metric *Metric
	Values []string
}

// Probe measures one target. Run and Close are never called at the same time.
type Probe interface {
	// Run measures once, within ctx's deadline. Samples that it added before
	// it failed are discarded, except those of gauges and counters.
	Run(ctx context.Context, out *Samples) error
	// Close logs off whatever sessions the probe holds, within ctx's deadline.
	Close(ctx context.Context) error
}

// All is the one list of probes, in the order in which people think of a link.
var All = []*Definition{TCP, RoundTrip, Pool, Connect, SDU, Fetch}
