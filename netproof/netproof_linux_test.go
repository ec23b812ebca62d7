// Package netproof holds the figures against the kernel instead of against
// ourselves: two hosts, a path between them whose round trip is known, the
// simulated database on one and the probes on the other.
package netproof

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The metrics that are compared, with the values of their labels.
const (
	tcpConnect     = "tcp_connect_seconds"
	tcpMinRTT      = "tcp_min_rtt_seconds"
	roundTrip      = "round_trip_seconds idle"
	tcpRetransmits = "tcp_retransmits_total"
)

var compared = []string{tcpConnect, tcpMinRTT, roundTrip}

// How often the probes run. On a path that loses one packet in a hundred, ten
// of the pings under loss are expected to lose their request or their answer.
const (
	connects       = 60
	pings          = 60
	pingsUnderLoss = 500
	rowsUnderLoss  = 25_000 // 5 MB
)

// finding is what was measured on one path.
type finding struct {
	injected time.Duration // the round trip that the path was told to take
	carried  time.Duration // what it took by its own clock, the waking of the reader not included
	measured measured
}

func TestFiguresAgainstTheKernel(t *testing.T) {
	lab := newLab(t)
	t.Run("they follow the injected round trip", lab.followTheInjectedRoundTrip)
	t.Run("loss shows in the retransmits", lab.lossShowsInTheRetransmits)
	t.Run("the simulator's own emulation lies above the kernel", lab.emulationLiesAboveTheKernel)
}

func (l *lab) followTheInjectedRoundTrip(t *testing.T) {
	rtts := []time.Duration{0, 5 * time.Millisecond, 10 * time.Millisecond, 50 * time.Millisecond}
	var found []finding
	for _, rtt := range rtts {
		t.Run(rtt.String(), func(t *testing.T) {
			found = append(found, l.find(t, rtt, 0))
		})
	}
	if len(found) < len(rtts) {
		return
	}
	t.Log(table(found))
	for _, name := range compared {
		for i, f := range found {
			if f.least(name) < f.injected.Seconds() {
				t.Errorf("%s of %v s is faster than the path of %v", name, f.least(name), f.injected)
			}
			if i > 0 && f.least(name) <= found[i-1].least(name) {
				t.Errorf("%s is not longer at %v than at %v", name, f.injected, found[i-1].injected)
			}
		}
		// A busy machine adds to both; what is left is the path.
		low, high := found[len(found)-2], found[len(found)-1]
		grew, injected := high.median(name)-low.median(name), (high.injected - low.injected).Seconds()
		if ratio := grew / injected; ratio < 0.75 || ratio > 1.5 {
			t.Errorf("%s grew by %.3f ms where the path grew by %.3f ms", name, 1e3*grew, 1e3*injected)
		}
	}
}

// A ping's answer acknowledges it, so the client sends again whichever of the
// two was lost. What is lost of a fetch's rows the server alone sends again.
func (l *lab) lossShowsInTheRetransmits(t *testing.T) {
	const rtt = 10 * time.Millisecond
	client, server, path := connectHosts(t, rtt, 0.01)
	db := server.simulate(l.ctx, t, l.exporter, 0)
	m := client.measure(l.ctx, t, l.measure, db.Password,
		task{DSN: db.DSN, User: db.User, Connects: connects, Pings: pingsUnderLoss, Fetches: 1, Rows: rowsUnderLoss, Arraysize: 1000})
	f := finding{rtt, path.roundTrip(), m}
	t.Log(table([]finding{f}))
	ofSession := sum(m[tcpRetransmits])
	ofClient, ofServer := client.retransmitted(l.ctx, t), server.retransmitted(l.ctx, t)
	t.Logf("lost: %d packets of the client's, %d of the server's; sent again: %v on the held session, %d by the client in all, %d by the server",
		path.up.dropped.Load(), path.down.dropped.Load(), ofSession, ofClient, ofServer)
	if ofSession < 1 || ofSession > float64(ofClient) {
		t.Errorf("%v retransmits on the held session, the client's kernel counted %d in all", ofSession, ofClient)
	}
	if ofServer < 1 {
		t.Error("5 MB went through a path with loss and the server sent nothing again")
	}
	// After a retransmission the kernel measures by TCP timestamps, which cut
	// off whole milliseconds.
	if least := f.least(tcpMinRTT); least < (rtt - time.Millisecond).Seconds() {
		t.Errorf("%s of %v s on a path of %v", tcpMinRTT, least, rtt)
	}
}

