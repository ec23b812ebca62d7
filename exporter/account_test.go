package exporter

import (
	"context"
	"errors"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"oranet_exporter/link"
)

// reloadWith puts another configuration in force.
func reloadWith(t *testing.T, e *Exporter, targets ...*Target) {
	t.Helper()
	e.opts.Config = &Config{Targets: targets}
	if err := e.Reload(); err != nil {
		t.Error(err)
	}
}

func TestAWrongPasswordIsTriedThreeTimesInTheFirstHour(t *testing.T) {
	for name, meanwhile := range map[string]func(t *testing.T, e *Exporter, d *database){
		"nothing": func(*testing.T, *Exporter, *database) { time.Sleep(time.Hour) },
		"runs on demand": func(_ *testing.T, e *Exporter, _ *database) {
			again(10*time.Second, time.Hour, func(int) {
				get(e, "GET", "/probe?target=orders&probe=connect")
				get(e, "GET", "/probe?target=orders")
			})
		},
		"many runs on demand at once": func(_ *testing.T, e *Exporter, _ *database) {
			again(10*time.Minute, time.Hour, func(int) {
				var wg sync.WaitGroup
				for range 20 {
					wg.Go(func() { get(e, "GET", "/probe?target=orders&probe=connect") })
					wg.Go(func() { get(e, "GET", "/probe?target=orders&probe=pool") })
				}
				wg.Wait()
			})
		},
		"reloads of the same": func(t *testing.T, e *Exporter, d *database) {
			again(10*time.Second, time.Hour, func(int) { reloadWith(t, e, d.target("orders")) })
		},
		"reloads that change other settings": func(t *testing.T, e *Exporter, d *database) {
			again(10*time.Second, time.Hour, func(n int) {
				target := d.target("orders")
				target.Labels = map[string]string{"turn": strings.Repeat("x", n%2)}
				reloadWith(t, e, target)
			})
		},
		"reloads that rename the target": func(t *testing.T, e *Exporter, d *database) {
			again(10*time.Second, time.Hour, func(n int) { reloadWith(t, e, d.target("orders"+strings.Repeat("x", n%2))) })
		},
		"reloads that remove the target": func(t *testing.T, e *Exporter, d *database) {
			other := fakeTarget("other", new(fake).definition("a", time.Hour, time.Second))
			again(10*time.Second, time.Hour, func(n int) {
				if n%2 == 0 {
					reloadWith(t, e, other)
				} else {
					reloadWith(t, e, other, d.target("orders"))
				}
			})
		},
		"reloads while no answer comes": func(t *testing.T, e *Exporter, d *database) {
			d.mute.Store(true)
			again(10*time.Second, time.Hour, func(n int) {
				target := d.target("orders")
				target.Labels = map[string]string{"turn": strings.Repeat("x", n%2)}
				reloadWith(t, e, target)
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDatabase(t, "right", "wrong")
				e := running(t, d.target("orders"))
				meanwhile(t, e, d)
				synctest.Wait()
				if n := d.logonsDenied(); n < 2 || n > 3 {
					t.Errorf("the password was tried %d times in the first hour, want 2 or 3", n)
				}
			})
		})
	}
}

func TestTriesOfAWrongPasswordGetRare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDatabase(t, "right", "wrong")
		e := running(t, d.target("orders"))
		time.Sleep(time.Hour)
		synctest.Wait()
		for _, probe := range []string{"round_trip", "pool", "connect", "fetch"} {
			if left, _ := value(t, e.gatherer, "probe_backoff_seconds", "probe="+probe); left <= 0 || left > 3600 {
				t.Errorf("%s: probe_backoff_seconds is %v, want what is left of an hour", probe, left)
			}
		}
		time.Sleep(6 * 24 * time.Hour)
		// Those of the first hour, then after 1, 2, 4, 8, 16 and, each time, 24 hours.
		if n := d.logonsDenied(); n < 8 || n > 13 {
			t.Errorf("%d tries in a week, want a dozen", n)
		}
	})
}

