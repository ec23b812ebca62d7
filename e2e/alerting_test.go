// From a link that grows longer to the page that somebody gets: the demo's
// links, a real Prometheus with the rules as they are shipped, a real
// Alertmanager, and a webhook.

package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"oranet_exporter/demo"
	"oranet_exporter/exporter"
	"oranet_exporter/probes"
)

const (
	shortRTT = "2ms"
	longRTT  = "20ms" // at which the demo's order_page takes longer than it may
)

func TestALinkThatGrowsLongerPagesAndResolves(t *testing.T) {
	prometheus, alertmanager := program(t, "prometheus"), program(t, "prometheus-alertmanager")
	world, err := demo.Start(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer world.Close()
	onlyRoundTrips(world.Config)
	control := httptest.NewServer(world.Control())
	defer control.Close()
	move(t, control.URL, shortRTT)
	metrics := serve(t, exporter.Options{Config: world.Config})

	pages := make(chan page, 100)
	webhook := httptest.NewServer(receiver(pages))
	defer webhook.Close()
	router := startAlertmanager(t, alertmanager, webhook.URL)
	startPrometheus(t, prometheus, fmt.Sprintf(`
global: {scrape_interval: 500ms, evaluation_interval: 500ms}
rule_files: [%s/*.yml]
alerting: {alertmanagers: [{static_configs: [{targets: [%s]}]}]}
scrape_configs: [{job_name: oranet, static_configs: [{targets: [%s], labels: {from_region: osaka}}]}]
`, hurried(t), router, host(t, metrics)))

	awaitQuiet(t, pages)
	move(t, control.URL, longRTT)
	since := time.Now()
	awaitPage(t, pages, "firing")
	t.Logf("paged %v after the link grew to %s, %d times faster than life", time.Since(since).Round(time.Millisecond), longRTT, faster)
	move(t, control.URL, shortRTT)
	since = time.Now()
	awaitPage(t, pages, "resolved")
	t.Logf("resolved %v after it was back at %s", time.Since(since).Round(time.Millisecond), shortRTT)
}

// onlyRoundTrips leaves the probe that budgets are checked by, at the interval
// that the hurried rules' windows suit.
func onlyRoundTrips(cfg *exporter.Config) {
	for _, target := range cfg.Targets {
		for i := range target.Probes {
			p := &target.Probes[i]
			p.Enabled = p.Definition == probes.RoundTrip
			p.Interval, p.Timeout = 100*time.Millisecond, 100*time.Millisecond
		}
	}
}

// move changes the RTT of the demo's cross-region link, as curl would.
func move(t *testing.T, control, rtt string) {
	t.Helper()
	answer, err := http.Post(control+"/rtt?"+url.Values{"link": {"cross_region"}, "rtt": {rtt}}.Encode(), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("the demo's control answered %s", answer.Status)
	}
}

// page is one alert as Alertmanager tells a webhook.
type page struct {
	Status      string            `json:"status"`
	Labels      map[string]string `json:"labels"`
	Annotations map[string]string `json:"annotations"`
}

// is tells whether this is the page of the test's budget.
func (p page) is(status string) bool {
	return p.Status == status && p.Labels["alertname"] == "OranetBudgetBurn" && p.Labels["severity"] == "page" &&
		p.Labels["target"] == "cross_region" && p.Labels["budget"] == "order_page"
}

func receiver(pages chan<- page) http.Handler {
	return http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var message struct {
			Alerts []page `json:"alerts"`
		}
		if json.NewDecoder(r.Body).Decode(&message) == nil {
			for _, p := range message.Alerts {
				pages <- p
			}
		}
	})
}

// awaitQuiet returns when the budget has paged nobody for twice as long as the
// alert waits. A busy machine may make it wait.
func awaitQuiet(t *testing.T, pages <-chan page) {
	t.Helper()
	const calm = 2 * 5 * time.Minute / faster
	late, quiet := time.After(3*time.Minute), time.After(calm)
	for {
		select {
		case p := <-pages:
			switch {
			case p.is("firing"):
				t.Logf("paged at %s: is the machine busy?", shortRTT)
				quiet = nil
			case p.is("resolved"):
				quiet = time.After(calm)
			}
		case <-quiet:
			return
		case <-late:
			t.Fatalf("a budget that holds at %s has paged for three minutes", shortRTT)
		}
	}
}

// awaitPage returns when the page of the test's budget comes with that status.
func awaitPage(t *testing.T, pages <-chan page, status string) {
	t.Helper()
	var others []string
	late := time.After(3 * time.Minute)
	for {
		select {
		case p := <-pages:
			if p.is(status) {
				return
			}
			others = append(others, p.Status+" "+p.Labels["alertname"]+" "+p.Labels["target"])
		case <-late:
			t.Fatalf("no %s page in three minutes; there were %q", status, others)
		}
	}
}

// startAlertmanager returns the address of one that tells webhook at once.
func startAlertmanager(t *testing.T, program, webhook string) (address string) {
	t.Helper()
	dir := t.TempDir()
	config := filepath.Join(dir, "alertmanager.yml")
	text := fmt.Sprintf(`
route: {receiver: webhook, group_by: ['...'], group_wait: 100ms, group_interval: 500ms, repeat_interval: 1h}
receivers: [{name: webhook, webhook_configs: [{url: %s, send_resolved: true}]}]
`, webhook)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	address = freeAddress(t)
	background(t, "http://"+address+"/-/ready", program, "--config.file="+config, "--storage.path="+dir,
		"--web.listen-address="+address, "--cluster.listen-address=")
	return address
}
