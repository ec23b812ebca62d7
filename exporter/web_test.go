package exporter

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"

	"oranet_exporter/link"
	"oranet_exporter/probes"
)

// get asks the exporter's handler.
func get(e *Exporter, method, path string, header ...string) *httptest.ResponseRecorder {
	request := httptest.NewRequest(method, path, nil)
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	answer := httptest.NewRecorder()
	e.handler().ServeHTTP(answer, request)
	return answer
}

func TestRoutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{run: func(_ context.Context, _ *probeCalls, out *probes.Samples) error {
			out.Add(fakeSeconds, .0042, "one")
			return nil
		}}
		broken := &fake{run: func(context.Context, *probeCalls, *probes.Samples) error {
			return &link.Failure{Phase: link.PhaseTLS, Reason: link.ReasonTLSExpired, Peer: "db:2484", Err: errors.New("certificate <b>expired</b>")}
		}}
		e := running(t, fakeTarget("orders", f.definition("a", 2*time.Second, time.Second), broken.definition("b", time.Second, time.Second)))
		time.Sleep(10 * time.Second)
		synctest.Wait()
		for _, c := range []struct {
			method, path string
			status       int
			body         string
		}{
			{"GET", "/", 200, `<a href="/target?name=orders">orders</a>`},
			{"GET", "/", 200, "b: tls_expired in phase tls"},
			{"GET", "/target?name=orders", 200, "one: 4.20 ms"},
			{"GET", "/target?name=orders", 200, "certificate &lt;b&gt;expired&lt;/b&gt;"},
			{"GET", "/target?name=billing", 404, "There is no target billing"},
			{"POST", "/target?name=orders", 405, ""},
			{"GET", "/nothing", 404, ""},
			{"POST", "/", 405, ""},
			{"GET", "/metrics", 200, `oranet_probe_runs_total{probe="a",target="orders"} 5`},
			{"GET", "/metrics", 200, "oranet_build_info{"},
			{"GET", "/metrics", 200, "go_goroutines"},
			{"GET", "/config", 200, "name: orders"},
			{"GET", "/-/healthy", 200, "healthy"},
			{"GET", "/-/ready", 200, "ready"},
			{"POST", "/-/reload", 403, "--web.enable-lifecycle"},
			{"GET", "/-/reload", 405, ""},
			{"GET", "/debug/pprof/", 404, ""},
			{"GET", "/probe", 404, "?target="},
			{"GET", "/probe?target=other.example.com:1521", 404, "no such target"},
			{"GET", "/probe?target=orders&probe=fetch", 404, "no such probe"},
			{"GET", "/probe?target=orders&probe=b", 200, `oranet_probe_failures_total{phase="tls",probe="b",reason="tls_expired",target="orders"} 1`},
		} {
			answer := get(e, c.method, c.path)
			if answer.Code != c.status {
				t.Errorf("%s %s: status %d, want %d", c.method, c.path, answer.Code, c.status)
			}
			if !strings.Contains(answer.Body.String(), c.body) {
				t.Errorf("%s %s: lacks %q in\n%s", c.method, c.path, c.body, answer.Body)
			}
			if policy := answer.Header().Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none'") {
				t.Errorf("%s %s: Content-Security-Policy is %q", c.method, c.path, policy)
			}
		}
	})
}

func TestReloadOverHTTP(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := new(fake)
		def := f.definition("a", 2*time.Second, time.Second)
		e := running(t, fakeTarget("orders", def))
		e.opts.EnableLifecycle = true
		if answer := get(e, "POST", "/-/reload"); answer.Code != 200 {
			t.Errorf("status %d, want 200: %s", answer.Code, answer.Body)
		}
		if answer := get(e, "POST", "/-/reload", "Sec-Fetch-Site", "cross-site"); answer.Code != 403 {
			t.Errorf("from another site's page: status %d, want 403", answer.Code)
		}
		e.opts.Config = &Config{}
		answer := get(e, "POST", "/-/reload")
		if answer.Code != 500 || !strings.Contains(answer.Body.String(), "there are none") {
			t.Errorf("a bad configuration: status %d, %s", answer.Code, answer.Body)
		}
	})
}

