// Two regions and one centre: an exporter and a Prometheus agent in each, and
// one Prometheus with the rules that both write to, all of it configured as it
// is shipped.

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"oranet_exporter/demo"
	"oranet_exporter/exporter"
	"oranet_exporter/link"
	"oranet_exporter/probes"
)

// patience is for machines that are busy; on others all of it takes seconds.
const patience = 3 * time.Minute

var regions = []string{"osaka", "tokyo"}

func TestTwoRegionsAndOneCentre(t *testing.T) {
	binary := program(t, "prometheus")
	centre := startPrometheus(t, binary, shipped(t, "centre.yml",
		"rules/*.yml", hurried(t)+"/*.yml",
		"127.0.0.1:9093", freeAddress(t)), "--web.enable-remote-write-receiver")
	cfg := fleet(t)
	agents := map[string]*prometheus{}
	for _, region := range regions {
		agents[region] = startAgent(t, binary, shipped(t, "agent.yml",
			"app-osaka-1:9522", host(t, serve(t, exporter.Options{Config: cfg})),
			"from_region: osaka", "from_region: "+region,
			"https://prometheus.example.com", "http://"+centre.address,
			// a second when hurried, in which a busy machine answers
			"scrape_interval: 15s", "scrape_interval: 1m"))
	}
	showsBoth(t, centre)
	tellsApart(t, centre)
	losesNothing(t, centre, agents)
	takesWhatIsLate(t, centre)
	pagesForSilence(t, centre, agents)
}

// fleet is the demo's links and one that is down, with the light probes alone.
func fleet(t *testing.T) *exporter.Config {
	t.Helper()
	world, err := demo.Start(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(world.Close)
	cfg := world.Config
	gone := exporter.NewTarget("gone", link.Config{DSN: freeAddress(t) + "/FREEPDB1",
		User: cfg.Targets[0].Link.User, Password: cfg.Targets[0].Link.Password}, probes.All)
	gone.Labels = map[string]string{"to_region": "tokyo"}
	cfg.Targets = append(cfg.Targets, gone)
	for _, target := range cfg.Targets {
		for i := range target.Probes {
			p := &target.Probes[i]
			p.Enabled = !p.Definition.Heavy && p.Definition != probes.SDU
			p.Interval, p.Timeout = time.Second, time.Second
		}
	}
	return cfg
}

// panelQuery is one query of one panel.
type panelQuery struct {
	panel, expr string
	instant     bool
}

// panelQueries are all of a dashboard.
func panelQueries(t *testing.T, file string) (all []panelQuery) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var d struct {
		Panels []struct {
			Title   string
			Targets []struct {
				Expr    string
				Instant bool
			}
		}
	}
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	for _, p := range d.Panels {
		for _, q := range p.Targets {
			all = append(all, panelQuery{p.Title, q.Expr, q.Instant})
		}
	}
	if len(all) == 0 {
		t.Fatalf("%s asks for nothing", file)
	}
	return all
}

// answeredBy asks as Grafana does with that choice of regions.
func (q panelQuery) answeredBy(t *testing.T, p *prometheus, region string) []answer {
	t.Helper()
	expr := strings.NewReplacer("$from_region", region, "$to_region", ".*", "$__rate_interval", "5s", "$__range", "1h").Replace(q.expr)
	if now := time.Now(); !q.instant {
		return p.askRange(t, expr, now.Add(-5*time.Second), now)
	}
	return p.ask(t, expr, time.Now())
}

// groupsByRegion finds the queries whose answers are to have the label.
var groupsByRegion = regexp.MustCompile(`by \([^)]*from_region`)

// counts are the least of those panels that add regions up: three links seen
// from each of two regions, of which each sees one down. On a busy machine each
// may see more.
var counts = map[string]float64{"Links measured": 6, "Links down": 2}

// showsBoth asks every query of every panel.
func showsBoth(t *testing.T, centre *prometheus) {
	for _, q := range panelQueries(t, "../dashboards/fleet.json") {
		var got []answer
		eventually(t, func() string {
			got = q.answeredBy(t, centre, ".*")
			least, isCount := counts[q.panel]
			switch kept := labelValues(got, "from_region"); {
			case len(got) == 0:
				return q.panel + ": no answer to " + q.expr
			case (len(kept) > 0 || groupsByRegion.MatchString(q.expr)) && !slices.Equal(kept, regions):
				return fmt.Sprintf("%s: answers of %q to %s", q.panel, kept, q.expr)
			case isCount && got[0].value < least:
				return fmt.Sprintf("%s: %v instead of %v or more", q.panel, got[0].value, least)
			}
			return ""
		})
		one := labelValues(q.answeredBy(t, centre, regions[1]), "from_region")
		if len(labelValues(got, "from_region")) > 0 && !slices.Equal(one, regions[1:]) {
			t.Errorf("%s: with %s chosen, answers of %q", q.panel, regions[1], one)
		}
	}
}

