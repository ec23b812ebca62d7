package main

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
)

// The link that the tests look at: the one across regions, with TLS.
const watched = "cross_region"

// Every query of every panel, of every variable and of every annotation gives
// something, whichever form Prometheus holds histograms in. The link is first
// as it should be, and then too long for a fetch to end in time, so that there
// are failures to show.
func TestEveryPanelShowsTheDemo(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: it watches the demo for minutes")
	}
	prometheus := binary(t)
	d := startDemo(t)
	began := time.Now()
	servers := map[string]*server{}
	for _, f := range forms {
		if s := startPrometheus(t, prometheus, f, d.metrics); s != nil {
			servers[f.name] = s
		} else {
			t.Logf("%s cannot hold both forms of a histogram; that is not tested", prometheus)
		}
	}
	for form, s := range servers {
		await(t, 3*time.Minute, form+": every probe to succeed, and a round trip beside a fetch", func() bool { return s.everythingSucceeded(t) })
	}
	for form, s := range servers {
		t.Run(form+"/calm", func(t *testing.T) {
			for _, f := range figures {
				wantFigure(t, s, f)
			}
			wantSum(t, s, time.Now())
		})
	}
	d.move(t, watched, "1s")
	for form, s := range servers {
		await(t, 2*time.Minute, form+": a failed fetch", func() bool {
			return len(s.askNow(t, `oranet_probe_failures_total{probe="fetch"}`, time.Now())) > 0
		})
	}
	for form, s := range servers {
		t.Run(form, func(t *testing.T) { wantEveryPanel(t, s, began, time.Now()) })
	}
}

// everythingSucceeded is when each probe has succeeded twice and a round trip
// was measured beside a bulk transfer, in the eyes of Prometheus.
func (s *server) everythingSucceeded(t *testing.T) bool {
	duration := histogram{"oranet_probe_duration_seconds", "", "target, probe", "5m"}
	bulk := histogram{"oranet_round_trip_seconds", fmt.Sprintf(`load="bulk", target=%q`, watched), "", "5m"}
	now := time.Now()
	runs := s.askNow(t, "oranet_probe_runs_total", now)
	twice := s.askNow(t, duration.mean(), now)
	return len(runs) > 0 && len(twice) == len(runs) && len(s.askNow(t, bulk.mean(), now)) == 1
}

func wantEveryPanel(t *testing.T, s *server, began, ended time.Time) {
	for file, d := range committed(t) {
		c := choose(t, s, d, map[string]string{"target": watched})
		repeat := ""
		for _, p := range d.Panels {
			if p.Type == "row" {
				repeat = p.Repeat
				continue
			}
			t.Run(file+"/"+p.Title, func(t *testing.T) {
				for _, chosen := range repeats(c, repeat, p.Repeat) {
					wantValues(t, s, p, chosen, began, ended)
				}
			})
		}
		for _, a := range d.Annotations.List {
			if d.UID == linkUID && len(s.ask(t, c.fill(a.Expr), began, ended)) == 0 {
				t.Errorf("%s: the outage is not marked", file)
			}
		}
	}
}

// repeats are the choices with which a panel is drawn: once, or for each value
// of the variable by which it or its row is repeated.
func repeats(c choices, variables ...string) []choices {
	for _, variable := range variables {
		if variable == "" {
			continue
		}
		var list []choices
		for _, value := range c.offered[variable] {
			list = append(list, c.with(variable, value))
		}
		return list
	}
	return []choices{c}
}

func wantValues(t *testing.T, s *server, p panel, c choices, began, ended time.Time) {
	t.Helper()
	for _, q := range p.Targets {
		expr := c.fill(q.Expr)
		var points []point
		if q.Instant {
			points = s.askNow(t, expr, ended)
		} else {
			points = s.ask(t, expr, began, ended)
		}
		if len(points) == 0 {
			t.Errorf("query %s is empty: %s", q.RefID, expr)
		}
		for _, one := range points {
			if one.Value < 0 {
				t.Errorf("query %s is %v for %v: %s", q.RefID, one.Value, one.Metric, expr)
			}
			if one.Histogram && p.Type != "heatmap" {
				t.Errorf("query %s answers with a histogram, which a panel of type %s cannot draw: %s", q.RefID, p.Type, expr)
			}
		}
	}
}

