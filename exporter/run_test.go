package exporter

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-kit/log"

	"oranet_exporter/link"
	"oranet_exporter/probes"
)

func TestEveryEndOfARunBecomesAPhaseAndAReason(t *testing.T) {
	for _, c := range []struct {
		name   string
		run    func(context.Context) error
		phase  link.Phase
		reason link.Reason // empty: success
	}{
		{"success", func(context.Context) error { return nil }, "", ""},
		{"failure of the link", func(context.Context) error { return fail(link.PhaseTLS, link.ReasonTLSExpired) }, link.PhaseTLS, link.ReasonTLSExpired},
		{"wrapped failure", func(context.Context) error {
			return errors.Join(errors.New("while probing"), fail(link.PhaseTNS, link.ReasonNoHandler))
		}, link.PhaseTNS, link.ReasonNoHandler},
		{"any other error", func(context.Context) error { return errors.New("odd") }, link.PhaseQuery, link.ReasonOther},
		{"deadline", func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }, link.PhaseQuery, link.ReasonTimeout},
		{"other error after the deadline", func(ctx context.Context) error { <-ctx.Done(); return errors.New("use of closed connection") },
			link.PhaseQuery, link.ReasonTimeout},
		{"panic", func(context.Context) error { panic("tiger") }, link.PhaseQuery, link.ReasonProtocol},
		{"the runtime's panic", func(context.Context) error { return []error{}[len(t.Name()):][0] }, link.PhaseQuery, link.ReasonProtocol},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fake{run: func(ctx context.Context, _ *probeCalls, out *probes.Samples) error {
					out.Add(fakeSeconds, .5, "one")
					out.Add(fakeBytes, 7)
					out.Add(fakeTotal, 3)
					return c.run(ctx)
				}}
				e := running(t, fakeTarget("orders", f.definition("a", 10*time.Second, time.Second)))
				time.Sleep(11 * time.Second)
				synctest.Wait()
				wantValue(t, e.gatherer, 1, "probe_runs_total", "target=orders", "probe=a")
				wantValue(t, e.gatherer, 7, "fake_bytes")
				wantValue(t, e.gatherer, 3, "fake_total")
				if c.reason == "" {
					wantValue(t, e.gatherer, 1, "probe_success", "probe=a")
					wantValue(t, e.gatherer, 1, "probe_duration_seconds", "probe=a")
					wantValue(t, e.gatherer, 1, "fake_seconds", "size=one")
					return
				}
				wantValue(t, e.gatherer, 0, "probe_success", "probe=a")
				wantValue(t, e.gatherer, 1, "probe_failures_total", "probe=a", "phase="+string(c.phase), "reason="+string(c.reason))
				wantValue(t, e.gatherer, 0, "probe_duration_seconds", "probe=a")
				if _, there := value(t, e.gatherer, "fake_seconds"); there {
					t.Error("a failed run is in a latency histogram")
				}
				if _, there := value(t, e.gatherer, "probe_last_success_timestamp_seconds"); there {
					t.Error("a failed run has a time of success")
				}
			})
		})
	}
}

func TestARunThatIsGivenUpHasThePhaseThatItsLinkIsIn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deaf := func(context.Context, string, string) (net.Conn, error) { // to the end of its context
			time.Sleep(time.Hour)
			return nil, errors.New("at last")
		}
		cfg := link.Config{DSN: "127.0.0.1:1521/svc", Dial: deaf}
		l, err := newLive(NewTarget("orders", cfg, []*probes.Definition{probes.TCP}), newAccount(), nil, nopLogger)
		if err != nil {
			t.Fatal(err)
		}
		result, ended := l.jobs[0].run(t.Context())
		if f := result.Failure; f == nil || f.Phase != link.PhaseTCP || f.Reason != link.ReasonTimeout {
			t.Errorf("%v, want a timeout of phase tcp", f)
		}
		if late := result.Duration - probes.TCP.Default.Timeout; late != patience {
			t.Errorf("given up %v after its deadline, want %v", late, patience)
		}
		<-ended
	})
}

func TestPanicIsLoggedWithItsPlaceAndWithoutItsValue(t *testing.T) {
	var out bytes.Buffer
	logger := log.NewLogfmtLogger(log.NewSyncWriter(&out))
	f := &fake{run: func(context.Context, *probeCalls, *probes.Samples) error { panic("password tiger") }}
	l, err := newLive(fakeTarget("orders", f.definition("a", time.Second, time.Second)), newAccount(), nil, logger)
	if err != nil {
		t.Fatal(err)
	}
	result, ended := l.jobs[0].run(t.Context())
	<-ended
	text := out.String()
	if !strings.Contains(text, "run_test.go") || !strings.Contains(text, "target=orders") || !strings.Contains(text, "level=error") {
		t.Errorf("the log does not say where:\n%s", text)
	}
	if strings.Contains(text, "tiger") || strings.Contains(result.Failure.Error(), "tiger") {
		t.Error("the panic's value shows")
	}
}

func TestEachRunOfAnOutageIsNotALineInTheLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		logger, err := NewLogger(&out, "logfmt", "info")
		if err != nil {
			t.Fatal(err)
		}
		f := new(fake)
		f.run = func(_ context.Context, p *probeCalls, _ *probes.Samples) error {
			if n := p.runs.Load(); n > 5 && n <= 15 {
				return fail(link.PhaseTCP, link.ReasonRefused)
			}
			return nil
		}
		l, err := newLive(fakeTarget("orders", f.definition("a", time.Second, time.Second)), newAccount(), nil, logger)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			l.jobs[0].scheduled(time.Now())
		}
		if n := strings.Count(out.String(), "\n"); n != 2 {
			t.Errorf("%d lines for an outage of ten runs, want 2:\n%s", n, out.String())
		}
	})
}

func TestScrapesAndOtherTargetsDoNotWaitForProbesThatHang(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := &fake{run: func(context.Context, *probeCalls, *probes.Samples) error { time.Sleep(time.Hour); return nil }}
		fine := new(fake)
		targets := []*Target{fakeTarget("fine", fine.definition("a", time.Second, time.Second))}
		for i := range 50 {
			targets = append(targets, fakeTarget(fmt.Sprintf("hangs-%d", i), hang.definition("a", time.Second, time.Second)))
		}
		e := running(t, targets...)
		time.Sleep(10 * time.Second)
		synctest.Wait()
		start := time.Now()
		for _, path := range []string{"/metrics", "/", "/target?name=hangs-0", "/config", "/-/healthy"} {
			if code := get(e, "GET", path).Code; code != 200 {
				t.Errorf("%s: status %d, want 200", path, code)
			}
		}
		if waited := time.Since(start); waited != 0 {
			t.Errorf("pages waited %s for runs", waited)
		}
		wantValue(t, e.gatherer, 10, "probe_runs_total", "target=fine")
		wantValue(t, e.gatherer, 50, "probe_failures_total", "reason=timeout")
	})
}
