// Package report turns the results of one run of every probe into something
// that a DBA can paste into a ticket, or a program can read.
package report

import (
	"oranet_exporter/exporter"
)

// Report is what one round of probing found, by target.
type Report struct {
	Targets []Target
}

// Target is one target's results, in the order in which its probes ran.
type Target struct {
	Name    string
	DSN     string
	Results []*exporter.Result
}

// New arranges the results by target.
func New(cfg *exporter.Config, results []*exporter.Result) *Report {
	r := new(Report)
	for _, t := range cfg.Targets {
		target := Target{Name: t.Name, DSN: t.Link.DSN}
		for _, result := range results {
			if result.Target == t.Name {
				target.Results = append(target.Results, result)
			}
		}
		if len(target.Results) > 0 {
			r.Targets = append(r.Targets, target)
		}
	}
	return r
}

// OK tells whether every probe of every target succeeded.
func (r *Report) OK() bool {
	for _, t := range r.Targets {
		for _, result := range t.Results {
			if result.Failure != nil {
				return false
			}
		}
	}
	return true
}

// value finds what a probe measured: the sample of that metric with those
// label values.
func (t Target) value(metric string, labels ...string) (float64, bool) {
	for _, result := range t.Results {
		for _, s := range result.Samples {
			if s.Metric.Name == metric && hasPrefix(s.Values, labels) {
				return s.Value, true
			}
		}
	}
	return 0, false
}

// labels lists the values of a metric's first label, in the order measured.
func (t Target) labels(metric string) []string {
	var list []string
	for _, result := range t.Results {
		for _, s := range result.Samples {
			if s.Metric.Name == metric {
				list = append(list, s.Values[0])
			}
		}
	}
	return list
}

func hasPrefix(values, labels []string) bool {
	if len(values) < len(labels) {
		return false
	}
	for i, l := range labels {
		if values[i] != l {
			return false
		}
	}
	return true
}
