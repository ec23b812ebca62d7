package exporter

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"oranet_exporter/link"
	"oranet_exporter/link/linktest"
	"oranet_exporter/probes"
	"oranet_exporter/simulator"
	"oranet_exporter/simulator/emulink"
)

// loggedOn is so many logons, refused is one that the database refused, and
// unanswered one that did not come so far.
func loggedOn(n int) (list []*link.Attempt) {
	for range n {
		list = append(list, &link.Attempt{Phases: map[link.Phase]time.Duration{link.PhaseTCP: 1, link.PhaseAuth: 1}})
	}
	return list
}

var (
	refused    = &link.Attempt{Err: &link.Failure{Phase: link.PhaseAuth, Reason: link.ReasonAuthFailed, Err: errors.New("ORA-01017")}}
	unanswered = &link.Attempt{Err: &link.Failure{Phase: link.PhaseTCP, Reason: link.ReasonRefused, Err: errors.New("refused")}}
)

func TestAllowanceIsOfBothDirectionsAndEveryLogon(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	for _, c := range []struct {
		name string
		runs []*Result
		want Resource
	}{
		{"nothing used", nil, ""},
		{"bytes left", []*Result{{Received: 98, Sent: 1}}, ""},
		{"all bytes", []*Result{{Received: 99, Sent: 1}}, ResourceBytes},
		{"bytes over several runs", []*Result{{Received: 60}, {Sent: 60}}, ResourceBytes},
		{"logons left", []*Result{{Attempts: loggedOn(2)}}, ""},
		{"all logons", []*Result{{Attempts: loggedOn(2)}, {Attempts: loggedOn(1)}}, ResourceLogons},
		{"a refused logon counts", []*Result{{Attempts: append(loggedOn(2), refused)}}, ResourceLogons},
		{"an attempt that met no database does not", []*Result{{Attempts: append(loggedOn(2), unanswered, unanswered)}}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := spending{allowance: Allowance{Bytes: 100, Logons: 3}}
			for _, r := range c.runs {
				s.add(now, r)
			}
			if got := s.exhausted(now); got != c.want {
				t.Errorf("exhausted: %q, want %q", got, c.want)
			}
			if got := s.exhausted(renewed(now).Add(-1)); got != c.want {
				t.Errorf("at the end of the hour: %q, want %q", got, c.want)
			}
			if got := s.exhausted(renewed(now)); got != "" {
				t.Errorf("in the next hour: %q", got)
			}
		})
	}
}

