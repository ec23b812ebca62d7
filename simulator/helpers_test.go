// What the tests share: a server that must not have broken down, a go-ora client, and a socket that counts.
package simulator

import (
	"context"
	"crypto/tls"
	"database/sql"
	"database/sql/driver"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	go_ora "github.com/sijms/go-ora/v2"
	"github.com/sijms/go-ora/v2/configurations"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// clientTimeout keeps a test from hanging when the simulator does not answer; nothing else depends on it.
const clientTimeout = 30 * time.Second

// startServer starts a server that is closed when the test ends, and fails the test if a session of it broke down.
func startServer(t *testing.T, o Options) *Server {
	t.Helper()
	if o.ListenAddress == "" && o.TLSListenAddress == "" {
		o.ListenAddress = "127.0.0.1:0"
	}
	server, err := Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
		for _, c := range server.Truth().Connections {
			if strings.HasPrefix(c.Ended, brokeDown) {
				t.Errorf("connection %d: %s", c.Number, c.Ended)
			}
		}
	})
	return server
}

// client is a go-ora client of the simulator. Its fields override the defaults.
type client struct {
	address, service, user, password string
	sdu                              uint32
	arraysize                        int
	tls                              *tls.Config
	dial                             func(net.Conn) net.Conn
}

// Connect opens a session; client is a driver.Connector, so that database/sql can pool it.
func (c client) Connect(ctx context.Context) (driver.Conn, error) {
	config, err := go_ora.ParseConfig("oracle://" + c.address + "/" + c.service)
	if err != nil {
		return nil, err
	}
	config.UserID, config.Password = c.user, c.password
	config.Timeout = clientTimeout
	if c.sdu != 0 {
		config.SessionDataUnitSize = c.sdu
	}
	if c.arraysize != 0 {
		config.PrefetchRows = c.arraysize
	}
	if c.tls != nil {
		config.Protocol, config.SSL, config.TLSConfig = "tcps", true, c.tls
	}
	if c.dial != nil {
		config.RegisterDial(func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
			if err != nil {
				return nil, err
			}
			return c.dial(conn), nil
		})
	}
	return c.open(ctx, config)
}

func (c client) open(ctx context.Context, config *configurations.ConnectionConfig) (driver.Conn, error) {
	conn, err := go_ora.NewConnection("", config)
	if err != nil {
		return nil, err
	}
	return conn, conn.OpenWithContext(ctx)
}

func (c client) Driver() driver.Driver { return go_ora.NewDriver() }

// newClient returns a client with the server's own user.
func newClient(server *Server) client {
	return client{address: server.Addr(), service: "FREEPDB1", user: "probe", password: "probe"}
}

// openPool returns a database/sql pool of one session.
func openPool(t *testing.T, c client) *sql.DB {
	t.Helper()
	db := sql.OpenDB(c)
	db.SetMaxOpenConns(1)
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// countingSocket counts a client's own view of its socket.
type countingSocket struct {
	net.Conn
	received, sent, roundTrips atomic.Int64
	wrote                      atomic.Bool
}

func (c *countingSocket) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.received.Add(int64(n))
	if n > 0 && c.wrote.CompareAndSwap(true, false) {
		c.roundTrips.Add(1)
	}
	return n, err
}

func (c *countingSocket) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.sent.Add(int64(n))
	c.wrote.Store(true)
	return n, err
}

// eventually waits until a condition holds that another goroutine makes true.
func eventually(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(clientTimeout); !condition(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within %v", what, clientTimeout)
		}
	}
}

// slowly makes a statement that calls itself slow take for ever.
func slowly(text string) time.Duration {
	if strings.Contains(text, "slow") {
		return time.Hour
	}
	return 0
}
