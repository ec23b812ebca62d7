// The registry: every target's series, and the exporter's own.

package exporter

import (
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/collectors/version"
)

// fleet is the running targets. A reload replaces the list as a whole, and a
// scrape reads it without waiting for anything.
type fleet struct {
	list atomic.Pointer[[]*live]
}

func (f *fleet) targets() []*live {
	if list := f.list.Load(); list != nil {
		return *list
	}
	return nil
}

func (f *fleet) replace(targets []*live) { f.list.Store(&targets) }

// target returns the running target of that name, nil if there is none.
func (f *fleet) target(name string) *live {
	for _, t := range f.targets() {
		if t.config.Name == name {
			return t
		}
	}
	return nil
}

// Collect sends every series of every target.
func (f *fleet) Collect(ch chan<- prometheus.Metric) {
	for _, t := range f.targets() {
		t.series.Collect(ch)
	}
}

// Describe sends nothing, see series.
func (f *fleet) Describe(chan<- *prometheus.Desc) {}

// reloads tells how the last reload went.
type reloads struct {
	successful, successTime prometheus.Gauge
}

func newReloads() reloads {
	return reloads{
		successful: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: Namespace + "config_last_reload_successful",
			Help: "Whether the last attempt to load the configuration succeeded, 1 or 0; if not, the one before it is still in force.",
		}),
		successTime: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: Namespace + "config_last_reload_success_timestamp_seconds",
			Help: "When the configuration in force was loaded.",
		}),
	}
}

func newRegistry(f *fleet, r reloads) *prometheus.Registry {
	registry := prometheus.NewRegistry()
	registry.MustRegister(f, r.successful, r.successTime,
		version.NewCollector("oranet"),
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return registry
}
