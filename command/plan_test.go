package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kingpin/v2"

	"oranet_exporter/link/linktest"
	"oranet_exporter/simulator"
	"oranet_exporter/simulator/emulink"
)

// planned runs plan for a program and reads the answer.
func planned(t *testing.T, args string, more ...string) (int, forecast) {
	t.Helper()
	code, out, errs := execute(t, Plan, append(append(strings.Fields(args), "--output", "json"), more...)...)
	var f forecast
	if err := json.Unmarshal([]byte(out), &f); err != nil {
		t.Fatalf("%s: exit code %d, stderr %q: %v", args, code, errs, err)
	}
	return code, f
}

// The inputs are those that MEASUREMENTS M3 prints. Its estimates were
// computed before these were rounded for printing, so that they come out a
// hundredth of a second apart at most.
func TestPlanPrintsThePublishedEstimates(t *testing.T) {
	for _, c := range []struct {
		rows, arraysize int
		low, high       string // elapsed at 3.79 and 14.15 ms
		want, slope     float64
		code            int
	}{
		{1, 1, "7ms", "27ms", 0.02, 1.93, OK},
		{1000, 1000, "9ms", "29ms", 0.02, 1.93, OK},
		{100_000, 100, "3.911s", "14.193s", 10.08, 992.5, Failed},
		{100_000, 1000, "505ms", "1.572s", 1.15, 103.0, OK},
		{100_000, 10_000, "252ms", "396ms", 0.34, 13.9, OK},
	} {
		args := fmt.Sprintf("--rtt 10ms --max 3s --rows %d --arraysize %d --measured %s@3.79ms --measured %s@14.15ms",
			c.rows, c.arraysize, c.low, c.high)
		code, f := planned(t, args)
		got := f.Queries[0].ByArraysize[0]
		if math.Abs(got.Elapsed-c.want) > 0.01 || math.Abs(got.RoundTrips-c.slope) > 0.05 {
			t.Errorf("%s: %v s, slope %v; published %v s, %v", args, got.Elapsed, got.RoundTrips, c.want, c.slope)
		}
		if math.Abs(got.Network+got.Rest-got.Elapsed) > 1e-9 || math.Abs(got.Elapsed+got.Headroom-3) > 1e-9 {
			t.Errorf("%s: the parts do not add up: %+v", args, got)
		}
		if code != c.code || f.OK != (code == OK) {
			t.Errorf("%s: exit code %d, ok %t, want %d", args, code, f.OK, c.code)
		}
	}
}

// Two measurements of which one was disturbed make the slope too steep, so
// that less than nothing is left for what does not depend on the distance.
func TestPlanSaysThatMeasurementsContradictTheQuery(t *testing.T) {
	for elapsed, says := range map[string]bool{"10.3s": false, "10.5s": true} {
		code, out, errs := execute(t, Plan, strings.Fields(
			"--rtt 10ms --rows 100000 --arraysize 100 --measured 3.911s@3.79ms --measured "+elapsed+"@10ms")...)
		if code != OK || errs != "" {
			t.Errorf("exit code %d, stderr %q", code, errs)
		}
		if told := strings.Contains(out, "the rest is below zero"); told != says {
			t.Errorf("%s: %s", elapsed, out)
		}
	}
	_, f := planned(t, "--rtt 10ms --rows 100000 --arraysize 100 --measured 3.911s@3.79ms --measured 10.3s@10ms")
	if s := f.Queries[0].ByArraysize[0]; s.RoundTripsToClose != s.RoundTrips+1 {
		t.Errorf("%v round trips, %v with the close", s.RoundTrips, s.RoundTripsToClose)
	}
}

func TestPlanComparesTheUsualArraysizes(t *testing.T) {
	code, out, errs := execute(t, Plan, strings.Fields(
		"--rtt 10ms --rows 100000 --max 3s --server-time 98ms --row-bytes 198 --bandwidth 1000000000 --connect 160ms")...)
	if code != OK || errs != "" {
		t.Errorf("exit code %d, stderr %q", code, errs)
	}
	want := `round trip  10.000 ms, as given
connect     160.000 ms, as given
            connecting each time instead of pooling adds 160.000 ms to a query

query: 100000 rows within 3.000 s
  arraysize  round trips  with close   network  the rest    pooled  connecting each time
        100         1001        1002  10.010 s   0.256 s  10.266 s              10.426 s  over by 7.266 s
       1000          101         102   1.010 s   0.256 s   1.266 s               1.426 s  holds, 1.734 s left
      10000           11          12   0.110 s   0.256 s   0.366 s               0.526 s  holds, 2.634 s left
smallest arraysize that holds 3.000 s: 365
`
	if out != want {
		t.Errorf("got:\n%s\nwant:\n%s", out, want)
	}
}

