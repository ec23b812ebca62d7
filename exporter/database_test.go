// A simulated database at the other end of a path in memory, so that what
// logs on for hours does so in a synctest bubble.

package exporter

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"oranet_exporter/link"
	"oranet_exporter/probes"
	"oranet_exporter/simulator"
)

// database is one simulated database after another at the same address.
type database struct {
	t        *testing.T
	password string // file

	mute atomic.Bool  // swallows what carries the password, so that no answer comes
	slow atomic.Int64 // nanoseconds for which it is held up

	mu     sync.Mutex
	server *simulator.Server
	path   memoryPath
	denied atomic.Int64 // logons, by servers before this one, or for all that the client knows
}

// newDatabase starts one whose user's password is correct; the file that the
// target names holds written.
func newDatabase(t *testing.T, correct, written string) *database {
	d := &database{t: t, password: filepath.Join(t.TempDir(), "probe")}
	d.write(written)
	d.start(correct)
	t.Cleanup(func() { _ = d.server.Close() })
	return d
}

// write puts another password into the file.
func (d *database) write(password string) {
	d.t.Helper()
	if err := os.WriteFile(d.password, []byte(password+"\n"), 0o600); err != nil {
		d.t.Fatal(err)
	}
}

func (d *database) start(password string) {
	d.t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.path = memoryPath{make(chan net.Conn), make(chan struct{})}
	server, err := simulator.Start(simulator.Options{ListenAddress: "memory", Password: password,
		Listen: func(string, string) (net.Listener, error) { return d.path, nil }})
	if err != nil {
		d.t.Fatal(err)
	}
	d.server = server
}

// change ends every session and gives the user another password.
func (d *database) change(password string) {
	_ = d.server.Close()
	d.denied.Add(d.server.Truth().LogonFailures)
	d.start(password)
}

// logonsDenied is how often a wrong password has been tried.
func (d *database) logonsDenied() int64 { return d.denied.Load() + d.server.Truth().LogonFailures }

func (d *database) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	d.mu.Lock()
	path := d.path
	d.mu.Unlock()
	near, far := net.Pipe()
	select {
	case path.dialled <- far:
		return &mutedConn{Conn: near, database: d}, nil
	case <-path.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// target logs on to the database by every probe that does.
func (d *database) target(name string) *Target {
	t := NewTarget(name, link.Config{DSN: "127.0.0.1:1521/FREEPDB1", User: "PROBE",
		Password: link.Secret{File: d.password}, Dial: d.dial}, probes.All)
	for i := range t.Probes {
		p := &t.Probes[i]
		p.Enabled = p.Definition.Logon
		if o, ok := p.Options.(*probes.FetchOptions); ok {
			o.Rows, o.Arraysize = 10, []probes.Arraysize{10}
		}
	}
	return t
}

// memoryPath is a listener that is dialled over a channel.
type memoryPath struct {
	dialled chan net.Conn
	closed  chan struct{}
}

func (p memoryPath) Accept() (net.Conn, error) {
	select {
	case c := <-p.dialled:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p memoryPath) Close() error   { close(p.closed); return nil }
func (p memoryPath) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1521} }

// mutedConn loses the call that carries the password if its database is mute,
// and holds it up if it is slow.
type mutedConn struct {
	net.Conn
	database *database
}

func (c *mutedConn) Write(p []byte) (int, error) {
	const message, function = 10, 11 // behind the header of a DATA packet
	if len(p) > function && p[message] == 3 && p[function] == 0x73 {
		if c.database.mute.Load() {
			c.database.denied.Add(1)
			return len(p), nil
		}
		time.Sleep(time.Duration(c.database.slow.Load()))
	}
	return c.Conn.Write(p)
}

// again calls do at that interval until the time is over.
func again(interval, total time.Duration, do func(n int)) {
	for n := range int(total / interval) {
		time.Sleep(interval)
		do(n)
	}
}
