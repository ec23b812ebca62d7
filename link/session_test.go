package link_test

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"

	"oranet_exporter/link"
	"oranet_exporter/link/linktest"
	"oranet_exporter/simulator"
	"oranet_exporter/simulator/emulink"
)

// database starts a simulated database and returns the configuration of a
// link to it.
func database(t *testing.T, o simulator.Options) (*simulator.Server, link.Config) {
	t.Helper()
	return linktest.Simulated(t, o, emulink.New(emulink.Path{}))
}

func newLink(t *testing.T, cfg link.Config) *link.Link {
	t.Helper()
	l, err := link.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func minute(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func open(t *testing.T, l *link.Link, arraysize int) *link.Session {
	t.Helper()
	s, _, err := l.Open(minute(t), arraysize)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close(context.Background()) })
	return s
}

func TestOpenTimesEveryPhaseAndCountsRoundTrips(t *testing.T) {
	_, cfg := database(t, simulator.Options{})
	s, a, err := newLink(t, cfg).Open(minute(t), 100)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(minute(t))
	for _, phase := range []link.Phase{link.PhaseTCP, link.PhaseTNS, link.PhaseAuth, link.PhaseSession} {
		if a.Phases[phase] <= 0 {
			t.Errorf("phase %s took no time", phase)
		}
	}
	// TCP, CONNECT, native services, protocol, data types, two of logon, version.
	if a.RoundTrips != 8 {
		t.Errorf("%d round trips, want 8", a.RoundTrips)
	}
	if info := s.Info(); info.Instance == "" || info.ServerHost == "" || info.Version == "" {
		t.Errorf("the session landed nowhere: %+v", info)
	}
}

func TestPingIsOneRoundTripWithoutSQL(t *testing.T) {
	cfg := linktest.Any(t)
	s := open(t, newLink(t, cfg), 100)
	before := s.Counts()
	if err := s.Ping(minute(t)); err != nil {
		t.Fatal(err)
	}
	if c := s.Counts().Sub(before); c.RoundTrips != 1 || c.PacketsSent != 1 || c.PacketsReceived != 1 {
		t.Errorf("%d round trips of %d and %d packets, want 1 of 1 and 1", c.RoundTrips, c.PacketsSent, c.PacketsReceived)
	}
}

// 100,000 rows take 1,002 / 102 / 12 round trips, MEASUREMENTS M3: the execute
// brings the first rows, an even division needs one more, empty, fetch, and
// closing the cursor is one.
func TestFetchTakesTheRoundTripsOfItsArraysize(t *testing.T) {
	cfg := linktest.Any(t)
	l := newLink(t, cfg)
	const rows = 100_000
	for arraysize, want := range map[int]int{100: 1002, 1000: 102, 10000: 12} {
		t.Run(fmt.Sprint(arraysize), func(t *testing.T) {
			s := open(t, l, arraysize)
			f, err := s.Fetch(minute(t), "select level from dual connect by level <= :1", []any{rows}, func([]driver.Value) {})
			if err != nil {
				t.Fatal(err)
			}
			if got := f.Counts.RoundTrips + f.Closing.RoundTrips; got != want || f.Closing.RoundTrips != 1 || f.Rows != rows {
				t.Errorf("%d rows in %d round trips, %d of them to close the cursor; want %d in %d, 1",
					f.Rows, got, f.Closing.RoundTrips, rows, want)
			}
		})
	}
}

func TestAnErrorOfTheServerIsAFailureAndBreaksTheSession(t *testing.T) {
	cfg := linktest.Any(t)
	s := open(t, newLink(t, cfg), 100)
	_, err := s.Fetch(minute(t), "select * from no_such_table", nil, func([]driver.Value) {})
	wantFailure(t, err, link.PhaseQuery, link.ReasonObjectMissing, 942)
	if !s.Broken() {
		t.Error("the session would be used again")
	}
}

func TestLogonFailuresHaveReasons(t *testing.T) {
	_, cfg := database(t, simulator.Options{})
	wrong := cfg
	wrong.Password = linktest.Secret(t, "wrong")
	_, _, err := newLink(t, wrong).Open(minute(t), 100)
	wantFailure(t, err, link.PhaseAuth, link.ReasonAuthFailed, 1017)
	if strings.ContainsAny(err.Error(), "\n\r") {
		t.Errorf("the error is more than one line: %q", err)
	}

	unknown := cfg
	unknown.DSN += "_NOT"
	_, _, err = newLink(t, unknown).Open(minute(t), 100)
	wantFailure(t, err, link.PhaseTNS, link.ReasonUnknownService, 12514)

	missing := cfg
	missing.Password = link.Secret{Env: "ORANET_NO_SUCH_VARIABLE"}
	_, _, err = newLink(t, missing).Open(minute(t), 100)
	wantFailure(t, err, link.PhaseConfig, link.ReasonConfig, 0)
}

