package faults

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"oranet_exporter/link"
	"oranet_exporter/link/linktest"
	"oranet_exporter/probes"
	"oranet_exporter/simulator"
	"oranet_exporter/simulator/wallet"
)

const manyRuns = 10_000

// mixed are faults that fail a run at once, from the first packet to the last;
// those before the logon, which costs a hundred times as much, come more often.
var mixed = []struct {
	fault string
	every int // of so many runs one meets it
}{
	{"fetch:reset", 2000}, {"ping:close", 1000}, {"execute:error=3113", 1000}, {"auth_two:error=18", 500}, {"session:truncate", 500},
	{"auth_one:garbage", 100}, {"data_types:close", 75}, {"protocol:length=7", 60}, {"connect:silence", 40}, {"accept:silence", 40},
	{"connect:resend=0", 20}, {"services:reset", 10}, {"connect:redirect=(ADDRESS=(HOST=127.0.0.1)(PORT=1))", 7},
	{"connect:error=12514", 4}, {"connect:garbage", 3}, {"accept:reset", 2}, {"accept:close", 1},
}

// faultOf is the fault of the nth run.
func faultOf(n int) string {
	for _, m := range mixed {
		if n%m.every == 0 {
			return m.fault
		}
	}
	return ""
}

// TestTenThousandFailingRunsLeaveNothing is on real sockets: descriptors are
// the process's own, of both ends.
func TestTenThousandFailingRunsLeaveNothing(t *testing.T) {
	made, err := wallet.Generate(filepath.Join(t.TempDir(), "wallet"), walletOptions)
	if err != nil {
		t.Fatal(err)
	}
	server, err := simulator.Start(simulator.Options{ListenAddress: "127.0.0.1:0", TLSListenAddress: "127.0.0.1:0",
		TLSConfig: made.Server, Password: password})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	cfg := link.Config{User: "PROBE", Password: linktest.Secret(t, password), WalletLocation: made.Dir}
	var held []probes.Probe
	for _, dsn := range []string{server.Addr(), "tcps://" + server.TLSAddr()} {
		cfg.DSN = dsn + "/" + service
		l, err := link.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range asking {
			held = append(held, d.New(l, options(d)))
		}
	}
	// Every twentieth run is over TLS, which costs more.
	order, failed := rand.New(rand.NewPCG(1, 2)), 0
	some := func(n int) probes.Probe {
		i := order.IntN(len(asking))
		if n%20 == 0 {
			i += len(asking)
		}
		return held[i]
	}
	run := func(n int) {
		play(t, server, faultOf(n))
		timeout := time.Minute
		if n%40 == 0 { // the silent ones
			timeout = time.Millisecond
		}
		ctx, cancel := context.WithTimeout(context.Background(), timeout)
		defer cancel()
		if some(n).Run(ctx, new(probes.Samples)) != nil {
			failed++
		}
	}
	run(1)
	before := settled(server, usage{}, time.Second)
	for n := 0; failed < manyRuns; n++ {
		run(n)
	}
	for _, p := range held {
		_ = p.Close(context.Background()) // a pool keeps a goroutine of its own until then
	}
	after := settled(server, before, 30*time.Second)
	t.Logf("%d runs failed; before: %v; after: %v", failed, before, after)
	if after.goroutines > before.goroutines || after.descriptors > before.descriptors {
		t.Errorf("%v have become %v", before, after)
	}
}

// usage is what must not grow.
type usage struct{ goroutines, descriptors int }

func (u usage) String() string {
	return fmt.Sprintf("%d goroutines, %d descriptors", u.goroutines, u.descriptors)
}

func use() usage {
	entries, _ := os.ReadDir("/proc/self/fd") // 0 where there is none
	return usage{runtime.NumGoroutine(), len(entries)}
}

// settled waits until no connection is open and no more is used than before,
// for as long as it is given, and returns what is used.
func settled(server *simulator.Server, before usage, patience time.Duration) usage {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if u := use(); server.Truth().ConnectionsOpen == 0 && u.goroutines <= before.goroutines && u.descriptors <= before.descriptors {
			return u
		}
	}
	return use()
}
