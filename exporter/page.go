// The status page: every target's probes, their last run and their next one.

package exporter

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"time"

	"github.com/go-kit/log/level"
	"github.com/prometheus/common/version"

	"oranet_exporter/probes"
)

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// page is what the template shows.
type page struct {
	Version       string
	TelemetryPath string
	Targets       []targetRow
}

type targetRow struct {
	Name   string
	Labels map[string]string
	Up     bool // no probe's last run failed
	Probes []probeRow
}

type probeRow struct {
	Name, Help string
	State      string // ok, failed or waiting
	Reason     string // of the failure
	Problem    string // the failure as a sentence
	Value      string // what the last run measured of the probe's first metric
	Disturbed  string // why Value may be this process's own delay
	Last, Next string
}

// statusPage answers with the page.
func (e *Exporter) statusPage(w http.ResponseWriter, _ *http.Request) {
	view := page{Version: version.Version, TelemetryPath: e.opts.TelemetryPath}
	now := time.Now()
	for _, t := range e.fleet.targets() {
		view.Targets = append(view.Targets, e.row(t, now))
	}
	var out bytes.Buffer
	if err := pageTemplate.Execute(&out, view); err != nil {
		level.Error(e.logger).Log("msg", "the status page could not be made", "err", err)
		http.Error(w, "the status page could not be made; see the log", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = out.WriteTo(w)
}

func (e *Exporter) row(t *live, now time.Time) targetRow {
	row := targetRow{Name: t.config.Name, Labels: t.config.Labels, Up: true}
	for _, j := range t.jobs {
		p := j.row(e.scheduler.nextSlot(j), now)
		row.Up = row.Up && p.State != "failed"
		row.Probes = append(row.Probes, p)
	}
	return row
}

func (j *job) row(next, now time.Time) probeRow {
	row := probeRow{
		Name: j.name(), Help: j.config.Definition.Help,
		State: "waiting", Last: "not yet", Next: "in " + rough(next.Sub(now)),
	}
	last := j.history.latest()
	if last != nil {
		row.Last = rough(now.Sub(last.Start)) + " ago"
		row.State, row.Value = "ok", headline(j.config.Definition.Metrics[0], last.Samples)
		if d := last.Disturbed; d.Cause != "" {
			row.Disturbed = fmt.Sprintf("disturbed: this process did not run for %.3g ms (%s)", d.Late.Seconds()*1e3, d.Cause)
		}
		if f := last.Failure; f != nil {
			row.State, row.Value = "failed", ""
			row.Reason = fmt.Sprintf("%s in phase %s", f.Reason, f.Phase)
			row.Problem = f.Error()
		}
	}
	switch left, resource := j.backoff(now), j.exhausted(now); {
	case left == never:
		row.Next = "after a reload (held back)"
	case resource != "":
		row.Next = fmt.Sprintf("in %s at the earliest (the hour's allowance of %s is used up)", rough(renewed(now).Sub(now)), resource)
	case left > 0:
		row.Next = "in " + rough(left) + " (held back)"
	}
	return row
}

// headline is what a run measured of its probe's first metric, with the unit.
func headline(leading *probes.Metric, samples []probes.Sample) string {
	var figures []string
	for _, s := range samples {
		if s.Metric != leading {
			continue
		}
		text := figure(leading, s.Value)
		if len(s.Values) > 0 {
			text = strings.Join(s.Values, ", ") + ": " + text
		}
		figures = append(figures, text)
	}
	return strings.Join(figures, "; ")
}

func figure(m *probes.Metric, value float64) string {
	switch {
	case strings.HasSuffix(m.Name, "_bytes"):
		return fmt.Sprintf("%.0f B", value)
	case strings.HasSuffix(m.Name, "_seconds"):
		return fmt.Sprintf("%.4g ms", value*1e3)
	}
	return fmt.Sprintf("%.4g", value)
}

// rough is a duration as a person would say it.
func rough(d time.Duration) string {
	switch {
	case d < time.Second:
		return "a moment"
	case d < 2*time.Minute:
		return d.Round(time.Second).String()
	}
	return strings.TrimSuffix(d.Round(time.Minute).String(), "0s")
}
