// A run on demand, over HTTP: of a configured target, so that a caller can
// never choose a host.

package exporter

import (
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// probeNow runs one probe of a target, or all of them one after the other, and
// answers with the metrics of these runs alone. 404: there is no such target
// or probe. 503: the probe is running, or held back.
func (e *Exporter) probeNow(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	target := e.fleet.target(query.Get("target"))
	if target == nil {
		http.Error(w, "there is no such target; give the name of a configured one as ?target=", http.StatusNotFound)
		return
	}
	jobs := target.jobs
	if name := query.Get("probe"); name != "" {
		j := target.job(name)
		if j == nil {
			http.Error(w, "the target has no such probe, or it is switched off", http.StatusNotFound)
			return
		}
		jobs = []*job{j}
	}
	var results []*Result
	for _, j := range jobs {
		if err := e.scheduler.claim(j); err != nil {
			w.Header().Set("Retry-After", "1")
			http.Error(w, fmt.Sprintf("probe %s was not run: %v", j.name(), err), http.StatusServiceUnavailable)
			return
		}
		result, ended := j.demanded(r.Context())
		go e.scheduler.release(j, ended)
		results = append(results, result)
	}
	answerWithin(w, writeTimeout)
	registry, err := resultRegistry(target.config, results)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	promhttp.HandlerFor(registry, promhttp.HandlerOpts{EnableOpenMetrics: true}).ServeHTTP(w, r)
}

// resultRegistry holds what some runs of a target measured, and nothing else.
func resultRegistry(t *Target, results []*Result) (*prometheus.Registry, error) {
	var list []ProbeConfig
	for _, r := range results {
		list = append(list, *t.Probe(r.Probe))
	}
	s, err := t.newSeries(list)
	if err != nil {
		return nil, err
	}
	var errs []error
	for _, r := range results {
		for _, sample := range slices.Concat(r.samples(), r.cost()) {
			errs = append(errs, s.record(sample))
		}
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(s)
	return registry, errors.Join(errs...)
}
