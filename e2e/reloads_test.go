// Reloads without end: the real program under load, whose configuration is
// changed, spoiled and half written.

package e2e

import (
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	dto "github.com/prometheus/client_model/go"

	"oranet_exporter/link/linktest"
	"oranet_exporter/simulator"
	"oranet_exporter/simulator/emulink"
)

var reloads = flag.Int("reloads", 1000, "how often the configuration is reloaded under load")

// steadyTargets never change; what does is written below them.
const steadyTargets = `probes:
  tcp:        {interval: 100ms, timeout: 100ms}
  round_trip: {interval: 500ms, timeout: 500ms}
  pool:       {interval: 500ms, timeout: 500ms}
  connect:    {enabled: false}
  sdu:        {enabled: false}
  fetch:      {enabled: false}
targets:
  - {name: steady_1, dsn: ADDRESS/FREEPDB1, user: PROBE, password_file: probe}
  - {name: steady_2, dsn: ADDRESS/FREEPDB1, user: PROBE, password_file: probe}
`

// variants are what may be written below.
var variants = []string{
	"",
	"  - {name: passing, dsn: ADDRESS/FREEPDB1, user: PROBE, password_file: probe}\n",
	"  - {name: passing, dsn: ADDRESS/FREEPDB1, user: PROBE, password_file: probe, labels: {team: red}}\n" +
		"  - {name: another, dsn: ADDRESS/FREEPDB1, user: PROBE, password_file: probe, max_sessions: 1}\n",
}

// mistakes are keys of a third target, and what the refusal says is wrong.
var mistakes = []struct{ line, key string }{
	{"colour: red", "colour"},
	{"max_sessions: many", "max_sessions"},
	{"max_sessions: -1", "max_sessions"},
	{"probes: {tcp: {interval: soon}}", "probes.tcp.interval"},
	{"probes: {tcp: {interval: 1s, timeout: 2s}}", "probes.tcp.timeout"},
	{"probes: {nonesuch: {}}", "probes.nonesuch"},
	{"labels: {target: x}", "labels.target"},
	{"allowance: {bytes: -1}", "allowance.bytes"},
	{"budgets: [{name: page}]", "budgets[0].rows"},
	{"name: steady_1", "name"},
}

const mistaken = "  - name: mistaken\n    dsn: ADDRESS/FREEPDB1\n    user: PROBE\n    password_file: probe\n    %s\n"

func TestReloadsWithoutEndLoseNothing(t *testing.T) {
	server, _ := linktest.Simulated(t, simulator.Options{}, emulink.New(emulink.Path{}))
	file := configFile(t, strings.ReplaceAll(steadyTargets, "ADDRESS", server.Addr()))
	p := begin(t, file, "--web.enable-lifecycle")
	r := &reloader{process: p, t: t, file: file, address: server.Addr(), order: rand.New(rand.NewPCG(3, 4)), said: map[string]int{}}

	for range *reloads / 10 {
		r.step()
	}
	r.write(variants[0])
	r.accepted()
	before := p.settle(t, 6) // three probes of two targets
	for range *reloads {
		r.step()
	}
	r.write(variants[0])
	r.accepted()
	after := p.settle(t, 6)
	t.Logf("reloads: %v", r.said)
	expectNotGrown(t, before, after)
	p.end(t)
	truth := truthWhen(server, allClosed)
	t.Logf("%d sessions: %d logged off, %d dropped; %d connections", truth.SessionsTotal, truth.SessionsLoggedOff, truth.SessionsDropped, truth.ConnectionsTotal)
	// a run that a busy machine makes late breaks its session off
	if truth.SessionsOpen != 0 || truth.SessionsDropped > truth.SessionsLoggedOff {
		t.Errorf("%d sessions are open, %d were dropped without a logoff", truth.SessionsOpen, truth.SessionsDropped)
	}
}

// reloader changes the configuration and looks at what becomes of it.
type reloader struct {
	*process
	t       *testing.T
	file    string
	address string
	order   *rand.Rand
	targets []string           // that are in force
	counted map[string]float64 // by the steady targets' series
	said    map[string]int     // how many reloads of each kind
}

// step is one reload: of a good file, a wrong one, or one half written.
func (r *reloader) step() {
	switch below := variants[r.order.IntN(len(variants))]; r.order.IntN(4) {
	case 0:
		m := mistakes[r.order.IntN(len(mistakes))]
		r.write(fmt.Sprintf(mistaken, m.line))
		r.refused(fmt.Sprintf("oranet.yml:%d: targets[2].%s: ", strings.Count(steadyTargets, "\n")+5, m.key))
	case 1:
		text := below + fmt.Sprintf(mistaken, mistakes[0].line)
		r.write(text[:r.order.IntN(len(text))])
		r.either()
	default:
		r.write(below)
		r.accepted()
	}
}

