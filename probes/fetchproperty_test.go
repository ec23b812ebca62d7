package probes

import (
	"context"
	"database/sql/driver"
	"fmt"
	"math"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"oranet_exporter/link"
	"oranet_exporter/simulator"
)

const (
	propertySessions = 20 // each with an arraysize of its own
	propertyRuns     = 50 // on each session
)

// world is what a run of the property test is told to be.
type world struct {
	rows          int
	rowBytes      int
	rtt           time.Duration
	bitsPerSecond int64
	server        time.Duration // of the execute
	client        time.Duration // with the last row
}

// randomWorld draws every quantity evenly on a logarithmic scale. A full answer
// is more than a TCP segment, and a segment takes less than 1 ms: what cannot
// be told apart otherwise has a test of its own.
func randomWorld(r *rand.Rand) world {
	between := func(low, high float64) float64 { return low * math.Pow(high/low, r.Float64()) }
	return world{
		rows:          int(between(1, 2000)),
		rowBytes:      int(between(64, 400)),
		rtt:           time.Duration(between(0.5e6, 100e6)),
		bitsPerSecond: int64(between(20e6, 10e9)),
		server:        time.Duration(between(1e3, 1e9)),
		client:        time.Duration(between(1e3, 1e9)),
	}
}

// The clock of a synctest bubble moves only by what the path, the simulated
// database and this test's client are told to take. So the components must be
// what was told, on however busy a machine.
func TestFetchComponentsAreWhatTheWorldWasTold(t *testing.T) {
	for name, target := range map[string]newTarget{"plain": targetInMemory, "TLS": targetInMemoryOverTLS} {
		for i := range propertySessions {
			t.Run(fmt.Sprint(name, i), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { fetchInRandomWorlds(t, rand.New(rand.NewPCG(3, uint64(i))), target) })
			})
		}
	}
}

type newTarget func(*testing.T, *pathInMemory, simulator.Options) *link.Link

func fetchInRandomWorlds(t *testing.T, r *rand.Rand, target newTarget) {
	var server atomic.Int64
	path := newPathInMemory()
	l := target(t, path, simulator.Options{ServerTime: func(text string) time.Duration {
		return onlyPayload(time.Duration(server.Load()))(text)
	}})
	arraysize := int(30 * math.Pow(60, r.Float64()))
	session, _, err := l.Open(context.Background(), arraysize)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close(context.Background())
	for range propertyRuns {
		w := randomWorld(r)
		path.set(w.rtt, w.bitsPerSecond)
		server.Store(int64(w.server))
		name := fmt.Sprintf("arraysize %d, %+v", arraysize, w)
		fetchInWorld(t, name, session, w)
	}
}

func fetchInWorld(t *testing.T, name string, session *link.Session, w world) {
	ctx := context.Background()
	ping, err := shortestPing(ctx, session)
	if err != nil {
		t.Fatal(err)
	}
	check := serverCheck{session: session}
	if err := check.begin(ctx, payloadQuery(w.rowBytes), payloadBinds(w.rowBytes, 1)); err != nil {
		t.Fatal(err)
	}
	seen := 0
	f, err := session.Fetch(ctx, payloadQuery(w.rowBytes), payloadBinds(w.rowBytes, w.rows), func([]driver.Value) {
		if seen++; seen == w.rows {
			time.Sleep(w.client)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	told, err := check.end(ctx, f.Closing)
	if err != nil {
		t.Fatal(err)
	}
	if told.counts.RoundTrips != int64(f.Counts.RoundTrips) {
		t.Errorf("%s: %d round trips, V$MYSTAT says %d", name, f.Counts.RoundTrips, told.counts.RoundTrips)
	}
	want := components{
		network:  trips(f.Counts, w.rtt),
		server:   w.server,
		transfer: onWire(f.Counts.Received, w.bitsPerSecond),
		client:   w.client,
	}
	times := tripTimes{ping: ping, connect: w.rtt}
	rest := takeApart(f.Elapsed, f.Counts, times.ping)
	expectComponents(t, name+", without V$SQL", rest, want, f.Elapsed)
	if rest.client != want.client {
		t.Errorf("%s: client is %v, want %v", name, rest.client, want.client)
	}
	decided, ok := rest.toldByServer(*told.busy, f.Counts, times)
	if !ok {
		t.Errorf("%s: V$SQL says %v, which was refused", name, *told.busy)
	}
	expectComponents(t, name+", with V$SQL", decided, want, f.Elapsed)
	if off := (decided.server - want.server).Abs(); off > time.Microsecond { // ELAPSED_TIME's unit
		t.Errorf("%s: V$SQL makes the server's part %v, want %v", name, decided.server, want.server)
	}
}

// expectComponents demands that the components sum to the elapsed time to the
// nanosecond, and that each is within 5 % or 1 ms of what was told.
func expectComponents(t *testing.T, name string, got, want components, elapsed time.Duration) {
	t.Helper()
	if sum := got.network + got.server + got.transfer + got.client; sum != elapsed {
		t.Errorf("%s: the components sum to %v, elapsed is %v", name, sum, elapsed)
	}
	for _, c := range []struct {
		component string
		got, want time.Duration
	}{
		{"network", got.network, want.network},
		{"server", got.server, want.server},
		{"transfer", got.transfer, want.transfer},
		{"client", got.client, want.client},
	} {
		if off := (c.got - c.want).Abs(); c.got < 0 || off > max(c.want/20, time.Millisecond) {
			t.Errorf("%s: %s is %v, it was told to take %v", name, c.component, c.got, c.want)
		}
	}
}
