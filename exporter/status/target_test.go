package status

import (
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"oranet_exporter/link"
	"oranet_exporter/probes"
)

// figures are all the figures of a view, wherever they are in it.
func figures(v reflect.Value) (list []Figure) {
	switch v.Kind() {
	case reflect.Struct:
		if f, ok := v.Interface().(Figure); ok {
			return []Figure{f}
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				list = append(list, figures(v.Field(i))...)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			list = append(list, figures(v.Index(i))...)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			list = figures(v.Elem())
		}
	}
	return list
}

func TestEveryFigureNamesItsMetric(t *testing.T) {
	one := complete(t, "orders")
	one.Past.Add(bad(probes.TCP, noon, link.PhaseTCP, link.ReasonRefused))
	known := slices.Clone(Metrics)
	for _, def := range probes.All {
		known = append(known, Metric(def.Metrics[0].Name))
	}
	all := append(figures(reflect.ValueOf(newTarget(one, noon))),
		figures(reflect.ValueOf(newFleet([]Target{one}, readQuery(nil), noon)))...)
	if len(all) < 50 {
		t.Errorf("only %d figures found", len(all))
	}
	for _, f := range all {
		if !slices.Contains(known, f.Metric) {
			t.Errorf("the figure %s is of %q, which is no metric", f, f.Metric)
		}
	}
}

func TestWaterfallFillsItsWidth(t *testing.T) {
	w := newTarget(complete(t, "orders"), noon).Connect
	end := 0.0
	for _, p := range w.Phases {
		if math.Abs(p.X-end) > .001 {
			t.Errorf("%s begins at %v, want where the phase before ends, %v", p.Phase, p.X, end)
		}
		end = p.X + p.Width
	}
	if math.Abs(end-1000) > .001 {
		t.Errorf("the phases end at %v, want 1000", end)
	}
	if got := w.Phases[1]; got.Time.String() != "30.0 ms" || got.Share != "30 %" || got.Title != "tls: 30.0 ms, begun after 10.0 ms" {
		t.Errorf("tls is %+v", got)
	}
}

// 160 ms for 1,000 rows are 1.6 s for the 10,000 that were fetched in 1.2 s.
func TestBudgetsLimitIsDrawnInProportionToTheRows(t *testing.T) {
	for _, c := range []struct {
		name   string
		max    time.Duration
		limit  float64 // of the drawing, in bars as long as the longest
		beyond bool
	}{
		{"a third above the bar", 160 * time.Millisecond, 1.6 / 1.2, false},
		{"below the bar", 60 * time.Millisecond, .6 / 1.2, false},
		{"far above the bar", 3 * time.Second, 30 / 1.2, true},
	} {
		one := complete(t, "orders")
		one.Budgets[0].Max = c.max
		v := newTarget(one, noon).Fetch
		last := v.Bars[0].Parts[3]
		length := last.X + last.Width
		if line := v.Lines[0]; math.Abs(line.X/length-c.limit) > .001 || line.Beyond != c.beyond {
			t.Errorf("%s: at %.3f of the bar, beyond %v; want %.3f, %v", c.name, line.X/length, line.Beyond, c.limit, c.beyond)
		}
		if length > 1000 {
			t.Errorf("%s: the bar is %v wide, 1000 are there", c.name, length)
		}
	}
}

