// A real Prometheus for the tests: started, asked, stopped.

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// form is the form in which Prometheus holds histograms.
type form struct {
	name            string
	native, classic bool
}

var forms = []form{
	{"classic", false, true},
	{"native", true, false},
	{"native and classic", true, true},
}

// binary is the Prometheus to test with. ORANET_TEST_PROMETHEUS names one that
// must be there; otherwise one on the PATH is used, if there is any.
func binary(t *testing.T) string {
	t.Helper()
	if path := os.Getenv("ORANET_TEST_PROMETHEUS"); path != "" {
		return path
	}
	path, err := exec.LookPath("prometheus")
	if err != nil {
		t.Skip("skipped: there is no prometheus on the PATH, and ORANET_TEST_PROMETHEUS names none")
	}
	return path
}

// scrapesByKey tells whether that Prometheus turns native histograms on in the
// scrape configuration, as 3.8 and later do; earlier ones have a flag, with
// which they hold the native form alone.
func scrapesByKey(t *testing.T, binary string) bool {
	t.Helper()
	out, err := exec.Command(binary, "--version").CombinedOutput()
	if err != nil {
		t.Fatalf("%s --version: %v", binary, err)
	}
	found := regexp.MustCompile(`version (\d+)\.(\d+)`).FindSubmatch(out)
	if found == nil { // built without one: a recent one
		return true
	}
	major, _ := strconv.Atoi(string(found[1]))
	minor, _ := strconv.Atoi(string(found[2]))
	return major > 3 || major == 3 && minor >= 8
}

// server is a Prometheus that scrapes one exporter each second.
type server struct{ address string }

// startPrometheus returns one that holds histograms in that form; nil if that
// Prometheus cannot.
func startPrometheus(t *testing.T, binary string, f form, exporter string) *server {
	t.Helper()
	byKey := scrapesByKey(t, binary)
	if !byKey && f.native && f.classic {
		return nil
	}
	dir := t.TempDir()
	config := fmt.Sprintf(`
global: {scrape_interval: 1s}
scrape_configs:
  - job_name: oranet
    %s
    static_configs: [{targets: [%q], labels: {from_region: osaka}}]
`, scrapeKeys(byKey, f), exporter)
	file := filepath.Join(dir, "prometheus.yml")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &server{address: freeAddress(t)}
	arguments := []string{"--config.file=" + file, "--storage.tsdb.path=" + filepath.Join(dir, "data"), "--web.listen-address=" + s.address}
	if !byKey && f.native {
		arguments = append(arguments, "--enable-feature=native-histograms")
	}
	start(t, binary, arguments, io.Discard)
	await(t, 30*time.Second, "Prometheus to be ready", func() bool {
		answer, err := http.Get("http://" + s.address + "/-/ready")
		if err == nil {
			answer.Body.Close()
		}
		return err == nil && answer.StatusCode == http.StatusOK
	})
	return s
}

func scrapeKeys(byKey bool, f form) string {
	if !byKey || !f.native {
		return "honor_labels: false"
	}
	return fmt.Sprintf("scrape_native_histograms: true\n    always_scrape_classic_histograms: %t", f.classic)
}

// point is one series of an answer with its last value that is a number;
// histogram tells that its values are histograms.
type point struct {
	Metric    map[string]string
	Value     float64
	Histogram bool
}

// ask runs a query over a time range, and returns the series that have a value.
// The last step is at the end, or it would not see what came just before.
func (s *server) ask(t *testing.T, expr string, start, end time.Time) []point {
	t.Helper()
	const step = 2 * time.Second
	start = end.Add(-end.Sub(start).Truncate(step))
	return s.points(t, "query_range", url.Values{
		"query": {expr}, "start": {stamp(start)}, "end": {stamp(end)}, "step": {fmt.Sprint(step.Seconds())},
	})
}

// askNow runs a query at one time.
func (s *server) askNow(t *testing.T, expr string, at time.Time) []point {
	t.Helper()
	return s.points(t, "query", url.Values{"query": {expr}, "time": {stamp(at)}})
}