// The delay of simulate's --rtt is behind the socket: the kernel answers the
// SYN at once, and its least round trip is that one.
func (l *lab) emulationLiesAboveTheKernel(t *testing.T) {
	const emulated = 20 * time.Millisecond
	f := l.find(t, 0, emulated)
	t.Log(table([]finding{f}))
	for _, name := range []string{tcpConnect, tcpMinRTT} {
		if f.least(name) > emulated.Seconds()/2 {
			t.Errorf("%s is at least %v s: the kernel waits for what is emulated above it", name, f.least(name))
		}
	}
	if ping := f.median(roundTrip); ping < 0.95*emulated.Seconds() {
		t.Errorf("a ping takes %v s on an emulated link of %v", ping, emulated)
	}
}

// lab is what the tests need beside hosts: programs, and how long they may run.
type lab struct {
	ctx      context.Context
	exporter string // the product
	measure  string // this test, built without the race detector
}

// newLab builds the programs. It skips the test where there is no lab to have.
func newLab(t *testing.T) *lab {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("network namespaces need root")
	}
	if _, err := exec.LookPath("ip"); err != nil {
		t.Skip("network namespaces need ip, of the package iproute2")
	}
	// An interrupt, or a deadline near, ends the test and not the process: the
	// namespaces must go.
	ctx, stop := signal.NotifyContext(t.Context(), os.Interrupt, syscall.SIGTERM)
	t.Cleanup(stop)
	if deadline, ok := t.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline.Add(-10*time.Second))
		t.Cleanup(cancel)
	}
	newHost(t, "trial", clientAddress, serverAddress) // skips the test if it cannot be made
	dir := t.TempDir()
	l := &lab{ctx: ctx, exporter: filepath.Join(dir, "oranet_exporter"), measure: filepath.Join(dir, "measure")}
	build(ctx, t, l.exporter, "build", "oranet_exporter")
	build(ctx, t, l.measure, "test", "-c", "oranet_exporter/netproof")
	return l
}

// connectHosts makes two hosts on a path.
func connectHosts(t *testing.T, rtt time.Duration, loss float64) (client, server *host, p *path) {
	t.Helper()
	client = newHost(t, "client", clientAddress, serverAddress)
	server = newHost(t, "server", serverAddress, clientAddress)
	return client, server, join(t, client.device, server.device, rtt, loss)
}

// find measures on a path without loss.
func (l *lab) find(t *testing.T, injected, emulated time.Duration) finding {
	t.Helper()
	client, server, path := connectHosts(t, injected, 0)
	db := server.simulate(l.ctx, t, l.exporter, emulated)
	m := client.measure(l.ctx, t, l.measure, db.Password,
		task{DSN: db.DSN, User: db.User, Connects: connects, Pings: pings})
	return finding{injected, path.roundTrip(), m}
}

func (f finding) median(name string) float64 { return median(f.measured[name]) }
func (f finding) least(name string) float64  { return slices.Min(f.measured[name]) }

// table shows medians and, behind them, by how much they are longer than what
// was injected.
func table(found []finding) string {
	var b strings.Builder
	fmt.Fprintf(&b, "milliseconds\n%9s %9s", "injected", "carried")
	for _, name := range compared {
		fmt.Fprintf(&b, "  %27s", name)
	}
	for _, f := range found {
		fmt.Fprintf(&b, "\n%9.3f %9.3f", milliseconds(f.injected.Seconds()), milliseconds(f.carried.Seconds()))
		for _, name := range compared {
			fmt.Fprintf(&b, "  %17.3f (%+7.3f)", milliseconds(f.median(name)), milliseconds(f.median(name)-f.injected.Seconds()))
		}
	}
	return b.String()
}

func milliseconds(seconds float64) float64 { return 1e3 * seconds }

func sum(values []float64) (total float64) {
	for _, v := range values {
		total += v
	}
	return total
}