func TestPlanExitsByTheArraysizesInUse(t *testing.T) {
	for _, c := range []struct {
		args     string
		code     int
		smallest int
	}{
		{"--arraysize 1000 --max 3s", OK, 334},
		{"--arraysize 100 --max 3s", Failed, 334},
		{"--arraysize 1000,100 --max 3s", Failed, 334},
		{"--max 3s", OK, 334},                                                     // 100 is over, but nobody said that it is in use
		{"--max 50ms", OK, 20_001},                                                // none of the usual ones
		{"--max 5ms", Failed, 0},                                                  // none at all
		{"--arraysize 100", OK, 0},                                                // no budget
		{"--arraysize 1000 --max 990ms --measured 382.79ms@3.79ms", Failed, 1011}, // one point: 101 round trips
		{"--arraysize 1000 --max 1011ms --measured 383.79ms@3.79ms", OK, 991},
	} {
		code, f := planned(t, "--rtt 10ms --rows 100000 "+c.args)
		if code != c.code || f.Queries[0].SmallestArraysize != c.smallest {
			t.Errorf("%s: exit code %d, smallest arraysize %d, want %d and %d", c.args, code, f.Queries[0].SmallestArraysize, c.code, c.smallest)
		}
	}
}

func TestPlanRefusesWhatItCannotAnswerInOneLine(t *testing.T) {
	absent := filepath.Join(t.TempDir(), "absent.yml")
	unbudgeted := config(t, "db.example.com/svc", "x")
	for args, want := range map[string]string{
		"--rows 5":                                            "--rtt",
		"--rtt 10ms":                                          "--rows",
		"--rtt=-1ms --rows 5":                                 "negative",
		"--rtt 10ms --rows=-5":                                "--rows",
		"--rtt 10ms --rows 2000000000":                        "out of range",
		"--rtt 10ms --rows 5 --row-bytes 200":                 "--bandwidth",
		"--rtt 10ms --rows 5 --bandwidth 1000":                "--row-bytes",
		"--rtt 10ms --rows 5 --row-bytes=-1 --bandwidth 1000": "--row-bytes",
		"--rtt 10ms --max 3s":                                 "--rows",
		"--rtt 10ms --rows 5 --measured 3s@2ms":               "--arraysize",
		"--rtt 10ms --rows 5 --arraysize 1 --measured 3s@2ms --server-time 1s":      "--server-time",
		"--rtt 10ms --rows 5 --arraysize 1 --measured 3s@2ms --measured 4s@2ms":     "differ",
		"--rtt 10ms --rows 5 --arraysize 100 --measured 1s@2ms --measured 2s@1ms":   "longer at the shorter",
		"--rtt 0.5ms --rows 5 --arraysize 100 --measured 1s@1ms --measured 10s@2ms": "less than no time",
		"--rtt 10ms --rows 5 --arraysize 1 --measured 1s@1s":                        "6 round trips alone",
		"--rtt 10ms --rows 9223372036854775807":                                     "9223372036854775807 is out of range",
		"--target orders --connect 100ms --rows 5":                                  "--connect",
		"--target orders --rows 5 --config.file " + absent:                          absent,
		"--target nosuch --rows 5 --config.file " + unbudgeted:                      "nosuch",
		"--target orders --rtt 10ms --config.file " + unbudgeted:                    "budgets",
	} {
		code, out, errs := execute(t, Plan, strings.Fields(args)...)
		if code != Usage || out != "" || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, want) {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q, want a line about %s", args, code, out, errs, want)
		}
	}
}