// All four probes notice at the same moment.
func TestAPasswordThatIsChangedWhileEverythingRunsIsTriedThreeTimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDatabase(t, "right", "right")
		target := d.target("orders")
		for i := range target.Probes {
			target.Probes[i].Interval, target.Probes[i].Timeout = 10*time.Second, 10*time.Second
		}
		e := running(t, target)
		time.Sleep(time.Minute)
		synctest.Wait()
		wantValue(t, e.gatherer, 1, "probe_success", "probe=round_trip")
		d.change("another")
		d.slow.Store(int64(9 * time.Second)) // several are unanswered at once
		time.Sleep(time.Hour)
		synctest.Wait()
		if n := d.logonsDenied(); n < 1 || n > 3 {
			t.Errorf("the old password was tried %d times in an hour, want 1 to 3", n)
		}
		d.slow.Store(0)
		d.write("another")
		reloadWith(t, e, target)
		time.Sleep(20 * time.Second)
		synctest.Wait()
		for _, probe := range []string{"round_trip", "pool", "connect", "fetch"} {
			wantValue(t, e.gatherer, 1, "probe_success", "probe="+probe)
			wantValue(t, e.gatherer, 0, "probe_backoff_seconds", "probe="+probe)
		}
	})
}

func TestAnotherPasswordInTheFileIsTriedAtOnceAfterAReload(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDatabase(t, "right", "wrong")
		e := running(t, d.target("orders"))
		time.Sleep(time.Minute)
		d.write("also wrong")
		reloadWith(t, e, d.target("orders"))
		time.Sleep(5 * time.Second)
		synctest.Wait()
		if n := d.logonsDenied(); n != 2 {
			t.Errorf("%d tries, want one of each password", n)
		}
		d.write("right")
		reloadWith(t, e, d.target("orders"))
		time.Sleep(5 * time.Second)
		synctest.Wait()
		wantValue(t, e.gatherer, 1, "probe_success", "probe=round_trip")
		wantValue(t, e.gatherer, 0, "probe_backoff_seconds", "probe=connect")
	})
}

// A database that hangs must not be left alone once it answers again.
func TestAPasswordThatWorkedIsNotHeldBackByAMuteDatabase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDatabase(t, "right", "right")
		e := running(t, d.target("orders"))
		time.Sleep(time.Minute)
		d.change("right")
		d.mute.Store(true)
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		wantValue(t, e.gatherer, 0, "probe_success", "probe=round_trip")
		d.mute.Store(false)
		time.Sleep(5 * time.Second)
		synctest.Wait()
		wantValue(t, e.gatherer, 1, "probe_success", "probe=round_trip")
	})
}

func TestALockedAccountIsLeftAloneUntilReload(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDatabase(t, "right", "right")
		target := d.target("orders")
		target.Probe("round_trip").Enabled, target.Probe("pool").Enabled, target.Probe("fetch").Enabled = false, false, false
		e := running(t, target)
		answered, err := e.fleet.target("orders").account.Enter(t.Context(), "right")
		if err != nil {
			t.Fatal(err)
		}
		answered(link.Locked)
		time.Sleep(1000 * time.Hour)
		synctest.Wait()
		wantValue(t, e.gatherer, 0, "probe_runs_total", "probe=connect")
		wantValue(t, e.gatherer, 0, "probe_missed_total", "probe=connect")
		wantValue(t, e.gatherer, math.Inf(1), "probe_backoff_seconds", "probe=connect")
		if answer := get(e, "GET", "/probe?target=orders&probe=connect"); answer.Code != 503 {
			t.Errorf("a run on demand: status %d, want 503", answer.Code)
		}
		reloadWith(t, e, target)
		time.Sleep(time.Minute)
		synctest.Wait()
		wantValue(t, e.gatherer, 1, "probe_success", "probe=connect")
	})
}