func wantFailure(t *testing.T, err error, phase link.Phase, reason link.Reason, code int) {
	t.Helper()
	var f *link.Failure
	if !errors.As(err, &f) {
		t.Fatalf("error %v (%T) is no Failure, want %s/%s", err, err, phase, reason)
	}
	if f.Phase != phase || f.Reason != reason || f.ORA != code {
		t.Fatalf("%s/%s ORA-%05d (%v), want %s/%s ORA-%05d", f.Phase, f.Reason, f.ORA, err, phase, reason, code)
	}
}

func TestCloseLogsOff(t *testing.T) {
	server, cfg := database(t, simulator.Options{})
	s, _, err := newLink(t, cfg).Open(minute(t), 100)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(minute(t)); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(minute(t)); err != nil {
		t.Errorf("closing twice: %v", err)
	}
	if last := lastEnded(t, server); last.Ended != "logoff" || server.Truth().SessionsOpen != 0 {
		t.Errorf("the session ended by %q and %d are open, want logoff and none", last.Ended, server.Truth().SessionsOpen)
	}
}

func TestPoolReusesItsSessionAndNoticesALostOne(t *testing.T) {
	cfg := linktest.Any(t)
	pool := newLink(t, cfg).NewPool(1)
	defer pool.Close()
	for range 3 {
		lease, err := pool.Acquire(minute(t))
		if err != nil {
			t.Fatal(err)
		}
		if err := lease.Ping(minute(t)); err != nil {
			t.Fatal(err)
		}
		if err := lease.Release(); err != nil {
			t.Fatal(err)
		}
	}
	if pool.Logons() != 1 {
		t.Fatalf("%d logons for three uses, want 1", pool.Logons())
	}
	lease, err := pool.Acquire(minute(t))
	if err != nil {
		t.Fatal(err)
	}
	_, err = lease.Fetch(minute(t), "select nonsense", nil, func([]driver.Value) {})
	if err == nil {
		t.Fatal("nonsense was understood")
	}
	_ = lease.Release()
	lease, err = pool.Acquire(minute(t))
	if err != nil {
		t.Fatal(err)
	}
	defer lease.Release()
	if lease.Broken() || pool.Logons() != 2 {
		t.Errorf("broken = %v after %d logons, want a new session after 2", lease.Broken(), pool.Logons())
	}
}

func TestPasswordsLogOnUnchangedAndAreNeverTold(t *testing.T) {
	for _, password := range slices.Concat(sharedPasswords(t), []string{
		"Plain_1234", "a#b@c/d", "p%20c", `q"uote's`, "semi;colon", "sp ace", "comma,comma", "ünïcødé_1", "(paren)=1", "$HOME", "{{tpl}}", "日本語のパスワード1",
		" leading", "trailing ", "\ttabs\t", `"quoted"`, `'quoted'`, `back\slash\`, "%s%d%!x(MISSING)", "user/pass@db:1521/svc", "a=b&c=d?e",
		"\x00nul", "🔑 of four bytes", "e\u0301 in two parts", "<script>&amp;", strings.Repeat("long", 32),
	}) {
		_, cfg := database(t, simulator.Options{Password: password})
		s, _, err := newLink(t, cfg).Open(minute(t), 100)
		if err != nil {
			t.Errorf("%q: %v", password, err)
			continue
		}
		_ = s.Close(minute(t))

		cfg.Password = linktest.Secret(t, password+"x")
		_, _, err = newLink(t, cfg).Open(minute(t), 100)
		wantFailure(t, err, link.PhaseAuth, link.ReasonAuthFailed, 1017)
		if text := fmt.Sprintf("%v %+v %#v", err, err, cfg); strings.Contains(text, password) {
			t.Errorf("%q is told: %s", password, text)
		}
	}
}

// sharedPasswords are those from real life, where they are beside this checkout.
func sharedPasswords(t *testing.T) (passwords []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "shared", "cases", "passwords.yaml"))
	if err != nil {
		t.Logf("no real-life passwords beside this checkout: %v", err)
		return nil
	}
	if err := yaml.Unmarshal(text, &passwords); err != nil {
		t.Fatal(err)
	}
	return passwords
}
