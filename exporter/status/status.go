// Package status makes the pages that people look at: the fleet at /, and one
// page a target.
//
// It is a sink, as the registry is: it is given the samples that the series
// get, so that whatever it shows exists as a metric, and it knows neither the
// scheduler nor Prometheus.
package status

import (
	"bytes"
	"net/http"
	"time"

	"oranet_exporter/budget"
	"oranet_exporter/link"
	"oranet_exporter/probes"
)

// Run is one run of a probe that has ended.
type Run struct {
	Probe    string
	Start    time.Time
	Duration time.Duration
	Failure  *link.Failure   // nil: success
	Samples  []probes.Sample // all that was recorded of it; of a failed run no histogram's

	Late  time.Duration // for which this process did not get to run meanwhile; 0: it is not to be told
	Cause string        // of Late
}

// Target is a target as it is when a page is asked for.
type Target struct {
	Name    string
	Labels  map[string]string
	Budgets []Budget
	Probes  []Probe // those that are switched on
	Past    *Past
}

// Budget is a budget with its name.
type Budget struct {
	Name string
	budget.Budget
}

// Probe is one probe of a target and when its turn comes.
type Probe struct {
	Definition *probes.Definition
	Next       time.Time
	Held       time.Duration // left of its back-off
	Exhausted  string        // the resource of which the hour's allowance is used up, empty: none
	Renewed    time.Time     // when there is a new allowance
}

// Forever is a back-off that only a reload of the configuration ends.
const Forever = time.Duration(1<<63 - 1)

// Exporter is what the pages ask of the exporter.
type Exporter interface {
	Targets() []Target                      // in the order of the configuration
	Target(name string) (t Target, ok bool) // ok: it is configured
}

// Pages answers requests for pages.
type Pages struct {
	Exporter      Exporter
	Namespace     string          // the prefix of every metric
	Version       string          // of the exporter
	TelemetryPath string          // of the metrics
	Failed        func(err error) // is told why a page could not be made
}

// TargetPath is where a target's page is, as ?name=.
const TargetPath = "/target"

// Fleet answers with the table of all targets.
func (p *Pages) Fleet(w http.ResponseWriter, r *http.Request) {
	now := time.Now()
	view := newFleet(p.Exporter.Targets(), readQuery(r.URL.Query()), now)
	view.chrome = p.chrome(r, now)
	p.write(w, http.StatusOK, "fleet.html", view)
}

// Target answers with the page of the target that ?name= names. 404: there is
// no such target.
func (p *Pages) Target(w http.ResponseWriter, r *http.Request) {
	now := time.Now()
	name := r.URL.Query().Get("name")
	t, ok := p.Exporter.Target(name)
	if !ok {
		p.write(w, http.StatusNotFound, "missing.html", missing{chrome: p.chrome(r, now), Name: name})
		return
	}
	view := newTarget(t, now)
	view.chrome = p.chrome(r, now)
	p.write(w, http.StatusOK, "target.html", view)
}

// missing is the page of a target that is not there.
type missing struct {
	chrome
	Name string
}

// write sends a page as a whole or not at all.
func (p *Pages) write(w http.ResponseWriter, code int, name string, view any) {
	var out bytes.Buffer
	if err := templates.ExecuteTemplate(&out, name, view); err != nil {
		p.Failed(err)
		http.Error(w, "the status page could not be made; see the log", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(code)
	_, _ = out.WriteTo(w)
}
