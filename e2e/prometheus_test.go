// Prometheus itself: started, stopped, asked.

package e2e

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// prometheus is one that can be started again with all that it had.
type prometheus struct {
	program string
	address string
	args    []string
	stop    func()
}

// startPrometheus runs one of that configuration until the test ends.
func startPrometheus(t *testing.T, program, text string, flags ...string) *prometheus {
	t.Helper()
	return run(t, program, text, append(flags, "--storage.tsdb.path="+t.TempDir())...)
}

// startAgent runs one that only scrapes and sends.
func startAgent(t *testing.T, program, text string) *prometheus {
	t.Helper()
	mode := "--enable-feature=agent"
	if help, _ := exec.Command(program, "--help").CombinedOutput(); strings.Contains(string(help), "--[no-]agent") {
		mode = "--agent" // since Prometheus 3
	}
	// it ends after the centre, which takes no more
	return run(t, program, text, mode, "--storage.agent.path="+t.TempDir(), "--storage.remote.flush-deadline=100ms")
}

func run(t *testing.T, program, text string, flags ...string) *prometheus {
	t.Helper()
	config := filepath.Join(t.TempDir(), "prometheus.yml")
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p := &prometheus{program: program, address: freeAddress(t)}
	p.args = append(flags, "--config.file="+config, "--web.listen-address="+p.address)
	p.start(t)
	return p
}

func (p *prometheus) start(t *testing.T) {
	t.Helper()
	p.stop = background(t, "http://"+p.address+"/-/ready", p.program, p.args...)
}

// answer is one series of a query's answer with its last value.
type answer struct {
	labels map[string]string
	value  float64
}

// ask runs a query at one time and returns the series that are numbers.
func (p *prometheus) ask(t *testing.T, query string, at time.Time) []answer {
	t.Helper()
	return p.answers(t, "query", url.Values{"query": {query}, "time": {stamp(at)}})
}

// askRange runs a query over a range of time, as a graph does.
func (p *prometheus) askRange(t *testing.T, query string, from, to time.Time) []answer {
	t.Helper()
	return p.answers(t, "query_range", url.Values{"query": {query}, "start": {stamp(from)}, "end": {stamp(to)}, "step": {"1"}})
}

func stamp(at time.Time) string { return fmt.Sprintf("%.3f", float64(at.UnixMilli())/1000) }

func (p *prometheus) answers(t *testing.T, endpoint string, arguments url.Values) (found []answer) {
	t.Helper()
	var data struct {
		Result []struct {
			Metric map[string]string
			Value  []any
			Values [][]any
		}
	}
	p.get(t, endpoint+"?"+arguments.Encode(), &data)
	for _, series := range data.Result {
		one := answer{series.Metric, math.NaN()}
		for _, pair := range append(series.Values, series.Value) {
			if len(pair) != 2 {
				continue
			}
			if v, err := strconv.ParseFloat(fmt.Sprint(pair[1]), 64); err == nil && !math.IsNaN(v) {
				one.value = v
			}
		}
		if !math.IsNaN(one.value) {
			found = append(found, one)
		}
	}
	return found
}

// get asks the API; an error is the test's end.
func (p *prometheus) get(t *testing.T, path string, data any) {
	t.Helper()
	response, err := http.Get("http://" + p.address + "/api/v1/" + path)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body := struct {
		Error string
		Data  any
	}{Data: data}
	if err := json.NewDecoder(response.Body).Decode(&body); err != nil || body.Error != "" {
		t.Fatalf("%s: Prometheus answered %v %s", path, err, body.Error)
	}
}

// firing are the label values of the alerts of that name that fire, in no order.
func (p *prometheus) firing(t *testing.T, alert, label string) (values []string) {
	t.Helper()
	var data struct {
		Alerts []struct {
			State  string
			Labels map[string]string
		}
	}
	p.get(t, "alerts", &data)
	for _, a := range data.Alerts {
		if a.State == "firing" && a.Labels["alertname"] == alert {
			values = append(values, a.Labels[label])
		}
	}
	return values
}

// brokenRules are those that have not been evaluated, or not without an error.
func (p *prometheus) brokenRules(t *testing.T) (broken []string) {
	t.Helper()
	var data struct {
		Groups []struct {
			Rules []struct{ Name, Health, LastError string }
		}
	}
	p.get(t, "rules", &data)
	if len(data.Groups) == 0 {
		return []string{"there are none"}
	}
	for _, group := range data.Groups {
		for _, rule := range group.Rules {
			if rule.Health != "ok" {
				broken = append(broken, rule.Name+" "+rule.Health+" "+rule.LastError)
			}
		}
	}
	return broken
}

func host(t *testing.T, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u.Host
}

func freeAddress(t *testing.T) string { return strings.TrimSpace(refusing(t)) }