// labelValues are the different ones, sorted.
func labelValues(series []answer, label string) (values []string) {
	for _, s := range series {
		if v := s.labels[label]; v != "" {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// tellsApart holds every rule to work with the series of both regions.
func tellsApart(t *testing.T, centre *prometheus) {
	eventually(t, func() string { return strings.Join(centre.brokenRules(t), "\n") })
	eventually(t, func() string {
		recorded := labelValues(centre.ask(t, "target:oranet_round_trip_seconds:mean10m", time.Now()), "from_region")
		down := centre.firing(t, "OranetLinkDown", "from_region")
		slices.Sort(down)
		if down = slices.Compact(down); !slices.Equal(recorded, regions) || !slices.Equal(down, regions) {
			return fmt.Sprintf("round trips are recorded of %q, and the link that is down is paged for from %q", recorded, down)
		}
		return ""
	})
}

// downScrapes is how often each agent scrapes while the centre is down.
const downScrapes = 6

// losesNothing stops the centre for a while and counts what it missed.
func losesNothing(t *testing.T, centre *prometheus, agents map[string]*prometheus) {
	centre.stop()
	down, before, made := time.Now(), map[string]float64{}, map[string]float64{}
	for region, agent := range agents {
		before[region] = agent.scrapes(t)
	}
	eventually(t, func() string {
		for region, agent := range agents {
			if made[region] = agent.scrapes(t) - before[region]; made[region] < downScrapes {
				return fmt.Sprintf("%s: %v scrapes while the centre is down", region, made[region])
			}
		}
		return ""
	})
	up := time.Now()
	centre.start(t)
	for region, agent := range agents {
		window := fmt.Sprintf(`{job="oranet", from_region=%q}[%dms]`, region, up.Sub(down).Milliseconds())
		eventually(t, func() string {
			arrived := centre.ask(t, "count_over_time(up"+window+")", up)
			if len(arrived) != 1 || arrived[0].value < made[region] {
				return fmt.Sprintf("%s: of %v scrapes while the centre was down it has %v", region, made[region], arrived)
			}
			// a scrape brings all of its samples or none
			short := centre.ask(t, "count_over_time(oranet_probe_runs_total"+window+") < on (instance) group_left sum_over_time(up"+window+")", up)
			if len(short) > 0 {
				return fmt.Sprintf("%s: samples are missing of %v", region, short)
			}
			return ""
		})
		if failed := scrape(t, "http://"+agent.address+"/metrics").sum("prometheus_remote_storage_samples_failed_total"); failed > 0 {
			t.Errorf("%s: the agent threw %v samples away", region, failed)
		}
		t.Logf("%s: %v scrapes in the %v that the centre was down have all arrived", region, made[region], up.Sub(down).Round(time.Millisecond))
	}
}

// scrapes is how many an agent has begun.
func (p *prometheus) scrapes(t *testing.T) float64 {
	t.Helper()
	return float64(scrape(t, "http://"+p.address+"/metrics").find("prometheus_target_interval_length_seconds").GetSummary().GetSampleCount())
}

// takesWhatIsLate is of a region that was cut off for hours: it sends what the
// others' clocks have left behind.
func takesWhatIsLate(t *testing.T, centre *prometheus) {
	late := time.Now().Add(-5 * time.Hour)
	remoteWrite(t, centre, map[string]string{"__name__": "up", "job": "oranet", "from_region": "cut_off"}, 1, late)
	eventually(t, func() string {
		if found := centre.ask(t, `up{from_region="cut_off"}`, late.Add(time.Second)); len(found) != 1 {
			return fmt.Sprintf("there is %v of a sample that came five hours late", found)
		}
		return ""
	})
}

// pagesForSilence ends one agent, and starts it again.
func pagesForSilence(t *testing.T, centre *prometheus, agents map[string]*prometheus) {
	const alert = "OranetRegionSilent"
	expect := func(silent ...string) {
		t.Helper()
		eventually(t, func() string {
			if firing := centre.firing(t, alert, "from_region"); !slices.Equal(firing, silent) {
				return fmt.Sprintf("%s fires for %q instead of %q", alert, firing, silent)
			}
			return ""
		})
	}
	expect()
	agents[regions[1]].stop()
	since := time.Now()
	expect(regions[1])
	t.Logf("paged %v after the agent had ended, %d times faster than life", time.Since(since).Round(time.Millisecond), faster)
	agents[regions[1]].start(t)
	expect()
}

// eventually waits until nothing is wrong any more.
func eventually(t *testing.T, wrong func() string) {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) {
		what := wrong()
		if what == "" {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("after %v: %s", patience, what)
		}
	}
}