func TestPlanRefusesFlagsThatCannotBeRead(t *testing.T) {
	for args, want := range map[string]string{
		"--arraysize 0":      "not an arraysize",
		"--arraysize 65536":  "not an arraysize",
		"--arraysize 100,x":  "not an arraysize",
		"--arraysize 100,":   "not an arraysize",
		"--measured 3s":      "not ELAPSED@RTT",
		"--measured 3s@0ms":  "not ELAPSED@RTT",
		"--measured=@2ms":    "not ELAPSED@RTT",
		"--measured 3@2ms":   "not ELAPSED@RTT",
		"--measured=-1s@2ms": "not ELAPSED@RTT",
		"--measured 1s@1ms --measured 2s@2ms --measured 3s@3ms": "one too many",
		"--output yaml":    "text,json",
		"--rows 5.7":       "invalid syntax",
		"--row-bytes 1e30": "invalid syntax",
	} {
		app := kingpin.New("test", "")
		Plan(app.Command("plan", ""))
		if _, err := app.Parse(append([]string{"plan"}, strings.Fields(args)...)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
	}
}

// budgeted adds budgets to the configuration of the simulated database, and
// switches the probes off that plan needs.
func budgeted(t *testing.T, dsn, password string, budgets ...string) string {
	t.Helper()
	file := config(t, dsn, password)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	added := strings.Replace(string(text), "name: orders,", "name: orders, budgets: ["+strings.Join(budgets, ", ")+"],", 1)
	added = strings.Replace(added, "probes: {", "probes: {pool: {enabled: false}, ", 1)
	if err := os.WriteFile(file, []byte(added), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestPlanMeasuresTheTargetAndJudgesItsBudgets(t *testing.T) {
	const rtt = 20 * time.Millisecond
	server, _ := linktest.Simulated(t, simulator.Options{}, emulink.New(emulink.Path{RTT: rtt}))
	file := budgeted(t, server.Addr()+"/FREEPDB1", "Plain_1234",
		"{name: page, rows: 1000, arraysize: 100, max: 219ms}", // 11 round trips: never
		"{name: patient, rows: 1000, arraysize: 500, max: 1h}")
	code, f := planned(t, "--target orders", "--config.file", file)
	if code != Failed || f.OK || f.Target != "orders" || len(f.Queries) != 2 {
		t.Fatalf("exit code %d, answer %+v", code, f)
	}
	page, patient := f.Queries[0], f.Queries[1]
	if page.Name != "page" || page.Holds || patient.Name != "patient" || !patient.Holds || patient.SmallestArraysize != 1 {
		t.Errorf("judged %+v and %+v", page, patient)
	}
	if n := len(patient.ByArraysize); n != 4 || patient.ByArraysize[1].Arraysize != 500 || !patient.ByArraysize[1].InUse {
		t.Errorf("compared %+v, want 500, in use, among the usual ones", patient.ByArraysize)
	}
	l := f.Link
	if !l.Measured || l.RTT < rtt.Seconds() || l.ConnectRoundTrips < 5 || l.Connect < (l.ConnectRoundTrips-1)*rtt.Seconds() {
		t.Errorf("measured %+v on a link of %v", l, rtt) // the TCP handshake comes without delay
	}
	if l.Acquire <= 0 || l.Acquire > l.RTT || math.Abs(l.ConnectingAdds-(l.Connect-l.Acquire)) > 1e-9 {
		t.Errorf("connecting each time against a pool: %+v", l)
	}
	for _, s := range page.ByArraysize {
		if math.Abs(s.ConnectingElapsed-s.Elapsed-l.ConnectingAdds) > 1e-9 {
			t.Errorf("connecting each time: %+v, adds %v", s, l.ConnectingAdds)
		}
	}
	// A log-on a round for each of round_trip, pool and connect.
	if got := server.Truth().SessionsTotal; got != 3*rounds {
		t.Errorf("%d sessions, want %d", got, 3*rounds)
	}

	code, out, errs := execute(t, Plan, "--target", "orders", "--rows", "10", "--max", "1h", "--config.file", file)
	if code != OK || errs != "" || !strings.HasPrefix(out, "orders\n") || !strings.Contains(out, "median of 3") || !strings.Contains(out, "acquire from a pool") {
		t.Errorf("a query on the command line: exit code %d, stderr %q:\n%s", code, errs, out)
	}
}

func TestPlanJudgesBudgetsAtAnotherRoundTripTimeWithoutTheDatabase(t *testing.T) {
	file := budgeted(t, "db.invalid/svc", "x", "{name: bulk, rows: 100000, arraysize: 100, max: 3s}")
	for rtt, want := range map[string]int{"500us": OK, "10ms": Failed} {
		code, f := planned(t, "--target orders --rtt "+rtt, "--config.file", file)
		if code != want || f.Link.Measured {
			t.Errorf("at %s: exit code %d, %+v, want %d", rtt, code, f.Link, want)
		}
	}
}

func TestPlanDoesNotRepeatARefusedLogon(t *testing.T) {
	server, _ := linktest.Simulated(t, simulator.Options{}, emulink.New(emulink.Path{}))
	file := config(t, server.Addr()+"/FREEPDB1", "Wrong_1234")
	code, out, errs := execute(t, Plan, "--target", "orders", "--rows", "10", "--config.file", file)
	if code != Failed || out != "" || !strings.Contains(errs, "auth_failed") {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, out, errs)
	}
	if got := server.Truth().LogonFailures; got != 1 {
		t.Errorf("%d log-ons were refused, want 1", got)
	}
}

// fullDisk takes nothing.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestPlanThatCannotBeWrittenIsAFailure(t *testing.T) {
	app := kingpin.New("test", "")
	run := Plan(app.Command("plan", ""))
	if _, err := app.Parse(strings.Fields("plan --rtt 10ms --rows 10")); err != nil {
		t.Fatal(err)
	}
	var errs strings.Builder
	if code := run(t.Context(), fullDisk{}, &errs); code != Failed || !strings.Contains(errs.String(), "no space left") {
		t.Errorf("exit code %d, stderr %q", code, errs.String())
	}
}