func TestRTTColumnsAreWhereTheirMinutesAre(t *testing.T) {
	p := NewPast()
	for _, minutes := range []int{-29, -10, 0} {
		p.Add(good(probes.RoundTrip, noon.Add(time.Duration(minutes)*time.Minute), sample(t, roundTripSeconds, .01, "idle")))
	}
	p.Add(bad(probes.RoundTrip, noon, link.PhaseQuery, link.ReasonTimeout))
	v := newRTT(p.copy(noon), noon.Add(30*time.Second))
	if v.Span != "30 min ago" || len(v.Columns) != 3 {
		t.Fatalf("%d columns since %s, want 3 since 30 min ago", len(v.Columns), v.Span)
	}
	for i, want := range []float64{0, 19, 29} {
		if got := v.Columns[i].X / v.Columns[i].Width; math.Abs(got-want) > .001 {
			t.Errorf("column %d is at minute %v, want %v", i, got, want)
		}
	}
	if last := v.Columns[2]; !last.Bad || last.FailedHeight != 50 || math.Abs(last.End-1000) > .001 {
		t.Errorf("the last column is %+v, want half failed and at the right edge", last)
	}
	if v.Summary != "between 10.0 ms and 10.0 ms (a minute's p99); 1 of 4 runs failed" {
		t.Errorf("summary %q", v.Summary)
	}
}

func TestWhatExpiresSoonIsMarked(t *testing.T) {
	for left, want := range map[time.Duration]expiryRow{
		100 * 24 * time.Hour: {What: "client certificate", Day: "2027-03-11", Left: Figure{Metric: certificateExpiry, Text: "100 days left"}},
		20 * 24 * time.Hour:  {What: "client certificate", Day: "2026-12-21", Left: Figure{Metric: certificateExpiry, Text: "20 days left"}, Bad: true},
		-90 * time.Minute:    {What: "client certificate", Day: "2026-12-01", Left: Figure{Metric: certificateExpiry, Text: "expired 90 min ago"}, Bad: true},
	} {
		p := NewPast()
		p.Add(Run{Probe: probes.Connect.Name, Start: noon, Failure: bad(probes.Connect, noon, link.PhaseTLS, link.ReasonTLSExpired).Failure,
			Samples: []probes.Sample{sample(t, certificateExpiry, float64(noon.Add(left).Unix()), "client", "")}})
		if got := newExpiries(p.copy(noon), noon); len(got) != 1 || got[0] != want {
			t.Errorf("%v: %+v, want %+v", left, got, want)
		}
	}
}

func TestFiguresHaveThreeDigitsAndTheUnitThatSuitsThem(t *testing.T) {
	for _, c := range []struct {
		format func(float64) (string, string)
		value  float64
		want   string
	}{
		{seconds, 0, "0 µs"}, {seconds, 1.7134e-6, "1.71 µs"}, {seconds, 99.94e-6, "99.9 µs"}, {seconds, 99.96e-6, "0.100 ms"},
		{seconds, .000512, "0.512 ms"}, {seconds, .010666, "10.7 ms"}, {seconds, .2071, "207 ms"}, {seconds, .9996, "1.00 s"},
		{seconds, 12.34, "12.3 s"}, {seconds, 4321, "4,321 s"}, {seconds, math.Inf(1), "+Inf s"},
		{size, 512, "512 B"}, {size, 8192, "8.00 KiB"}, {size, 2 << 20, "2.00 MiB"},
		{rate, 17.94e6, "17.9 MB/s"}, {count, 1234567, "1,234,567"}, {count, -1000, "−1,000"},
	} {
		if got := newFigure("", c.value, c.format).String(); got != c.want {
			t.Errorf("%v is %q, want %q", c.value, got, c.want)
		}
	}
}

func TestTilesSayOfWhatTheirFiguresAre(t *testing.T) {
	sdu := func(of ...Run) tile {
		page := newTarget(target("orders", of...), noon)
		return page.Tiles[slices.IndexFunc(page.Tiles, func(t tile) bool { return t.Name == "SDU given" })]
	}
	if got := sdu(); got.Note != "not yet" || got.Text != "" {
		t.Errorf("before any run: %+v", got)
	}
	got := sdu(good(probes.SDU, noon, sample(t, sduNegotiatedBytes, 8192, "8192"), sample(t, sduNegotiatedBytes, 32768, "2097152")))
	if got.Note != "of 2.00 MiB asked for" || got.String() != "32.0 KiB" {
		t.Errorf("asked for up to 2 MiB, given 32 KiB: %q, %s", got.Note, got)
	}
}
