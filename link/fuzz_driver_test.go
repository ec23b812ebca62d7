// Answers of a database with one byte wrong, or cut off: the driver may fail,
// but it must come back, within reason, with a Failure.

package link

import (
	"bytes"
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"oranet_exporter/link/tns"
	"oranet_exporter/simulator"
)

// tapped is a connection to a real peer whose words are kept, until another speaks in its place.
type tapped struct {
	net.Conn
	heard   bytes.Buffer
	instead io.Reader
}

func (c *tapped) Read(p []byte) (int, error) {
	if c.instead != nil {
		return c.instead.Read(p)
	}
	n, err := c.Conn.Read(p)
	c.heard.Write(p[:n])
	return n, err
}

func (c *tapped) Write(p []byte) (int, error) {
	if c.instead != nil {
		return len(p), nil
	}
	return c.Conn.Write(p)
}

func (c *tapped) SetDeadline(t time.Time) error {
	if c.Conn == nil {
		return nil
	}
	return c.Conn.SetDeadline(t)
}

func (c *tapped) Close() error {
	if c.Conn == nil {
		return nil
	}
	return c.Conn.Close()
}

// tappedDatabase is a link to a simulated database; each dial hands its connection over.
func tappedDatabase(f *testing.F, dialled func(*tapped)) *Link {
	f.Helper()
	server, err := simulator.Start(simulator.Options{ListenAddress: "127.0.0.1:0", Password: "Plain_1234"})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = server.Close() })
	secret := filepath.Join(f.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("Plain_1234"), 0o600); err != nil {
		f.Fatal(err)
	}
	l, err := New(Config{DSN: server.Addr() + "/FREEPDB1", User: "PROBE", Password: Secret{File: secret},
		Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := new(net.Dialer).DialContext(ctx, network, address)
			if err != nil {
				return nil, err
			}
			c := &tapped{Conn: conn}
			dialled(c)
			return c, nil
		}})
	if err != nil {
		f.Fatal(err)
	}
	return l
}

// checkCall fails if call allocates out of all proportion, or returns what is no Failure.
func checkCall(t *testing.T, call func() error) {
	t.Helper()
	const most = 64 << 20
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := call()
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > most {
		t.Errorf("the peer made the driver allocate %d bytes", got)
	}
	var failure *Failure
	if err != nil && !errors.As(err, &failure) {
		t.Errorf("%v (%T) is no Failure", err, err)
	}
}

// damage changes one byte of an answer and cuts its end off.
func damage(answer []byte, at uint16, b byte, end uint16) []byte {
	answer = bytes.Clone(answer)
	answer[int(at)%len(answer)] = b
	return answer[:len(answer)-int(end)%len(answer)]
}

// FuzzLogon damages what a database says behind its ACCEPT.
func FuzzLogon(f *testing.F) {
	var c *tapped
	l := tappedDatabase(f, func(dialled *tapped) { c = dialled })
	s, _, err := l.Open(f.Context(), 100)
	if err != nil {
		f.Fatal(err)
	}
	said := bytes.Clone(c.heard.Bytes())
	if err := s.Close(f.Context()); err != nil {
		f.Fatal(err)
	}
	size := int(said[0])<<8 | int(said[1])
	accepted, err := tns.ParseAccept(said[:size])
	if err != nil {
		f.Fatal(err)
	}
	var answer []byte
	l.cfg.Dial = func(context.Context, string, string) (net.Conn, error) {
		return &tapped{instead: bytes.NewReader(slices.Concat(accepted.Bytes(), answer))}, nil
	}
	f.Add(uint16(0), uint8(0), uint16(0))
	f.Fuzz(func(t *testing.T, at uint16, b uint8, end uint16) {
		answer = damage(said[size:], at, b, end)
		checkCall(t, func() error {
			s, _, err := l.Open(t.Context(), 100)
			if err == nil {
				_ = s.Close(t.Context())
			}
			return err
		})
	})
}

// FuzzFetch damages the answer to a query.
func FuzzFetch(f *testing.F) {
	const query = "select level, 'x', sysdate, hextoraw('00ff'), null from dual connect by level <= 50"
	var c *tapped
	l := tappedDatabase(f, func(dialled *tapped) { c = dialled })
	opened := func(ctx context.Context) *Session {
		s, _, err := l.Open(ctx, 100)
		if err != nil {
			f.Fatal(err)
		}
		return s
	}
	fetch := func(ctx context.Context, s *Session) error {
		_, err := s.Fetch(ctx, query, nil, func([]driver.Value) {})
		return err
	}
	s := opened(f.Context())
	c.heard.Reset()
	if err := fetch(f.Context(), s); err != nil {
		f.Fatal(err)
	}
	said := bytes.Clone(c.heard.Bytes())
	_ = s.Close(f.Context())
	f.Add(uint16(0), uint8(0), uint16(0))
	f.Fuzz(func(t *testing.T, at uint16, b uint8, end uint16) {
		s := opened(t.Context())
		c.instead = bytes.NewReader(damage(said, at, b, end))
		checkCall(t, func() error { return fetch(t.Context(), s) })
		_ = s.Close(t.Context())
	})
}
