// What the exporter says it put on the link, held against what the database
// saw, and what TLS adds to it.

package e2e

import (
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"oranet_exporter/exporter"
	"oranet_exporter/simulator"
	"oranet_exporter/simulator/wallet"
)

func TestLinkBytesAreWhatTheDatabaseSaw(t *testing.T) {
	server, err := simulator.Start(simulator.Options{ListenAddress: "127.0.0.1:0", Password: "Plain_1234"})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	sent, received := probedBytes(t, fmt.Sprintf(`{dsn: "%s/FREEPDB1", name: orders, user: PROBE, password_file: probe}`, server.Addr()))
	truth := settled(server, sent)
	t.Logf("link_bytes_total: %d sent, %d received; the database received %d and sent %d", sent, received, truth.BytesReceived, truth.BytesSent)
	if sent != truth.BytesReceived || received != truth.BytesSent {
		t.Error("they are not the same")
	}
	if truth.NetBytesReceived != truth.BytesReceived || truth.NetBytesSent != truth.BytesSent {
		t.Error("plain TCP carries something beside Oracle Net")
	}
}

// Sizes of TLS 1.3 (RFC 8446, 5.1 to 5.3): a record's header, and what is
// added to the content of an encrypted one: its type and the tag of AES-GCM.
const (
	recordHeader = 5
	sealed       = 1 + 16
	// closeNotify is an alert of two bytes, encrypted: the last record of each
	// side, which the other may close without reading.
	closeNotify = recordHeader + 2 + sealed
)

func TestUnderTLSLinkBytesDifferByFramingAndHandshakeAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "wallet")
	made, err := wallet.Generate(dir, wallet.Options{Hosts: []string{"127.0.0.1"}, Password: "Wallet_1234", Key: wallet.ECP256})
	if err != nil {
		t.Fatal(err)
	}
	seen := new(tally)
	server, err := simulator.Start(simulator.Options{
		TLSListenAddress: "127.0.0.1:0", TLSConfig: made.Server, Password: "Plain_1234", Listen: seen.listen})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	sent, received := probedBytes(t, fmt.Sprintf(
		`{dsn: "tcps://%s/FREEPDB1", name: orders, user: PROBE, password_file: probe, wallet_location: %s}`, server.TLSAddr(), dir))
	handshakes := seen.handshakes()
	truth := settled(server, sent-closeNotify*handshakes)
	for _, c := range []struct {
		direction         string
		ours, saw, inside int64
		records, framed   int64
	}{
		{"sent", sent, truth.BytesReceived, truth.NetBytesReceived, seen.read.sealed, seen.read.framing()},
		{"received", received, truth.BytesSent, truth.NetBytesSent, seen.written.sealed, seen.written.framing()},
	} {
		greeting := c.saw - c.inside - c.framed
		t.Logf("%s: link_bytes_total %d, on the database's socket %d, Oracle Net %d; %d of framing in %d encrypted records, %d a handshake (%d handshakes)",
			c.direction, c.ours, c.saw, c.inside, c.framed, c.records, greeting/handshakes, handshakes)
		if off := c.saw - c.ours; off < -closeNotify*handshakes || off > closeNotify*handshakes || off%closeNotify != 0 {
			t.Errorf("%s: off by %d bytes, which is no number of unread close_notify alerts", c.direction, off)
		}
		// A hello and a certificate with its signature: an elliptic curve's are short.
		if each := greeting / handshakes; each < 500 || each > 4000 {
			t.Errorf("%s: %d bytes a handshake are neither framing nor Oracle Net", c.direction, each)
		}
	}
}

// probedBytes runs each default probe of the target once on demand and returns
// what the exporter says it sent and received.
func probedBytes(t *testing.T, target string) (sent, received int64) {
	t.Helper()
	url := serve(t, exporter.Options{ConfigFile: configFile(t, `
probes:
  tcp:        {interval: 24h}
  round_trip: {interval: 24h}
  pool:       {interval: 24h}
  connect:    {interval: 24h}
  sdu:        {interval: 24h}
  fetch:      {interval: 24h}
targets:
  - `+target)})
	scrape(t, strings.Replace(url, "/metrics", "/probe?target=orders", 1))
	f := scrape(t, url)
	for _, m := range f["oranet_link_bytes_total"].GetMetric() {
		for _, l := range m.GetLabel() {
			switch {
			case l.GetName() == "direction" && l.GetValue() == "sent":
				sent += int64(m.GetCounter().GetValue())
			case l.GetName() == "direction":
				received += int64(m.GetCounter().GetValue())
			}
		}
	}
	return sent, received
}

// settled is the truth once the database has read that many bytes, the last of
// them after the client had closed.
func settled(server *simulator.Server, received int64) simulator.Truth {
	return truthWhen(server, func(truth simulator.Truth) bool {
		// Two sessions stay: round_trip's and the pool's.
		return truth.ConnectionsOpen == 2 && truth.BytesReceived >= received
	})
}

// tally counts the TLS records of all of a listener's connections.
type tally struct {
	mu            sync.Mutex
	read, written records
	greeted       int64
}

// records are those of one direction.
type records struct{ plain, sealed int64 }

func (r records) framing() int64 {
	return r.plain*recordHeader + r.sealed*(recordHeader+sealed)
}

func (a *tally) handshakes() int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.greeted
}

func (a *tally) listen(network, address string) (net.Listener, error) {
	l, err := net.Listen(network, address)
	return tallied{l, a}, err
}

type tallied struct {
	net.Listener
	tally *tally
}

func (l tallied) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &talliedConn{Conn: c, tally: l.tally}, nil
}

// talliedConn follows the records in each direction.
type talliedConn struct {
	net.Conn
	tally         *tally
	read, written follower
}

func (c *talliedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.tally.mu.Lock()
	defer c.tally.mu.Unlock()
	if n > 0 && !c.read.begun {
		c.tally.greeted++
	}
	c.read.follow(b[:n], &c.tally.read)
	return n, err
}

func (c *talliedConn) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	c.tally.mu.Lock()
	defer c.tally.mu.Unlock()
	c.written.follow(b[:n], &c.tally.written)
	return n, err
}

// follower finds the records in a stream that comes in pieces.
type follower struct {
	header []byte // of the record that is passing
	left   int    // of its content
	begun  bool
}

// applicationData is the type that every encrypted record bears (RFC 8446, 5.2).
const applicationData = 23

func (f *follower) follow(b []byte, r *records) {
	f.begun = f.begun || len(b) > 0
	for len(b) > 0 {
		if f.left > 0 {
			n := min(f.left, len(b))
			f.left, b = f.left-n, b[n:]
			continue
		}
		f.header, b = append(f.header, b[0]), b[1:]
		if len(f.header) < recordHeader {
			continue
		}
		if f.header[0] == applicationData {
			r.sealed++
		} else {
			r.plain++
		}
		f.left, f.header = int(f.header[3])<<8|int(f.header[4]), f.header[:0]
	}
}