func TestRunOnDemandLeavesTheScheduledSeriesAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{run: func(_ context.Context, _ *probeCalls, out *probes.Samples) error {
			out.Add(fakeSeconds, .5, "one")
			return nil
		}}
		e := running(t, fakeTarget("orders", f.definition("a", time.Hour, time.Second), f.definition("b", time.Hour, time.Second)))
		answer := get(e, "GET", "/probe?target=orders&probe=a")
		body := answer.Body.String()
		if answer.Code != 200 || !strings.Contains(body, `oranet_fake_seconds_count{size="one",target="orders"} 1`) {
			t.Errorf("status %d:\n%s", answer.Code, body)
		}
		if strings.Contains(body, `probe="b"`) || strings.Contains(body, "go_goroutines") {
			t.Errorf("it holds more than that run:\n%s", body)
		}
		wantValue(t, e.gatherer, 0, "probe_runs_total", "probe=a")
		if _, there := value(t, e.gatherer, "fake_seconds"); there {
			t.Error("a run on demand is in the scheduled histogram")
		}
		if answer := get(e, "GET", "/probe?target=orders"); !strings.Contains(answer.Body.String(), `oranet_probe_success{probe="b",target="orders"} 1`) {
			t.Errorf("without a probe's name not all ran:\n%s", answer.Body)
		}
	})
}

func TestRunOnDemandIsRefusedWhileTheProbeRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{run: func(ctx context.Context, _ *probeCalls, _ *probes.Samples) error {
			pause(ctx, 5*time.Second)
			return nil
		}}
		heavy, other := f.definition("bulk", time.Hour, time.Minute), f.definition("other", time.Hour, time.Minute)
		light := f.definition("light", time.Hour, time.Minute)
		heavy.Heavy, other.Heavy = true, true
		e := running(t, fakeTarget("orders", heavy, other, light))
		first := make(chan int)
		go func() { first <- get(e, "GET", "/probe?target=orders&probe=bulk").Code }()
		synctest.Wait()
		for _, c := range []struct {
			path string
			want int
		}{
			{"/probe?target=orders&probe=bulk", 503},  // runs
			{"/probe?target=orders&probe=other", 503}, // is heavy, too
			{"/probe?target=orders", 503},
			{"/probe?target=orders&probe=light", 200},
		} {
			if code := get(e, "GET", c.path).Code; code != c.want {
				t.Errorf("%s: status %d, want %d", c.path, code, c.want)
			}
		}
		if code := <-first; code != 200 {
			t.Errorf("the first one: status %d, want 200", code)
		}
		synctest.Wait()
		if code := get(e, "GET", "/probe?target=orders&probe=other").Code; code != 200 {
			t.Errorf("afterwards: status %d, want 200", code)
		}
	})
}

func TestRunOnDemandEndsWhenTheExporterStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{run: func(ctx context.Context, _ *probeCalls, _ *probes.Samples) error { <-ctx.Done(); return ctx.Err() }}
		e, err := New(Options{Config: &Config{Targets: []*Target{fakeTarget("orders", f.definition("a", time.Hour, time.Hour))}}})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- e.Run(ctx) }()
		answer := make(chan string)
		go func() { answer <- get(e, "GET", "/probe?target=orders&probe=a").Body.String() }()
		synctest.Wait()
		start := time.Now()
		cancel()
		if body := <-answer; !strings.Contains(body, `reason="canceled"`) {
			t.Errorf("it was not cancelled:\n%s", body)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
		if took := time.Since(start); took > stopGrace {
			t.Errorf("stopping took %s", took)
		}
		if n := f.closed.Load(); n != 1 {
			t.Errorf("%d probes closed, want 1", n)
		}
	})
}

func TestNativeHistogramsGoOverProtobuf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := new(fake)
		e := running(t, fakeTarget("orders", f.definition("a", time.Second, time.Second)))
		time.Sleep(3 * time.Second)
		synctest.Wait()
		answer := get(e, "GET", "/metrics", "Accept", string(expfmt.NewFormat(expfmt.TypeProtoDelim)))
		decoder := expfmt.NewDecoder(answer.Body, expfmt.NewFormat(expfmt.TypeProtoDelim))
		for {
			var family dto.MetricFamily
			if err := decoder.Decode(&family); err != nil {
				t.Fatalf("the histogram is not there: %v", err)
			}
			if family.GetName() != "oranet_probe_duration_seconds" {
				continue
			}
			h := family.Metric[0].GetHistogram()
			if h.GetSampleCount() != 3 || len(h.Bucket) == 0 {
				t.Errorf("%d observations in %d classic buckets, want 3 in some", h.GetSampleCount(), len(h.Bucket))
			}
			if h.Schema == nil || h.GetZeroThreshold() == 0 {
				t.Error("there is no native histogram")
			}
			return
		}
	})
}

func TestOpenMetrics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := running(t, fakeTarget("orders", new(fake).definition("a", time.Second, time.Second)))
		answer := get(e, "GET", "/metrics", "Accept", "application/openmetrics-text; version=1.0.0")
		if body := answer.Body.String(); !strings.HasSuffix(body, "# EOF\n") {
			t.Error("there is no # EOF at the end")
		}
	})
}

