package status

import (
	"fmt"
	"net/url"
	"slices"
	"testing"
	"time"

	"oranet_exporter/link"
	"oranet_exporter/probes"
)

// fleet is a target in each state, in the order of a configuration.
func fleet(t *testing.T) []Target {
	up := complete(t, "up")
	slow := target("slow", good(probes.RoundTrip, noon, sample(t, roundTripSeconds, .02, "idle"),
		sample(t, budgetPredicted, .2, "order_page"), sample(t, budgetChecks, 1, "order_page"), sample(t, budgetBreaches, 1, "order_page")))
	slow.Budgets = []Budget{page}
	failing := target("failing", good(probes.TCP, noon), bad(probes.Connect, noon, link.PhaseAuth, link.ReasonAuthFailed))
	failing.Labels = map[string]string{"to_region": "tokyo"}
	down := target("down", bad(probes.TCP, noon, link.PhaseTCP, link.ReasonRefused), bad(probes.Pool, noon, link.PhaseTCP, link.ReasonRefused))
	return []Target{up, target("waiting"), slow, failing, down}
}

func names(rows []row) (list []string) {
	for _, r := range rows {
		list = append(list, r.Name)
	}
	return list
}

func TestFleetListsWhatIsAskedForTheWorstFirst(t *testing.T) {
	for _, c := range []struct {
		query string
		want  []string
	}{
		{"", []string{"down", "failing", "slow", "waiting", "up"}},
		{"sort=name", []string{"down", "failing", "slow", "up", "waiting"}},
		{"sort=headroom", []string{"slow", "up", "down", "failing", "waiting"}},
		{"sort=nonsense&state=nonsense&page=nonsense", []string{"down", "failing", "slow", "waiting", "up"}},
		{"state=slow", []string{"slow"}},
		{"q=TO_REGION=tok", []string{"failing"}},
		{"q=refused", []string{"down"}},
		{"q=order_page", []string{"slow"}},
		{"q=nothing", nil},
		{"state=up&q=down", nil},
		{"page=99", []string{"down", "failing", "slow", "waiting", "up"}},
	} {
		values, err := url.ParseQuery(c.query)
		if err != nil {
			t.Fatal(err)
		}
		v := newFleet(fleet(t), readQuery(values), noon)
		if got := names(v.Rows); !slices.Equal(got, c.want) {
			t.Errorf("?%s: %v, want %v", c.query, got, c.want)
		}
		if v.Total != "5 targets" {
			t.Errorf("?%s: %s, want all five counted", c.query, v.Total)
		}
	}
}

func TestStateHasItsReason(t *testing.T) {
	want := map[string]string{
		"up":      "",
		"waiting": "no probe has run yet",
		"slow":    "over budget: order_page (1 of the last 1 check)",
		"failing": "connect: auth_failed in phase auth",
		"down":    "refused in phase tcp of 2 probes",
	}
	for _, r := range newFleet(fleet(t), readQuery(nil), noon).Rows {
		if r.Reason != want[r.Name] || string(r.State) != r.Name {
			t.Errorf("%s is %s: %q, want %q", r.Name, r.State, r.Reason, want[r.Name])
		}
	}
}

func TestFailedRoundTripBreachesWhateverTheLastOneSaid(t *testing.T) {
	one := complete(t, "orders")
	one.Past.Add(bad(probes.RoundTrip, noon, link.PhaseQuery, link.ReasonTimeout))
	b := newBudgets(one, one.Past.copy(noon))[0]
	if !b.Breached || b.Headroom.String() != "40.0 ms" {
		t.Errorf("breached %v with %s, want a breach", b.Breached, b.Headroom)
	}
}

func TestPagesOfAThousandTargetsHoldEachOnce(t *testing.T) {
	var targets []Target
	for i := range 1000 {
		targets = append(targets, target(fmt.Sprintf("target_%04d", i)))
	}
	seen := map[string]int{}
	link, pages := "/?sort=name", 0
	for ; link != "" && pages < 20; pages++ {
		at, err := url.Parse(link)
		if err != nil {
			t.Fatal(err)
		}
		v := newFleet(targets, readQuery(at.Query()), noon)
		for _, r := range v.Rows {
			seen[r.Name]++
		}
		if (v.Before == "") != (pages == 0) {
			t.Errorf("page %d has the page before at %q", pages+1, v.Before)
		}
		link = v.After
	}
	if pages != 10 || len(seen) != 1000 {
		t.Errorf("%d targets on %d pages, want 1000 on 10", len(seen), pages)
	}
}

func TestHeldBackTargetSaysSo(t *testing.T) {
	one := complete(t, "orders")
	one.Probes[1].Held = 9 * time.Minute
	one.Probes[5].Exhausted, one.Probes[5].Renewed = "bytes", noon.Add(40*time.Minute)
	if got := newRow(one, noon).Held; got != "held back: round_trip and fetch" {
		t.Errorf("the fleet says %q", got)
	}
	one.Probes[2].Held = Forever
	v := newTarget(one, noon)
	want := []string{
		"round_trip is held back for 9 min, because trying again sooner would make things worse.",
		"pool is held back until the configuration is reloaded, because the account is locked.",
		"fetch waits for 40 min: the hour's allowance of bytes is used up.",
	}
	if !slices.Equal(v.Notices, want) {
		t.Errorf("notices %q, want %q", v.Notices, want)
	}
}

// One late round trip in twenty is a chance, five are not.
func TestTargetIsSlowWhenAQuarterOfTheLastChecksAreBreaches(t *testing.T) {
	for _, c := range []struct {
		breaches, checks int
		want             State
	}{{0, 20, Up}, {1, 20, Up}, {4, 20, Up}, {5, 20, Slow}, {20, 20, Slow}, {1, 1, Slow}, {1, 8, Up}} {
		one := target("orders")
		one.Budgets = []Budget{page}
		for i := range 100 {
			one.Past.Add(checked(t, i%2 == 0)) // forgotten by then
		}
		if c.checks < keptChecks {
			one.Past = NewPast()
		}
		for i := range c.checks {
			one.Past.Add(checked(t, i < c.breaches))
		}
		if r := newRow(one, noon); r.State != c.want {
			t.Errorf("%d breaches of the last %d checks: %s (%s), want %s", c.breaches, c.checks, r.State, r.Reason, c.want)
		}
	}
}

// checked is a round trip that breaks the budget or does not.
func checked(t *testing.T, breach bool) Run {
	took, of := .1, []probes.Sample{sample(t, budgetChecks, 1, "order_page")}
	if breach {
		took, of = .2, append(of, sample(t, budgetBreaches, 1, "order_page"))
	}
	return good(probes.RoundTrip, noon, append(of, sample(t, budgetPredicted, took, "order_page"))...)
}
