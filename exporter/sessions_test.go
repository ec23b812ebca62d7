package exporter

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestSessionsOfATargetKeepToTheirLimit(t *testing.T) {
	for _, c := range []struct {
		name      string
		limit     int // as configured
		effective int
		hindered  bool // some probe finds no room
	}{
		{"one for each probe that logs on by default", 0, 4, false},
		{"more than that", 9, 9, false},
		{"fewer than that", 2, 2, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDatabase(t, "right", "right")
				target := func(turn int) *Target {
					target := d.target("orders")
					target.MaxSessions, target.Labels = c.limit, map[string]string{"turn": strings.Repeat("x", turn)}
					for i := range target.Probes {
						target.Probes[i].Interval, target.Probes[i].Timeout = time.Second, time.Second
					}
					return target
				}
				e := running(t, target(0))
				most := 0
				again(70*time.Millisecond, time.Minute, func(n int) {
					if n%50 == 49 { // the target is replaced, and logs its sessions off
						reloadWith(t, e, target(n/50%2))
					}
					synctest.Wait()
					most = max(most, d.server.Truth().SessionsOpen)
					if open, _ := value(t, e.gatherer, "sessions_open"); int(open) < d.server.Truth().SessionsOpen {
						t.Errorf("sessions_open is %v, the database has %d", open, d.server.Truth().SessionsOpen)
					}
				})
				wantValue(t, e.gatherer, float64(c.effective), "sessions_limit")
				if most == 0 || most > c.effective {
					t.Errorf("up to %d sessions were open, want 1 to %d", most, c.effective)
				}
				time.Sleep(time.Minute)
				synctest.Wait()
				_, hindered := value(t, e.gatherer, "probe_failures_total", "phase=config", "reason=limit")
				if hindered != c.hindered {
					t.Errorf("probes without room: %v, want %v", hindered, c.hindered)
				}
			})
		})
	}
}

func TestEverySessionIsLoggedOffAndNoneIsInATransaction(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDatabase(t, "right", "right")
		e := running(t, d.target("orders"))
		time.Sleep(30 * time.Minute)
		reloadWith(t, e, fakeTarget("other", new(fake).definition("a", time.Hour, time.Second)))
		time.Sleep(time.Minute)
		synctest.Wait()
		truth := d.server.Truth()
		if truth.SessionsOpen != 0 || truth.SessionsTotal < 30 {
			t.Errorf("%d sessions are open of %d, want none of at least 30", truth.SessionsOpen, truth.SessionsTotal)
		}
		for _, c := range truth.Connections {
			if c.RoundTripsByCall["logoff"] != 1 {
				t.Errorf("connection %d of %s was not logged off: %s", c.Number, c.Action, c.Ended)
			}
		}
		for call := range truth.RoundTripsByCall {
			if slices.Contains([]string{"commit", "rollback"}, call) {
				t.Errorf("a session made a call of %s", call)
			}
		}
	})
}