// write puts the steady targets and what comes below them into the file: in
// place, by another file's renaming, or by another symbolic link, as editors,
// deployments and Kubernetes do.
func (r *reloader) write(below string) {
	text := []byte(strings.ReplaceAll(steadyTargets+below, "ADDRESS", r.address))
	dir := filepath.Dir(r.file)
	fresh := filepath.Join(dir, fmt.Sprintf("version-%d", r.order.IntN(1000)))
	link := filepath.Join(dir, "link")
	way := r.order.IntN(3)
	if way == 0 {
		fresh = r.file
	}
	r.must(os.WriteFile(fresh, text, 0o600))
	switch way {
	case 1:
		r.must(os.Rename(fresh, r.file))
	case 2:
		r.must(os.Symlink(filepath.Base(fresh), link))
		r.must(os.Rename(link, r.file))
	}
}

func (r *reloader) must(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

// names finds the targets in what was written.
var names = regexp.MustCompile(`name: (\w+)`)

func (r *reloader) written() (targets []string) {
	text, err := os.ReadFile(r.file)
	r.must(err)
	for _, found := range names.FindAllStringSubmatch(string(text), -1) {
		targets = append(targets, found[1])
	}
	return targets
}

// accepted reloads by the endpoint, and now and then by the signal.
func (r *reloader) accepted() {
	r.targets = r.written()
	if r.order.IntN(10) == 0 {
		r.said["by SIGHUP"]++
		before := r.reloaded(scrape(r.t, r.url+"/metrics"))
		_ = r.command.Process.Signal(syscall.SIGHUP)
		await(r.t, r.url+"/metrics", func(f families) bool { return r.reloaded(f) > before })
	} else if status, body := r.post(); status != http.StatusOK {
		r.t.Fatalf("a good file was refused: %s", body)
	}
	r.said["accepted"]++
	r.inForce(1)
}

func (r *reloader) reloaded(f families) float64 {
	return f.find("oranet_config_last_reload_success_timestamp_seconds").GetGauge().GetValue()
}

// refused demands the file, the line and the key.
func (r *reloader) refused(why string) {
	status, body := r.post()
	if status == http.StatusOK || !strings.Contains(body, why) || strings.Count(strings.TrimSpace(body), "\n") > 0 {
		r.t.Fatalf("answered %d and %q, want one line with %q", status, body, why)
	}
	r.said["refused"]++
	r.inForce(0)
}

// either reloads a file that may be whole or not: what counts is that what is
// in force is all of it or nothing of it.
func (r *reloader) either() {
	status, body := r.post()
	if status == http.StatusOK {
		r.targets = r.written()
		r.said["half written, and whole by chance"]++
		r.inForce(1)
		return
	}
	if !strings.Contains(body, "oranet.yml:") {
		r.t.Errorf("the refusal of half a file does not say where: %s", body)
	}
	r.said["half written"]++
	r.inForce(0)
}

func (r *reloader) post() (status int, body string) {
	response, err := http.Post(r.url+"/-/reload", "", nil)
	r.must(err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	r.must(err)
	return response.StatusCode, string(text)
}

// inForce waits until the targets are those that should be. Meanwhile the
// steady ones' series are all there, and none goes back.
func (r *reloader) inForce(successful float64) {
	r.t.Helper()
	await(r.t, r.url+"/metrics", func(f families) bool {
		r.expectSteady(f)
		var present []string
		for _, m := range f["oranet_sessions_limit"].GetMetric() {
			present = append(present, label(m, "target"))
		}
		slices.Sort(present)
		want := slices.Sorted(slices.Values(r.targets))
		return slices.Equal(present, want) && f.find("oranet_config_last_reload_successful").GetGauge().GetValue() == successful
	})
}

func (r *reloader) expectSteady(f families) {
	r.t.Helper()
	now := map[string]float64{}
	for name, family := range f {
		for _, m := range family.GetMetric() {
			if strings.HasPrefix(label(m, "target"), "steady_") {
				now[fmt.Sprint(name, m.GetLabel())] = m.GetCounter().GetValue() + float64(m.GetHistogram().GetSampleCount())
			}
		}
	}
	for series, before := range r.counted {
		if count, there := now[series]; !there || count < before {
			r.t.Errorf("%s was at %v and is at %v", series, before, count)
		}
	}
	r.counted = now
}

func label(m *dto.Metric, name string) string {
	for _, l := range m.GetLabel() {
		if l.GetName() == name {
			return l.GetValue()
		}
	}
	return ""
}