func stamp(at time.Time) string { return strconv.FormatFloat(float64(at.UnixMilli())/1000, 'f', 3, 64) }

func (s *server) points(t *testing.T, endpoint string, arguments url.Values) []point {
	t.Helper()
	var data struct {
		Result []struct {
			Metric             map[string]string
			Value, Histogram   []any
			Values, Histograms [][]any
		}
	}
	s.get(t, endpoint, arguments, &data)
	var points []point
	for _, r := range data.Result {
		p := point{Metric: r.Metric, Histogram: len(r.Histogram)+len(r.Histograms) > 0}
		ok := p.Histogram
		for _, v := range append(r.Values, r.Value) {
			if len(v) != 2 {
				continue
			}
			if f, err := strconv.ParseFloat(v[1].(string), 64); err == nil && f == f { // not NaN
				p.Value, ok = f, true
			}
		}
		if ok {
			points = append(points, p)
		}
	}
	return points
}

// labelValues are what a variable offers.
func (s *server) labelValues(t *testing.T, selector, label string) []string {
	t.Helper()
	var values []string
	s.get(t, "label/"+label+"/values", url.Values{"match[]": {selector}}, &values)
	return values
}

func (s *server) get(t *testing.T, endpoint string, arguments url.Values, data any) {
	t.Helper()
	answer, err := http.Get("http://" + s.address + "/api/v1/" + endpoint + "?" + arguments.Encode())
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body := struct {
		Error string
		Data  any
	}{Data: data}
	if err := json.NewDecoder(answer.Body).Decode(&body); err != nil {
		t.Fatal(err)
	}
	if body.Error != "" {
		t.Fatalf("%v: Prometheus answered: %s", arguments, body.Error)
	}
}

// start runs a program until the test ends.
func start(t *testing.T, program string, arguments []string, stdout io.Writer) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	command := exec.CommandContext(ctx, program, arguments...)
	command.Cancel = func() error { return command.Process.Signal(syscall.SIGTERM) }
	command.WaitDelay = 10 * time.Second
	command.Stdout = stdout
	if err := command.Start(); err != nil {
		cancel()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = command.Wait() // it was told to end
	})
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// await asks twice a second until something is so.
func await(t *testing.T, most time.Duration, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(most); !so(); time.Sleep(500 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited %v in vain for %s", most, what)
		}
	}
}

// demo is the exporter's own demonstration: two links, simulated.
type demo struct{ metrics, control string }

func startDemo(t *testing.T) demo {
	t.Helper()
	program := filepath.Join(t.TempDir(), "oranet_exporter")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	reader, writer := io.Pipe()
	start(t, program, []string{"demo", "--web.listen-address=127.0.0.1:0", "--control.listen-address=127.0.0.1:0"}, writer)
	t.Cleanup(func() { reader.Close() })
	return addresses(t, reader)
}

// addresses are what the demo prints when it is ready.
func addresses(t *testing.T, printed io.Reader) demo {
	t.Helper()
	metrics := regexp.MustCompile(`http://([^/]+)/metrics`)
	control := regexp.MustCompile(`'(http://[^/]+)/rtt`)
	var d demo
	for lines := bufio.NewScanner(printed); lines.Scan(); {
		if found := metrics.FindStringSubmatch(lines.Text()); found != nil {
			d.metrics = found[1]
		}
		if found := control.FindStringSubmatch(lines.Text()); found != nil {
			d.control = found[1]
			go io.Copy(io.Discard, printed)
			return d
		}
	}
	t.Fatal("the demo did not say where it is")
	return d
}

// move sets a link's round trip time.
func (d demo) move(t *testing.T, link, rtt string) {
	t.Helper()
	answer, err := http.PostForm(d.control+"/rtt", url.Values{"link": {link}, "rtt": {rtt}})
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("the demo's control answered %s", answer.Status)
	}
}