// figure is one value that a panel shows of the watched link, and between what
// it must be.
type figure struct {
	file, title, ref string
	label            string // a label's value, or empty where there is one series
	least, most      float64
}

// What is true of the demo: its round trip takes 10 ms, a few percent less where
// the emulated path is lucky, and as much more as the machine is busy; its server
// grants an SDU of at most 32768, its fetch returns 10,000 rows, and its budgets
// are 1,000 rows in 160 ms.
var figures = []figure{
	{"link.json", "End to end against kernel and TCP connect", "A", "", .009, math.Inf(1)},
	{"link.json", "End to end against kernel and TCP connect", "C", "", .009, math.Inf(1)},
	{"link.json", "SDU, asked and given", "A", "8192", 8192, 8192},
	{"link.json", "SDU, asked and given", "A", "65536", 32768, 32768},
	{"link.json", "Round trips of a fetch by arraysize", "A", "100", 101, 101},
	{"link.json", "Round trips of a fetch by arraysize", "A", "1000", 11, 11},
	{"link.json", "Round trips of a fetch by arraysize", "A", "10000", 2, 2},
	{"link.json", "Fetch by arraysize", "A", "100", 101 * .009, math.Inf(1)},
	{"budgets.json", "Budgets", "A", "order_page", 1000, 1000},
	{"budgets.json", "Budgets", "B", "order_page", .16, .16},
	{"budgets.json", "Budgets", "C", "order_page", 11 * .009, math.Inf(1)},
	{"budgets.json", "With an arraysize of $arraysize", "A", "order_page", 11 * .009 / .16, math.Inf(1)},
	{"fleet.json", "Links measured", "A", "", 2, 2},
	{"fleet.json", "Links lost from sight", "A", "", 0, 0},
}

// wantFigure holds a figure against the truth.
func wantFigure(t *testing.T, s *server, f figure) {
	t.Helper()
	name := strings.Join([]string{f.file, f.title, f.ref, f.label}, "/")
	value, err := f.read(t, s, time.Now())
	switch {
	case err != nil:
		t.Errorf("%s: %v", name, err)
	case value < f.least || value > f.most:
		t.Errorf("%s: %v, want %v to %v", name, value, f.least, f.most)
	default:
		t.Logf("%s: %v", name, value)
	}
}

func (f figure) read(t *testing.T, s *server, at time.Time) (float64, error) {
	t.Helper()
	var values []float64
	for _, p := range points(t, s, f.file, f.title, f.ref, at) {
		if f.label == "" || hasValue(p.Metric, f.label) {
			values = append(values, p.Value)
		}
	}
	if len(values) != 1 {
		return 0, fmt.Errorf("there are %d series, want 1", len(values))
	}
	return values[0], nil
}

// points are what a panel's query shows of the watched link at an arraysize of
// 100 and the demo's first budget.
func points(t *testing.T, s *server, file, title, ref string, at time.Time) []point {
	t.Helper()
	d := committed(t)[file]
	c := choose(t, s, d, map[string]string{"target": watched}).with("arraysize", "100").with("budget", "order_page")
	for _, p := range d.Panels {
		for _, q := range p.Targets {
			if p.Title == title && q.RefID == ref {
				return s.askNow(t, c.fill(q.Expr), at)
			}
		}
	}
	t.Fatalf("%s has no query %s of %q", file, ref, title)
	return nil
}

// wantSum holds the components of a fetch against the whole.
func wantSum(t *testing.T, s *server, at time.Time) {
	t.Helper()
	components := points(t, s, "link.json", "Where a fetch spends its time, by arraysize", "A", at)
	for _, whole := range points(t, s, "link.json", "Fetch by arraysize", "A", at) {
		arraysize, sum := whole.Metric["arraysize"], 0.0
		for _, c := range components {
			if c.Metric["arraysize"] == arraysize {
				sum += c.Value
			}
		}
		if math.Abs(sum/whole.Value-1) > .01 {
			t.Errorf("the components of a fetch at an arraysize of %s sum to %v s, the fetch takes %v s", arraysize, sum, whole.Value)
		}
	}
}

func hasValue(labels map[string]string, value string) bool {
	for _, v := range labels {
		if v == value {
			return true
		}
	}
	return false
}
