// Package e2e tests the product as a whole: real sockets, the real driver, a
// simulated database, scrapes over HTTP.
package e2e

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"go.uber.org/goleak"

	"oranet_exporter/exporter"
	"oranet_exporter/simulator"
)

func TestMain(m *testing.M) {
	var err error
	if scratch, err = os.MkdirTemp("", "oranet-e2e-"); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		_ = os.RemoveAll(scratch)
		os.Exit(code)
	}))
}

// serve runs an exporter of that configuration until the test ends and returns
// the address of its metrics.
func serve(t *testing.T, o exporter.Options) (url string) {
	t.Helper()
	o.ListenAddresses = []string{"127.0.0.1:0"}
	e, err := exporter.New(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- e.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("the exporter ended by %v", err)
		}
		http.DefaultClient.CloseIdleConnections()
	})
	return "http://" + e.Addresses()[0].String() + "/metrics"
}

// configFile writes a configuration whose secrets lie beside it.
func configFile(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "oranet.yml")
	for path, content := range map[string]string{file: text, filepath.Join(dir, "probe"): "Plain_1234"} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return file
}

// families is one scrape.
type families map[string]*dto.MetricFamily

func scrape(t testing.TB, url string) families {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		body, _ := io.ReadAll(response.Body)
		t.Fatalf("%s answered %s: %s", url, response.Status, body)
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	parsed, err := parser.TextToMetricFamilies(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

// find returns the first series of that name whose labels contain all of want
// ("name=value"), nil if there is none.
func (f families) find(name string, want ...string) *dto.Metric {
	if all := f.all(name, want...); len(all) > 0 {
		return all[0]
	}
	return nil
}

// sum adds the counters of that name whose labels contain all of want.
func (f families) sum(name string, want ...string) (total float64) {
	for _, m := range f.all(name, want...) {
		total += m.GetCounter().GetValue()
	}
	return total
}

func (f families) all(name string, want ...string) (found []*dto.Metric) {
	for _, m := range f[name].GetMetric() {
		labels := make(map[string]string)
		for _, l := range m.GetLabel() {
			labels[l.GetName()] = l.GetValue()
		}
		all := true
		for _, w := range want {
			key, value, _ := strings.Cut(w, "=")
			all = all && labels[key] == value
		}
		if all {
			found = append(found, m)
		}
	}
	return found
}

// truthWhen is what the database knows once it has read what its clients sent
// last, by the test's own sign for that, or after ten seconds.
func truthWhen(server *simulator.Server, settled func(simulator.Truth) bool) simulator.Truth {
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if truth := server.Truth(); settled(truth) || time.Now().After(deadline) {
			return truth
		}
	}
}

// allClosed is the sign of clients that have ended.
func allClosed(truth simulator.Truth) bool { return truth.SessionsOpen == 0 }

// silent accepts connections and never says a word.
func silent(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// refusing is an address at which nothing listens.
func refusing(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return fmt.Sprint(l.Addr())
}
