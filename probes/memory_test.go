package probes

import (
	"context"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"oranet_exporter/link"
	"oranet_exporter/link/linktest"
	"oranet_exporter/simulator"
	"oranet_exporter/simulator/wallet"
)

// pathInMemory is a network between two ends in one process that takes exactly
// the time it was told to, by package time: in a synctest bubble nothing else
// passes any time, so that what is measured on it can be held to the
// nanosecond. It carries TCP's segments; all else about it is ideal.
type pathInMemory struct {
	rtt           atomic.Int64 // nanoseconds
	bitsPerSecond atomic.Int64 // of each direction
	dialled       chan net.Conn
	closed        chan struct{}
	carrying      sync.WaitGroup
}

// segmentSize is what arrives at a time: a TCP segment over Ethernet.
const segmentSize = 1460

// windowSegments is how much may be under way in a direction.
const windowSegments = 4096

func newPathInMemory() *pathInMemory {
	p := &pathInMemory{dialled: make(chan net.Conn), closed: make(chan struct{})}
	p.set(time.Millisecond, 1e9)
	return p
}

func (p *pathInMemory) set(rtt time.Duration, bitsPerSecond int64) {
	p.rtt.Store(int64(rtt))
	p.bitsPerSecond.Store(bitsPerSecond)
}

// DialContext connects to whoever listens; the handshake takes a round trip.
func (p *pathInMemory) DialContext(context.Context, string, string) (net.Conn, error) {
	time.Sleep(time.Duration(p.rtt.Load()))
	client, near := net.Pipe()
	far, server := net.Pipe()
	p.carrying.Go(func() { p.carry(near, far) })
	p.carrying.Go(func() { p.carry(far, near) })
	p.dialled <- server
	return client, nil
}

// carry takes what is written at one end to the other.
func (p *pathInMemory) carry(from, to net.Conn) {
	type segment struct {
		data []byte
		due  time.Time
	}
	underWay := make(chan segment, windowSegments)
	p.carrying.Go(func() {
		defer to.Close()
		for s := range underWay {
			time.Sleep(time.Until(s.due))
			_, _ = to.Write(s.data) // who has closed wants nothing any more
		}
	})
	defer close(underWay)
	for free := time.Now(); ; {
		buf := make([]byte, segmentSize)
		n, err := from.Read(buf)
		if err != nil {
			return
		}
		if now := time.Now(); free.Before(now) {
			free = now
		}
		free = free.Add(onWire(int64(n), p.bitsPerSecond.Load()))
		underWay <- segment{buf[:n], free.Add(time.Duration(p.rtt.Load() / 2))}
	}
}

// onWire is how long bytes take at a bandwidth.
func onWire(bytes, bitsPerSecond int64) time.Duration {
	return time.Duration(float64(bytes) * 8 / float64(bitsPerSecond) * float64(time.Second))
}

// Listen returns the path itself: there is one listener.
func (p *pathInMemory) Listen(string, string) (net.Listener, error) { return p, nil }

func (p *pathInMemory) Accept() (net.Conn, error) {
	select {
	case c := <-p.dialled:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pathInMemory) Close() error {
	close(p.closed)
	return nil
}

func (p *pathInMemory) Addr() net.Addr {
	return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1521}
}

// onlyPayload is a ServerTime: of the fetch probe's own query.
func onlyPayload(d time.Duration) func(string) time.Duration {
	return func(text string) time.Duration {
		if strings.Contains(text, "standard_hash") {
			return d
		}
		return 0
	}
}

// targetInMemory starts a simulated database behind a path in memory, which
// ends with the test, and returns a link to it.
func targetInMemory(t *testing.T, p *pathInMemory, o simulator.Options) *link.Link {
	t.Helper()
	_, l := serverInMemory(t, p, o)
	return l
}

// serverInMemory is the same, and returns the database, too.
func serverInMemory(t *testing.T, p *pathInMemory, o simulator.Options) (*simulator.Server, *link.Link) {
	t.Helper()
	o.ListenAddress = "memory"
	server := startInMemory(t, p, o)
	return server, newLink(t, link.Config{DSN: server.Addr() + "/FREEPDB1", Dial: p.DialContext,
		User: "PROBE", Password: linktest.Secret(t, memoryPassword)})
}

// targetInMemoryOverTLS is the same with mutual TLS.
func targetInMemoryOverTLS(t *testing.T, p *pathInMemory, o simulator.Options) *link.Link {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "wallet")
	made, err := wallet.Generate(dir, wallet.Options{Hosts: []string{"127.0.0.1"}, Password: "Wallet_1234", Key: wallet.ECP256})
	if err != nil {
		t.Fatal(err)
	}
	o.TLSListenAddress, o.TLSConfig = "memory", made.Server
	return newLink(t, link.Config{DSN: "tcps://" + startInMemory(t, p, o).TLSAddr() + "/FREEPDB1", Dial: p.DialContext,
		User: "PROBE", Password: linktest.Secret(t, memoryPassword), WalletLocation: dir})
}

const memoryPassword = "Plain_1234"

func startInMemory(t *testing.T, p *pathInMemory, o simulator.Options) *simulator.Server {
	t.Helper()
	o.Listen, o.Password = p.Listen, memoryPassword
	server, err := simulator.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Close()
		p.carrying.Wait()
	})
	return server
}
