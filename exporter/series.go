// One target's series: what probes describe as plain data, as Prometheus
// collectors. Every target has its own, because their labels differ, and
// because a reload that changes one target must leave the others' going.

package exporter

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"oranet_exporter/probes"
)

// Native histograms: a bucket is at most a tenth wider than the one before.
// 200 of them span 50 µs to 60 s (163 buckets) with room to spare; the reset,
// should a wider spread ever need it, takes the classic buckets along.
const (
	nativeFactor   = 1.1
	nativeMax      = 200
	nativeMinReset = time.Hour
)

// series are the series of one target. It is a prometheus.Collector.
type series struct {
	labels     prometheus.Labels
	families   map[*probes.Metric]prometheus.Collector
	collectors []prometheus.Collector // the families and what add added

	mu    sync.Mutex
	shown map[infoKey][]string // label values of the info series that are there
}

// infoKey names the thing that an info series tells about.
type infoKey struct {
	metric *probes.Metric
	key    string
}

// newSeries makes the families and, at 0, the series known beforehand. limits
// are the budgets' limits, in seconds.
func newSeries(labels prometheus.Labels, metrics []*probes.Metric, known []probes.Series, limits ...float64) (*series, error) {
	s := &series{labels: labels, families: map[*probes.Metric]prometheus.Collector{}, shown: map[infoKey][]string{}}
	for _, m := range metrics {
		if s.families[m] != nil {
			continue
		}
		s.families[m] = newFamily(m, labels, bounds(m, limits))
		s.add(s.families[m])
		if len(m.Labels) == 0 && (m.Kind == probes.Histogram || m.Kind == probes.Counter) {
			known = append(known, probes.Series{Metric: m})
		}
	}
	for _, k := range known {
		if _, err := s.get(k.Metric, k.Values); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// bounds are the metric's classic buckets, with the budgets' limits as edges
// where they limit what it measures.
func bounds(m *probes.Metric, limits []float64) []float64 {
	if m != budgetElapsed && !slices.Contains(probes.QueryTimes, m) {
		return m.Buckets
	}
	list := slices.Concat(m.Buckets, limits)
	slices.Sort(list)
	return slices.Compact(list)
}

func newFamily(m *probes.Metric, labels prometheus.Labels, buckets []float64) prometheus.Collector {
	opts := prometheus.Opts{Name: Namespace + m.Name, Help: m.Help, ConstLabels: labels}
	switch m.Kind {
	case probes.Histogram:
		return prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: opts.Name, Help: opts.Help, ConstLabels: labels, Buckets: buckets,
			NativeHistogramBucketFactor:     nativeFactor,
			NativeHistogramMaxBucketNumber:  nativeMax,
			NativeHistogramMinResetDuration: nativeMinReset,
		}, m.Labels)
	case probes.Counter:
		return prometheus.NewCounterVec(prometheus.CounterOpts(opts), m.Labels)
	}
	return prometheus.NewGaugeVec(prometheus.GaugeOpts(opts), m.Labels)
}

// add collects c, too.
func (s *series) add(c prometheus.Collector) { s.collectors = append(s.collectors, c) }

// get returns the series' Observer, Counter or Gauge, at 0 if it is new.
func (s *series) get(m *probes.Metric, values []string) (instrument any, err error) {
	switch vec := s.families[m].(type) {
	case *prometheus.HistogramVec:
		instrument, err = vec.GetMetricWithLabelValues(values...)
	case *prometheus.CounterVec:
		instrument, err = vec.GetMetricWithLabelValues(values...)
	case *prometheus.GaugeVec:
		instrument, err = vec.GetMetricWithLabelValues(values...)
	default:
		return nil, fmt.Errorf("metric %s is not declared", m.Name)
	}
	if err != nil {
		return nil, fmt.Errorf("metric %s: %w", m.Name, err)
	}
	return instrument, nil
}

// record adds one sample to its series. It fails only if a probe does not
// keep to what it declared.
func (s *series) record(sample probes.Sample) error {
	values := printable(sample.Values)
	instrument, err := s.get(sample.Metric, values)
	if err != nil {
		return err
	}
	switch i := instrument.(type) {
	case prometheus.Gauge: // before Counter, whose methods a gauge has, too
		i.Set(sample.Value)
	case prometheus.Counter:
		if sample.Value < 0 || math.IsNaN(sample.Value) {
			return fmt.Errorf("metric %s: a counter cannot grow by %v", sample.Metric.Name, sample.Value)
		}
		i.Add(sample.Value)
	case prometheus.Observer:
		i.Observe(sample.Value)
	}
	if sample.Metric.Kind == probes.Info {
		s.replace(sample.Metric, values)
	}
	return nil
}

// replace removes the info series that told something else about the same
// thing. The new one is there already, so that no scrape sees neither.
func (s *series) replace(m *probes.Metric, values []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := infoKey{m, strings.Join(values[:m.Keys], "\x00")}
	if old, ok := s.shown[key]; ok && !slices.Equal(old, values) {
		s.families[m].(*prometheus.GaugeVec).DeleteLabelValues(old...)
	}
	s.shown[key] = values
}

// Collect sends every series.
func (s *series) Collect(ch chan<- prometheus.Metric) {
	for _, c := range s.collectors {
		c.Collect(ch)
	}
}

// Describe sends nothing: two targets' series of one name have different
// labels, which only an unchecked collector may have.
func (s *series) Describe(chan<- *prometheus.Desc) {}

// printable makes label values of whatever bytes a peer sent.
func printable(values []string) []string {
	clean := make([]string, len(values))
	for i, v := range values {
		clean[i] = strings.ToValidUTF8(v, "\uFFFD")
	}
	return clean
}
