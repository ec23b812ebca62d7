// How a probe describes its metrics: plain data, no Prometheus.

package probes

// Kind is the type of a metric.
type Kind int

// The kinds of metrics that probes use.
const (
	Histogram Kind = iota
	Gauge
	Counter
	Info // a gauge whose labels tell something; a new series replaces the old, see Metric.Keys
)

// Metric describes one metric family without its prefix and without the
// labels that every series has (target and the target's own).
type Metric struct {
	Name    string // e.g. tcp_connect_seconds
	Help    string // what is measured, from when to when
	Kind    Kind
	Labels  []string  // names of the labels beyond the target's
	Buckets []float64 // upper bounds of the classic buckets, histograms only
	Keys    int       // info only: how many leading labels name the thing told about; the others tell
}

// Sample is one value for one series of a metric. A histogram observes it, a
// gauge is set to it, a counter grows by it.
type Sample struct {
	Metric *Metric
	Values []string // label values, as many as Metric.Labels
	Value  float64
}

// Samples collects what a run measured.
type Samples struct {
	list []Sample
}

// Add records one value. The label values follow Metric.Labels.
func (s *Samples) Add(m *Metric, value float64, labels ...string) {
	s.list = append(s.list, Sample{Metric: m, Values: labels, Value: value})
}

// List returns the samples in the order in which they were added.
func (s *Samples) List() []Sample { return s.list }
