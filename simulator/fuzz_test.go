// Whatever a client sends, from its first byte or behind the log-on.
package simulator

import (
	"bytes"
	"database/sql"
	"encoding/hex"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"oranet_exporter/simulator/tns"
	"oranet_exporter/simulator/ttc"
)

// recording is a client that sends what it was made of, reads on for a while, and goes.
type recording struct {
	net.Conn
	sent io.Reader
	room int // what it still reads
}

var errGone = errors.New("the client is gone")

func (r *recording) Read(p []byte) (int, error) { return r.sent.Read(p) }

func (r *recording) Write(p []byte) (int, error) {
	if r.room -= len(p); r.room < 0 {
		return 0, errGone
	}
	return len(p), nil
}

func (r *recording) Close() error                     { return nil }
func (r *recording) SetDeadline(time.Time) error      { return nil }
func (r *recording) SetReadDeadline(time.Time) error  { return nil }
func (r *recording) SetWriteDeadline(time.Time) error { return nil }

func play(sent []byte) *recording { return &recording{sent: bytes.NewReader(sent), room: 1 << 20} }

func fuzzedServer(f *testing.F) *Server {
	f.Helper()
	server, err := Start(Options{ListenAddress: "127.0.0.1:0"})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = server.Close() })
	return server
}

// FuzzSession sends a logged-on session any payload in a DATA packet of its own, cut anywhere into a second one.
func FuzzSession(f *testing.F) {
	for _, text := range calls {
		seed, _ := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
		f.Add(seed, uint16(len(seed)))
		f.Add(seed, uint16(len(seed)/2))
	}
	server := fuzzedServer(f)
	f.Fuzz(func(t *testing.T, b []byte, cut uint16) {
		if len(b) > 8000 {
			t.Skip("one packet is enough")
		}
		at := min(int(cut), len(b))
		m := server.ledger.started(false, time.Now())
		s := newSession(server, newTransport(m, play(slices.Concat(dataPacket(b[:at]), dataPacket(b[at:])))), nil)
		s.phase, s.agreement, s.id, s.user = phaseReady, ttc.Agreement{FieldVersion: 11, UniversalSB1: true}, sessionBase, "PROBE"
		if err := s.conn.WriteAccept(tns.AcceptReply{Version: 318, SDU: 8192, TDU: 8192}); err != nil {
			t.Fatal(err)
		}
		if err := s.run(); err == nil {
			t.Error("the session ended without a reason")
		}
		server.ledger.finished(m, "", false)
	})
}

// FuzzConnection sends anything from the first byte on: a whole connection of go-ora, changed.
func FuzzConnection(f *testing.F) {
	server := fuzzedServer(f)
	whole := recordClient(f, server)
	f.Add(whole)
	for _, packets := range []int{1, 2, 3, 4, 5, 6} {
		f.Add(firstPackets(whole, packets))
	}
	f.Add([]byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n"))
	f.Add([]byte{0x16, 3, 1, 0, 200, 1, 0, 0, 196, 3, 3}) // a TLS ClientHello
	f.Fuzz(func(t *testing.T, b []byte) {
		m := server.ledger.started(false, time.Now())
		if how := serveConnection(server, m, play(b), nil); how == "" {
			t.Error("the connection ended without a reason")
		}
		server.ledger.finished(m, "", false)
	})
}

// firstPackets cuts a client's stream behind so many packets; the lengths behind CONNECT have 32 bits.
func firstPackets(stream []byte, n int) []byte {
	at := 0
	for i := range n {
		if len(stream) < at+8 {
			break
		}
		length := int(stream[at])<<8 | int(stream[at+1])
		if i > 0 && length == 0 {
			length = int(stream[at+2])<<8 | int(stream[at+3])
		}
		at += length
	}
	return stream[:min(at, len(stream))]
}

// recordClient returns all that go-ora says from CONNECT to log-off.
func recordClient(f *testing.F, server *Server) []byte {
	f.Helper()
	var said bytes.Buffer
	c := newClient(server)
	c.dial = func(conn net.Conn) net.Conn { return tappedConn{conn, &said} }
	db := sql.OpenDB(c)
	db.SetMaxOpenConns(1)
	var got string
	if err := db.QueryRow("select 'X' from dual where 1 = :1", 1).Scan(&got); err != nil {
		f.Fatal(err)
	}
	if err := db.Close(); err != nil {
		f.Fatal(err)
	}
	return said.Bytes()
}

// tappedConn keeps what is written to it.
type tappedConn struct {
	net.Conn
	said *bytes.Buffer
}

func (c tappedConn) Write(p []byte) (int, error) {
	c.said.Write(p)
	return c.Conn.Write(p)
}
