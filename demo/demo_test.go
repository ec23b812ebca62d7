package demo

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"go.uber.org/goleak"

	"oranet_exporter/exporter"
	"oranet_exporter/probes"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func world(t *testing.T) *World {
	t.Helper()
	w, err := Start(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return w
}

// What an alert divides goes from 0 to 1 when the database moves from 2 ms to
// 20 ms away, and back when it returns or the arraysize is raised.
func TestBudgetBreaksWhenTheLinkGrowsLonger(t *testing.T) {
	w := world(t)
	// Four times a second and nothing else, so that the test is short and a
	// busy machine does not add the fetches' time to the pages'.
	for _, target := range w.Config.Targets {
		for i := range target.Probes {
			target.Probes[i].Enabled = target.Probes[i].Definition == probes.RoundTrip
			target.Probes[i].Interval, target.Probes[i].Timeout = 250*time.Millisecond, 250*time.Millisecond
		}
	}
	control := httptest.NewServer(w.Control())
	defer control.Close()
	defer http.DefaultClient.CloseIdleConnections()
	move := func(rtt string) {
		t.Helper()
		post(t, control.URL, url.Values{"link": {crossRegion}, "rtt": {rtt}}, http.StatusOK)
	}
	move("2ms") // before the first logon, which is many round trips
	metrics := serve(t, w.Config)

	for _, c := range []struct {
		rtt         string
		least, most float64 // of order_page's checks that are breaches: 0 or 1 on a quiet machine
	}{{"2ms", 0, .25}, {"20ms", .75, 1}, {"2ms", 0, .25}} {
		move(c.rtt)
		after(t, metrics, 3) // runs that had begun before
		share, other := after(t, metrics, 12)
		if share < c.least || share > c.most {
			t.Errorf("at %s %.0f %% of the pages take too long, want %.0f to %.0f %%", c.rtt, 100*share, 100*c.least, 100*c.most)
		}
		if other > .25 {
			t.Errorf("at %s with an arraysize of 1000 %.0f %% of the pages take too long, want none", c.rtt, 100*other)
		}
	}
}

// after waits for so many more checks of the cross-region link and returns
// which share of them were breaches, at each arraysize.
func after(t *testing.T, metrics string, checks float64) (share, other float64) {
	t.Helper()
	before := scrape(t, metrics)
	deadline := time.Now().Add(2 * time.Minute)
	for {
		now := scrape(t, metrics)
		of := func(budget string) float64 {
			return (now.counter("oranet_budget_breaches_total", budget) - before.counter("oranet_budget_breaches_total", budget)) /
				(now.counter("oranet_budget_checks_total", budget) - before.counter("oranet_budget_checks_total", budget))
		}
		if now.counter("oranet_budget_checks_total", "order_page")-before.counter("oranet_budget_checks_total", "order_page") >= checks {
			return of("order_page"), of("order_page_arraysize_1000")
		}
		if time.Now().After(deadline) {
			t.Fatalf("there were not %v checks in two minutes", checks)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func TestControlTellsAndChangesTheRoundTrip(t *testing.T) {
	w := world(t)
	control := httptest.NewServer(w.Control())
	defer control.Close()
	for _, c := range []struct {
		values url.Values
		status int
		answer string
	}{
		{url.Values{"link": {crossRegion}, "rtt": {"20ms"}}, 200, "cross_region 20ms\nin_region 500µs\n"},
		{url.Values{"link": {inRegion}, "rtt": {"0s"}}, 200, "cross_region 20ms\nin_region 0s\n"},
		{url.Values{"link": {"moon"}, "rtt": {"1s"}}, 400, `there is no link "moon"; there are cross_region and in_region` + "\n"},
		{url.Values{"link": {inRegion}, "rtt": {"20"}}, 400, "rtt is no duration; give one such as 20ms\n"},
		{url.Values{"link": {inRegion}}, 400, "rtt is no duration; give one such as 20ms\n"},
		{url.Values{"link": {inRegion}, "rtt": {"-1ms"}}, 400, "a round trip of -1ms is out of range, 0s to 1s are possible\n"},
		{url.Values{"link": {inRegion}, "rtt": {"1h"}}, 400, "a round trip of 1h0m0s is out of range, 0s to 1s are possible\n"},
	} {
		if got := post(t, control.URL, c.values, c.status); got != c.answer {
			t.Errorf("%v: answered %q, want %q", c.values, got, c.answer)
		}
	}
	if rtt := w.links[crossRegion].Path().RTT; rtt != 20*time.Millisecond {
		t.Errorf("the link's round trip is %v, want 20ms", rtt)
	}
	request, _ := http.NewRequest("POST", control.URL+"/rtt?link=cross_region&rtt=1ms", nil)
	request.Header.Set("Sec-Fetch-Site", "cross-site")
	answer, err := control.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusForbidden {
		t.Errorf("another site's page got %s", answer.Status)
	}
}

func TestDemoStaysWithinItsAllowance(t *testing.T) {
	for _, target := range world(t).Config.Targets {
		p := target.Probe(probes.Fetch.Name)
		options := p.Options.(*probes.FetchOptions)
		runs := int(time.Hour / p.Interval)
		if logons := runs * len(options.Arraysize); logons > target.Allowance.Logons/2 {
			t.Errorf("%s: %d logons an hour, %d are allowed", target.Name, logons, target.Allowance.Logons)
		}
		if bytes := runs * len(options.Arraysize) * options.Rows * options.RowBytes; bytes > target.Allowance.Bytes/2 {
			t.Errorf("%s: %d bytes an hour, %d are allowed", target.Name, bytes, target.Allowance.Bytes)
		}
	}
}

// post asks the control as curl would and returns its answer.
func post(t *testing.T, control string, values url.Values, status int) string {
	t.Helper()
	answer, err := http.Post(control+"/rtt?"+values.Encode(), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode != status {
		t.Errorf("%v: answered %s, want %d", values, answer.Status, status)
	}
	return string(body)
}

// serve runs an exporter until the test ends and returns where its metrics are.
func serve(t *testing.T, cfg *exporter.Config) (metrics string) {
	t.Helper()
	e, err := exporter.New(exporter.Options{Config: cfg, ListenAddresses: []string{"127.0.0.1:0"}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- e.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return "http://" + e.Addresses()[0].String() + "/metrics"
}

type families map[string]*dto.MetricFamily

func scrape(t *testing.T, metrics string) families {
	t.Helper()
	answer, err := http.Get(metrics)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	parser := expfmt.NewTextParser(model.UTF8Validation)
	parsed, err := parser.TextToMetricFamilies(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

// counter is a counter of the cross-region link for one budget.
func (f families) counter(name, budget string) float64 {
	for _, m := range f[name].GetMetric() {
		labels := map[string]string{}
		for _, l := range m.GetLabel() {
			labels[l.GetName()] = l.GetValue()
		}
		if labels["target"] == crossRegion && labels["budget"] == budget {
			return m.GetCounter().GetValue()
		}
	}
	return 0
}
