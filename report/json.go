// The report for a program.

package report

import (
	"encoding/json"
	"io"
	"math"
	"strconv"
	"time"

	"oranet_exporter/exporter"
	"oranet_exporter/link"
)

type jsonTarget struct {
	Name   string      `json:"name"`
	DSN    string      `json:"dsn"`
	Probes []jsonProbe `json:"probes"`
}

type jsonProbe struct {
	Name     string      `json:"name"`
	Success  bool        `json:"success"`
	Start    time.Time   `json:"start"`
	Seconds  float64     `json:"duration_seconds"`
	Phase    link.Phase  `json:"phase,omitempty"` // of the failure
	Reason   link.Reason `json:"reason,omitempty"`
	Error    string      `json:"error,omitempty"`
	Measured []jsonValue `json:"measured"`

	Disturbed *jsonDisturbance `json:"disturbed,omitempty"`

	Received int64 `json:"received_bytes"`
	Sent     int64 `json:"sent_bytes"`
}

// jsonDisturbance is there if what was measured may hold this process's own delay.
type jsonDisturbance struct {
	Cause   exporter.Cause `json:"cause"`
	Seconds float64        `json:"late_seconds"`
}

type jsonValue struct {
	Metric string            `json:"metric"`
	Labels map[string]string `json:"labels,omitempty"`
	Value  jsonFigure        `json:"value"`
}

// jsonFigure is a number, or the text "+Inf" where JSON has no number.
type jsonFigure float64

// MarshalJSON writes the figure as Prometheus would.
func (f jsonFigure) MarshalJSON() ([]byte, error) {
	if v := float64(f); math.IsInf(v, 0) || math.IsNaN(v) {
		return json.Marshal(strconv.FormatFloat(v, 'g', -1, 64))
	}
	return json.Marshal(float64(f))
}

// JSON writes the report as {"ok": …, "targets": […]}. Metrics have their
// exported names.
func (r *Report) JSON(w io.Writer) error {
	out := struct {
		OK      bool         `json:"ok"`
		Targets []jsonTarget `json:"targets"`
	}{OK: r.OK(), Targets: []jsonTarget{}}
	for _, t := range r.Targets {
		target := jsonTarget{Name: t.Name, DSN: t.DSN}
		for _, result := range t.Results {
			target.Probes = append(target.Probes, newJSONProbe(result))
		}
		out.Targets = append(out.Targets, target)
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(out)
}

func newJSONProbe(result *exporter.Result) jsonProbe {
	p := jsonProbe{
		Name:     result.Probe,
		Success:  result.Failure == nil,
		Start:    result.Start.UTC(),
		Seconds:  result.Duration.Seconds(),
		Measured: []jsonValue{},
		Received: result.Received,
		Sent:     result.Sent,
	}
	if f := result.Failure; f != nil {
		p.Phase, p.Reason, p.Error = f.Phase, f.Reason, f.Error()
	}
	if d := result.Disturbed; d.Cause != "" {
		p.Disturbed = &jsonDisturbance{d.Cause, d.Late.Seconds()}
	}
	for _, s := range result.Samples {
		v := jsonValue{Metric: exporter.Namespace + s.Metric.Name, Value: jsonFigure(s.Value)}
		for i, name := range s.Metric.Labels {
			if v.Labels == nil {
				v.Labels = make(map[string]string)
			}
			v.Labels[name] = s.Values[i]
		}
		p.Measured = append(p.Measured, v)
	}
	return p
}