// startWeb runs an exporter on a port of its own, in real time.
func startWeb(t *testing.T, opts Options) (address string) {
	t.Helper()
	opts.ListenAddresses = []string{"127.0.0.1:0", "127.0.0.1:0"}
	if opts.Config == nil && opts.ConfigFile == "" {
		opts.Config = &Config{Targets: []*Target{fakeTarget("orders", new(fake).definition("a", time.Hour, time.Second))}}
	}
	e, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- e.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return e.Addresses()[1].String()
}

func TestEndpointIsServedOnEveryAddress(t *testing.T) {
	address := startWeb(t, Options{EnablePprof: true})
	client := &http.Client{}
	defer client.CloseIdleConnections()
	for _, path := range []string{"/metrics", "/-/healthy", "/debug/pprof/cmdline", "/debug/pprof/goroutine?debug=1"} {
		answer, err := client.Get("http://" + address + path)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, answer.Body)
		_ = answer.Body.Close()
		if answer.StatusCode != 200 {
			t.Errorf("%s: status %d, want 200", path, answer.StatusCode)
		}
	}
}

func TestTLSAndBasicAuth(t *testing.T) {
	dir := t.TempDir()
	web := httptest.NewTLSServer(nil) // for its certificate
	defer web.Close()
	pair := web.TLS.Certificates[0]
	key, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{
		"cert.pem": pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: pair.Certificate[0]}),
		"key.pem":  pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key}),
		// The password is "tiger".
		"web.yml": []byte("tls_server_config: {cert_file: cert.pem, key_file: key.pem}\n" +
			"basic_auth_users: {scott: $2a$04$R1a5tDD2ae.nuNRLvaoLq.Wic0qQ8W3Yf89IipxkOFBfgE9C7ffYO}\n"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	address := startWeb(t, Options{WebConfigFile: filepath.Join(dir, "web.yml")})
	client := web.Client()
	client.Transport.(*http.Transport).TLSClientConfig.ServerName = "example.com"
	defer client.CloseIdleConnections()
	for password, want := range map[string]int{"tiger": 200, "lion": 401} {
		request, _ := http.NewRequest("GET", "https://"+address+"/-/healthy", nil)
		request.SetBasicAuth("scott", password)
		answer, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("password %s: status %d, want %d", password, answer.StatusCode, want)
		}
	}
}

func TestNewSaysWhatIsWrongBeforeAnythingRuns(t *testing.T) {
	good := &Config{Targets: []*Target{fakeTarget("orders", new(fake).definition("a", time.Hour, time.Second))}}
	for name, c := range map[string]struct {
		opts Options
		want string
	}{
		"no configuration":      {Options{}, "there is no configuration"},
		"no such file":          {Options{ConfigFile: "none.yml"}, "none.yml"},
		"bad configuration":     {Options{Config: &Config{}}, "there are none"},
		"bad address":           {Options{Config: good, ListenAddresses: []string{"127.0.0.1:0", "nonsense"}}, "cannot listen"},
		"empty address":         {Options{Config: good, ListenAddresses: []string{""}}, "listen address is empty"},
		"no telemetry path":     {Options{Config: good, TelemetryPath: "metrics"}, "telemetry path"},
		"telemetry pattern":     {Options{Config: good, TelemetryPath: "/a{b"}, "telemetry path"},
		"telemetry taken":       {Options{Config: good, TelemetryPath: "/probe"}, "telemetry path"},
		"bad web configuration": {Options{Config: good, WebConfigFile: "none-web.yml"}, "none-web.yml"},
	} {
		if _, err := New(c.opts); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q in it", name, err, c.want)
		}
	}
}

func TestNotReadyBeforeProbesAreScheduled(t *testing.T) {
	e, err := New(Options{Config: &Config{Targets: []*Target{fakeTarget("orders", new(fake).definition("a", time.Hour, time.Second))}}})
	if err != nil {
		t.Fatal(err)
	}
	if code := get(e, "GET", "/-/ready").Code; code != 503 {
		t.Errorf("status %d, want 503", code)
	}
}

func TestHangupReloads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := new(fake)
		hangup := make(chan os.Signal)
		e, err := New(Options{Hangup: hangup, Config: &Config{Targets: []*Target{fakeTarget("orders", f.definition("a", time.Second, time.Second))}}})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- e.Run(ctx) }()
		synctest.Wait()
		e.opts.Config = &Config{}
		hangup <- os.Interrupt
		synctest.Wait()
		wantValue(t, e.gatherer, 0, "config_last_reload_successful")
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}
