package faults

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"text/tabwriter"
	"time"

	"oranet_exporter/link"
	"oranet_exporter/simulator"
)

// patience is how long after its deadline a run may end. On the bubble's clock
// it is exact: a busy machine makes nothing late.
const patience = 100 * time.Millisecond

// TestEveryFaultHasAPhaseAndAReasonAndLeavesNothing is the fault table. Each
// row: the run says what it must and ends in time, the next one on the healed
// database succeeds, and then no socket is open at either end and, because a
// bubble waits for them, no goroutine is left.
func TestEveryFaultHasAPhaseAndAReasonAndLeavesNothing(t *testing.T) {
	rows := table()
	lines := make([]string, len(rows))
	t.Run("rows", func(t *testing.T) {
		for i, r := range rows {
			t.Run(r.name()+"/"+r.probe.Name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) { lines[i] = r.play(t) })
			})
		}
	})
	t.Logf("%d rows\n%s", len(rows), tabulated(lines))
}

func (r row) name() string {
	name := r.fault
	if len(name) > 40 {
		name = fmt.Sprintf("%.40s… %d bytes", name, len(name)/2)
	}
	if r.over == overTLS {
		name += " over TLS"
	}
	return name
}

// play plays a row, and returns its line of the table.
func (r row) play(t *testing.T) string {
	room := enter(t, r.probe, r.over, simulator.Options{})
	fault, err := simulator.ParseFault(r.fault)
	if err != nil {
		t.Fatal(err)
	}
	if slices.Contains(holding, r.probe) && isCall(fault.At) { // the fault meets a session that is held
		if o := room.run(); o.failure != nil {
			t.Fatalf("before the fault: %v", o.failure)
		}
	}
	if err := room.server.SetFault(fault); err != nil {
		t.Fatal(err)
	}
	o := room.run()
	o.want(t, r.phase, r.reason, room.timeout)
	room.server.ClearFault()
	if next := room.run(); next.failure != nil {
		t.Errorf("the next run, on the healed database: %v", next.failure)
	}
	room.leave(t)
	return o.line(r.name(), r.probe.Name)
}

// want checks what a run came to, and that it ended in time.
func (o outcome) want(t *testing.T, phase link.Phase, reason link.Reason, timeout time.Duration) {
	t.Helper()
	want := outcome{}
	if reason != "" {
		want.failure = &link.Failure{Phase: phase, Reason: reason}
	}
	if o.String() != want.String() {
		t.Errorf("%s (%v), want %s", o, o.failure, want)
	}
	if o.after > timeout+patience {
		t.Errorf("ended after %s, its timeout is %s", o.after, timeout)
	}
	if o.failure != nil && strings.ContainsAny(o.failure.Error(), "\n\r") {
		t.Errorf("the error is more than one line: %q", o.failure)
	}
}

// line is a line of the table: case, probe, phase, reason, ended after.
func (o outcome) line(what, probe string) string {
	phase, reason := "", "success"
	if o.failure != nil {
		phase, reason = string(o.failure.Phase), string(o.failure.Reason)
	}
	return fmt.Sprintf("%s\t%s\t%s\t%s\t%s", what, probe, phase, reason, o.after.Round(time.Millisecond))
}

// tabulated is the table with its columns aligned.
func tabulated(lines []string) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "case\tprobe\tphase\treason\tended after")
	for _, l := range lines {
		fmt.Fprintln(w, l)
	}
	_ = w.Flush() // a strings.Builder takes everything
	return b.String()
}

// isCall tells whether a step is one of a session that is there.
func isCall(step simulator.Step) bool {
	return slices.Index(simulator.Steps(), step) > slices.Index(simulator.Steps(), simulator.StepSession)
}

// A held session is logged off when its probe is closed. A database that says
// nothing then costs two seconds, of the pool's own or of whoever closes.
func TestClosingAProbeEndsWhateverTheLogoffMeets(t *testing.T) {
	const grace = 2 * time.Second
	for _, d := range holding {
		for _, e := range everywhere {
			t.Run(d.Name+"/"+e.action, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					room := enter(t, d, plain, simulator.Options{})
					if o := room.run(); o.failure != nil {
						t.Fatal(o.failure)
					}
					play(t, room.server, "logoff:"+e.action)
					ctx, cancel := context.WithTimeout(context.Background(), grace)
					defer cancel()
					start := time.Now()
					if err := room.probe.Close(ctx); err == nil {
						t.Error("the logoff is said to have worked")
					}
					if took := time.Since(start); took > grace {
						t.Errorf("closing took %s", took)
					}
					room.leave(t)
				})
			})
		}
	}
}
