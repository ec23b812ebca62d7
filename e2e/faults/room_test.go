// Package faults holds every probe against every way in which a peer can be
// hostile or broken: what a run says of it, when it ends, and what is left.
package faults

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"oranet_exporter/link"
	"oranet_exporter/link/linktest"
	"oranet_exporter/probes"
	"oranet_exporter/simulator"
	"oranet_exporter/simulator/wallet"
)

// walletDir holds the wallet that all rooms share.
var walletDir string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "faults")
	if err != nil {
		panic(err)
	}
	walletDir = dir
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		_ = os.RemoveAll(dir)
		os.Exit(code)
	}))
}

const (
	password = "Plain_1234"
	service  = "FREEPDB1"
)

// room is a simulated database on a network in memory, and one probe of it. It
// lives in a synctest bubble.
type room struct {
	network *network
	over    transport
	server  *simulator.Server
	probe   probes.Probe
	timeout time.Duration
}

// transport is what Oracle Net speaks over.
type transport bool

const (
	plain   transport = false
	overTLS transport = true
)

// enter makes a room.
func enter(t *testing.T, d *probes.Definition, over transport, database simulator.Options) *room {
	t.Helper()
	r := &room{network: newNetwork(), over: over, timeout: d.Default.Timeout}
	cfg := link.Config{User: "PROBE", Password: linktest.Secret(t, password), Dial: r.network.DialContext}
	if over == overTLS {
		cfg.WalletLocation = certificates(t).Dir
	}
	r.server = start(t, r.network, over, database)
	cfg.DSN = "tcp://127.0.0.1:1521/" + service
	if over == overTLS {
		cfg.DSN = "tcps://127.0.0.1:1521/" + service
	}
	l, err := link.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	r.probe = d.New(l, options(d))
	return r
}

// start starts a simulated database on a network.
func start(t *testing.T, n *network, over transport, o simulator.Options) *simulator.Server {
	t.Helper()
	o.Password, o.Listen = password, n.Listen
	if over == overTLS {
		o.TLSListenAddress, o.TLSConfig = "memory", certificates(t).Server.Clone()
	} else {
		o.ListenAddress = "memory"
	}
	server, err := simulator.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	return server
}

// options are a probe's own, made small.
func options(d *probes.Definition) probes.Options {
	if d.Options == nil {
		return nil
	}
	o := d.Options()
	switch o := o.(type) {
	case *probes.FetchOptions:
		o.Arraysize, o.Rows = []probes.Arraysize{100}, 300
	case *probes.SDUOptions:
		o.Requested = []int{8192}
	}
	return o
}

var walletOptions = wallet.Options{Hosts: []string{"127.0.0.1"}, Password: "Wallet_1234", Key: wallet.ECP256}

var sharedWallet struct {
	sync.Once
	*wallet.Wallet
}

// certificates are the same for all rooms: the clock of every bubble starts at
// the same instant.
func certificates(t *testing.T) *wallet.Wallet {
	t.Helper()
	sharedWallet.Do(func() {
		var err error
		sharedWallet.Wallet, err = wallet.Generate(filepath.Join(walletDir, "wallet"), walletOptions)
		if err != nil {
			t.Fatal(err)
		}
	})
	return sharedWallet.Wallet
}

// outcome is what a run came to.
type outcome struct {
	failure *link.Failure // nil: success
	after   time.Duration
}

func (o outcome) String() string {
	if o.failure == nil {
		return "success"
	}
	return string(o.failure.Phase) + "/" + string(o.failure.Reason)
}

// run runs the probe once, as the exporter does.
func (r *room) run() outcome {
	ctx, cancel := context.WithTimeout(context.Background(), r.timeout)
	defer cancel()
	start := time.Now()
	err := r.probe.Run(ctx, new(probes.Samples))
	o := outcome{after: time.Since(start)}
	if err != nil {
		o.failure = link.Classify(ctx, link.PhaseQuery, err)
	}
	return o
}

// leave closes the probe and the database, and wants no socket to be open at
// either end before that.
func (r *room) leave(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if err := r.probe.Close(ctx); err != nil {
		t.Errorf("the probe's end: %v", err)
	}
	time.Sleep(100 * time.Millisecond) // a trickling database notices with its next byte
	synctest.Wait()
	r.network.empty(t)
	if err := r.server.Close(); err != nil {
		t.Error(err)
	}
}

// empty wants no socket to be open.
func (n *network) empty(t *testing.T) {
	t.Helper()
	if ours, theirs := n.ends[clientEnd].Load(), n.ends[serverEnd].Load(); ours != 0 || theirs != 0 {
		t.Errorf("%d sockets of ours and %d of the database are open", ours, theirs)
	}
}