// A heavy probe that costs two logons a minute may have six; a light one that
// costs as much goes on.
func TestHeavyProbeWaitsForTheNextHourAndSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // its clock begins at midnight
		var e *Exporter
		f := &fake{run: func(context.Context, *probeCalls, *probes.Samples) error {
			e.fleet.target("orders").spending.add(time.Now(), &Result{Attempts: loggedOn(2)})
			return nil
		}}
		light := new(fake)
		heavy := f.definition("bulk", time.Minute, time.Second)
		heavy.Heavy = true
		target := fakeTarget("orders", heavy, light.definition("tcp", time.Minute, time.Second))
		target.Allowance.Logons = 6
		var out bytes.Buffer
		logger, err := NewLogger(&out, "logfmt", "warn")
		if err != nil {
			t.Fatal(err)
		}
		if e, err = New(Options{Config: &Config{Targets: []*Target{target}}, Logger: logger}); err != nil {
			t.Fatal(err)
		}
		wantValue(t, e.gatherer, 0, "probe_allowance_exhausted_total", "probe=bulk", "resource=logons")
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- e.Run(ctx) }()

		time.Sleep(30 * time.Minute)
		synctest.Wait()
		wantValue(t, e.gatherer, 3, "probe_runs_total", "probe=bulk")
		wantValue(t, e.gatherer, 27, "probe_allowance_exhausted_total", "probe=bulk", "resource=logons")
		wantValue(t, e.gatherer, 0, "probe_allowance_exhausted_total", "probe=bulk", "resource=bytes")
		wantValue(t, e.gatherer, 0, "probe_missed_total", "probe=bulk")
		wantValue(t, e.gatherer, 30, "probe_runs_total", "probe=tcp")
		if _, there := value(t, e.gatherer, "probe_allowance_exhausted_total", "probe=tcp"); there {
			t.Error("a light probe has an allowance")
		}
		if answer := get(e, "GET", "/probe?target=orders&probe=bulk"); answer.Code != 503 || !strings.Contains(answer.Body.String(), "allowance") {
			t.Errorf("on demand: status %d: %s", answer.Code, answer.Body)
		}
		if body := get(e, "GET", "/target?name=orders").Body.String(); !strings.Contains(body, "allowance of logons is used up") {
			t.Error("the status page does not say why the probe waits")
		}

		time.Sleep(time.Hour)
		synctest.Wait()
		wantValue(t, e.gatherer, 6, "probe_runs_total", "probe=bulk")
		if n := strings.Count(out.String(), "allowance=logons"); n != 2 {
			t.Errorf("%d lines in two hours, want 2:\n%s", n, out.String())
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// What a real fetch costs is what its spending says.
func TestFetchUsesTheAllowance(t *testing.T) {
	_, cfg := linktest.Simulated(t, simulator.Options{}, emulink.New(emulink.Path{}))
	target := NewTarget("orders", cfg, []*probes.Definition{probes.RoundTrip, probes.Fetch})
	*target.Probe("fetch").Options.(*probes.FetchOptions) = probes.FetchOptions{Arraysize: []probes.Arraysize{100, 1000}, Rows: 1000, RowBytes: 200}
	for _, c := range []struct {
		allowance Allowance
		want      Resource
	}{
		{Allowance{Bytes: 1 << 30, Logons: 3}, ""},
		{Allowance{Bytes: 1 << 30, Logons: 2}, ResourceLogons},
		{Allowance{Bytes: 2 * 1000 * 200, Logons: 3}, ResourceBytes},
	} {
		target.Allowance = c.allowance
		l, err := newLive(target, newAccount(), nil, nopLogger)
		if err != nil {
			t.Fatal(err)
		}
		for _, j := range l.jobs {
			if answer := j.begin(time.Now()); answer != admitted {
				t.Errorf("%s: begin answered %d", j.name(), answer)
			}
			if result, ended := j.demanded(t.Context()); result.Failure != nil {
				t.Error(result.Failure)
			} else {
				<-ended
			}
		}
		if got := l.job("fetch").exhausted(time.Now()); got != c.want {
			t.Errorf("%+v: %q is exhausted, want %q", c.allowance, got, c.want)
		}
		if got := l.job("round_trip").exhausted(time.Now()); got != "" {
			t.Errorf("%+v: it keeps a light probe from running: %q", c.allowance, got)
		}
		l.stop(t.Context())
	}
}

func TestDefaultsStayFarFromTheAllowance(t *testing.T) {
	for _, def := range probes.All {
		if !def.Heavy {
			continue
		}
		options, ok := def.Options().(*probes.FetchOptions)
		if !ok {
			continue // the test knows what a fetch costs
		}
		runs := int(time.Hour / def.Default.Interval)
		if n := runs * len(options.Arraysize); n > defaultAllowance.Logons/10 {
			t.Errorf("%s logs on %d times an hour, %d are allowed", def.Name, n, defaultAllowance.Logons)
		}
		if n := runs * len(options.Arraysize) * options.Rows * options.RowBytes; n > defaultAllowance.Bytes/10 {
			t.Errorf("%s moves %d bytes an hour, %d are allowed", def.Name, n, defaultAllowance.Bytes)
		}
	}
}

func TestOneShotSaysThatTheAllowanceIsUsedUp(t *testing.T) {
	f := new(fake)
	first, second := f.definition("first", time.Hour, time.Second), f.definition("second", time.Hour, time.Second)
	first.Heavy, second.Heavy = true, true
	l, err := newLive(fakeTarget("orders", first, second), newAccount(), nil, nopLogger)
	if err != nil {
		t.Fatal(err)
	}
	l.spending.add(time.Now(), &Result{Attempts: loggedOn(defaultAllowance.Logons)})
	result := runJob(t.Context(), l.jobs[1], new(sync.Mutex), nobody{})
	if result.Failure == nil || !strings.Contains(result.Failure.Error(), "allowance") {
		t.Errorf("got %v, want a failure that names the allowance", result.Failure)
	}
	if n := len(f.runs()); n != 0 {
		t.Errorf("%d runs, want none", n)
	}
}

func TestAllowanceIsRead(t *testing.T) {
	for _, c := range []struct {
		text string
		want Allowance
		err  string
	}{
		{"", defaultAllowance, ""},
		{"    allowance: {bytes: 5000, logons: 7}\n", Allowance{5000, 7}, ""},
		{"    allowance: {logons: 7}\n", Allowance{defaultAllowance.Bytes, 7}, ""},
		{"    allowance: {bytes: 0}\n", Allowance{}, "oranet.yml:6: targets[0].allowance.bytes: want how much heavy probes may move in an hour, at least 1; disable the probes to move nothing"},
		{"    allowance: {logons: 0}\n", Allowance{}, "oranet.yml:6: targets[0].allowance.logons: want how often heavy probes may log on in an hour, at least 1; disable the probes to log on never"},
		{"    allowance: {byte: 1}\n", Allowance{}, "oranet.yml:6: targets[0].allowance.byte: unknown key (did you mean bytes?)"},
		{"    allowance: 5\n", Allowance{}, "oranet.yml:6: targets[0].allowance: want keys and values, not a number"},
	} {
		cfg, err := LoadConfig(writeConfig(t, target+c.text), testDefinitions())
		switch {
		case c.err != "":
			if err == nil || !strings.HasSuffix(err.Error(), string(filepath.Separator)+c.err) {
				t.Errorf("%q: got  %v\nwant %s", c.text, err, c.err)
			}
		case err != nil:
			t.Errorf("%q: %v", c.text, err)
		case cfg.Targets[0].Allowance != c.want:
			t.Errorf("%q: read as %+v, want %+v", c.text, cfg.Targets[0].Allowance, c.want)
		case !strings.Contains(cfg.Redacted(), fmt.Sprintf("logons: %d", c.want.Logons)):
			t.Errorf("%q: the configuration in force does not show it", c.text)
		}
	}
}