func TestAnAccountJudgesAnswers(t *testing.T) {
	const minute = time.Minute
	for _, c := range []struct {
		name    string
		answers []link.Answer
		held    time.Duration
	}{
		{"accepted", []link.Answer{link.Accepted}, 0},
		{"denied", []link.Answer{link.Denied}, 10 * minute},
		{"denied twice", []link.Answer{link.Denied, link.Denied}, 30 * minute},
		{"denied three times", []link.Answer{link.Denied, link.Denied, link.Denied}, 60 * minute},
		{"denied, then accepted", []link.Answer{link.Denied, link.Accepted}, 0},
		{"accepted, then denied", []link.Answer{link.Accepted, link.Denied}, 10 * minute},
		{"no answer, never accepted", []link.Answer{link.NoAnswer}, 10 * minute},
		{"no answer, accepted before", []link.Answer{link.Accepted, link.NoAnswer}, 0},
		{"no answer after a denial of what was accepted", []link.Answer{link.Accepted, link.Denied, link.NoAnswer}, 30 * minute},
		{"something else was the matter", []link.Answer{link.Unjudged}, 0},
		{"locked", []link.Answer{link.Locked}, never},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := newAccount()
				for _, answer := range c.answers {
					time.Sleep(a.left(time.Now()))
					answered, err := a.Enter(t.Context(), "tiger")
					if err != nil {
						t.Fatal(err)
					}
					answered(answer)
				}
				if held := a.left(time.Now()); held != c.held {
					t.Errorf("held back for %s, want %s", held, c.held)
				}
			})
		})
	}
}

// Whoever is paged looks for the cause where the failures say.
func TestALogonHeldBackSaysWhetherThePasswordWasRefused(t *testing.T) {
	for answer, want := range map[link.Answer]link.Reason{link.Denied: link.ReasonAuthFailed, link.NoAnswer: link.ReasonTimeout} {
		a := newAccount()
		answered, err := a.Enter(t.Context(), "tiger")
		if err != nil {
			t.Fatal(err)
		}
		answered(answer)
		_, err = a.Enter(t.Context(), "tiger")
		var failure *link.Failure
		if !errors.As(err, &failure) || failure.Phase != link.PhaseAuth || failure.Reason != want {
			t.Errorf("after answer %v: %v, want a failure of %s for %s", answer, err, link.PhaseAuth, want)
		} else if !strings.Contains(err.Error(), "it is tried again in 10m0s") {
			t.Errorf("after answer %v: %v, want when it is tried again", answer, err)
		}
	}
}

// If the password turns out to be wrong, as many are refused as were on.
func TestLogonsWaitForTheAnswersOfThoseBefore(t *testing.T) {
	for _, c := range []struct {
		name  string
		known bool
		on    int
	}{{"not known to work", false, 1}, {"known to work", true, 3}} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := newAccount()
				if c.known {
					answered, _ := a.Enter(t.Context(), "tiger")
					answered(link.Accepted)
				}
				entered := make(chan func(link.Answer), 10)
				var refused atomic.Int64
				for range cap(entered) {
					go func() {
						answered, err := a.Enter(t.Context(), "tiger")
						if err != nil {
							refused.Add(1)
							return
						}
						entered <- answered
					}()
				}
				synctest.Wait()
				if n := len(entered); n != c.on {
					t.Fatalf("%d logons are on, want %d", n, c.on)
				}
				(<-entered)(link.Denied)
				synctest.Wait()
				if n := refused.Load(); int(n) != cap(entered)-c.on {
					t.Errorf("%d logons were not tried, want the %d that waited", n, cap(entered)-c.on)
				}
			})
		})
	}
}

func TestALogonWaitsForAnswersNoLongerThanItsRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAccount()
		if _, err := a.Enter(t.Context(), "tiger"); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := a.Enter(ctx, "tiger"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want the deadline", err)
		}
	})
}
