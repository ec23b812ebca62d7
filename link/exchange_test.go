package link

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode"

	"github.com/goccy/go-yaml"
	"go.uber.org/goleak"

	"oranet_exporter/link/tns"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// listener answers each connection with a script and counts those left open.
type listener struct {
	net.Listener
	open atomic.Int64
}

// listen starts a peer that plays script on every connection.
func listen(t *testing.T, script func(p *peer)) *listener {
	t.Helper()
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &listener{Listener: inner}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := inner.Accept()
			if err != nil {
				return
			}
			l.open.Add(1)
			go func() {
				defer l.open.Add(-1)
				defer conn.Close()
				script(&peer{conn})
				_, _ = io.Copy(io.Discard, conn) // until the client closes
			}()
		}
	}()
	t.Cleanup(func() {
		_ = inner.Close()
		<-done
		for deadline := time.Now().Add(10 * time.Second); l.open.Load() > 0; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Errorf("%d sockets were left open", l.open.Load())
				return
			}
		}
	})
	return l
}

// peer is the listener's end of one connection.
type peer struct{ net.Conn }

// connect reads a CONNECT and its overflowing data.
func (p *peer) connect() (header []byte, data string) {
	h, packet, err := readPacket(p)
	if err != nil || h.Type != tns.Connect {
		return nil, ""
	}
	length, offset := int(binary.BigEndian.Uint16(packet[24:])), int(binary.BigEndian.Uint16(packet[26:]))
	if len(packet) >= offset+length {
		return packet, string(packet[offset : offset+length])
	}
	_, more, err := readPacket(p)
	if err != nil {
		return nil, ""
	}
	return packet, string(more[tns.DataHeaderSize:])
}

// send writes a packet with a right header.
func (p *peer) send(kind tns.Type, flags byte, body []byte) {
	packet := make([]byte, tns.HeaderSize, tns.HeaderSize+len(body))
	binary.BigEndian.PutUint16(packet, uint16(tns.HeaderSize+len(body)))
	packet[4], packet[5] = byte(kind), flags
	_, _ = p.Write(append(packet, body...))
}

func (p *peer) accept(version, sdu int) {
	_, _ = p.Write(tns.Acceptance{Version: version, SDU: sdu, TDU: 2097152 >> 6}.Bytes())
}

func (p *peer) refuse(text string) {
	p.send(tns.Refuse, 0, append([]byte{34, 0, byte(len(text) >> 8), byte(len(text))}, text...))
}

// redirect sends the text in the packet or in a DATA packet behind it.
func (p *peer) redirect(text string, behind bool) {
	length := []byte{byte(len(text) >> 8), byte(len(text))}
	if !behind {
		p.send(tns.Redirect, tns.FlagConnectData, append(length, text...))
		return
	}
	p.send(tns.Redirect, tns.FlagConnectData, length)
	p.send(tns.Data, 0, append([]byte{0, 0}, text...))
}

func descriptorOf(address string) string {
	host, port, _ := net.SplitHostPort(address)
	return "(DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=" + host + ")(PORT=" + port + "))(CONNECT_DATA=(SERVICE_NAME=svc)(SERVER=POOLED)))"
}

func mustLink(t *testing.T, cfg Config) *Link {
	t.Helper()
	l, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func within(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	t.Cleanup(cancel)
	return ctx
}

func wantFailure(t *testing.T, err error, phase Phase, reason Reason) {
	t.Helper()
	var f *Failure
	if !errors.As(err, &f) {
		t.Fatalf("error %v (%T) is no Failure, want %s/%s", err, err, phase, reason)
	}
	if f.Phase != phase || f.Reason != reason {
		t.Fatalf("%s/%s (%v), want %s/%s", f.Phase, f.Reason, err, phase, reason)
	}
}

func TestNegotiateReportsWhatTheListenerGrants(t *testing.T) {
	l := listen(t, func(p *peer) {
		header, data := p.connect()
		if sdu := binary.BigEndian.Uint32(header[58:]); sdu != 65536 {
			t.Errorf("asked for an SDU of %d", sdu)
		}
		if !strings.Contains(data, "(SERVER=POOLED)") {
			t.Errorf("SERVER was lost from %s", data)
		}
		p.accept(319, 32768)
	})
	a, err := mustLink(t, Config{DSN: descriptorOf(l.Addr().String())}).Negotiate(within(t, time.Minute), 65536)
	if err != nil {
		t.Fatal(err)
	}
	if a.Accepted.SDU != 32768 || a.RequestedSDU != 65536 || a.RoundTrips != 2 || a.Dials != 1 {
		t.Errorf("SDU %d of %d in %d round trips and %d dials, want 32768 of 65536 in 2 (TCP, CONNECT) and 1",
			a.Accepted.SDU, a.RequestedSDU, a.RoundTrips, a.Dials)
	}
}

func TestResendIsAnsweredAndCostsARoundTrip(t *testing.T) {
	l := listen(t, func(p *peer) {
		_, first := p.connect()
		p.send(tns.Resend, 0, nil)
		if _, second := p.connect(); second != first {
			t.Errorf("sent %q again as %q", first, second)
		}
		p.accept(314, 8192)
	})
	a, err := mustLink(t, Config{DSN: descriptorOf(l.Addr().String())}).Negotiate(within(t, time.Minute), 8192)
	if err != nil {
		t.Fatal(err)
	}
	if a.Resends != 1 || a.RoundTrips != 3 || a.Accepted.Version != 314 {
		t.Errorf("%d resends, %d round trips, version %d; want 1, 3, 314", a.Resends, a.RoundTrips, a.Accepted.Version)
	}
}

func TestListenersThatMisbehaveBecomeAPhaseAndAReason(t *testing.T) {
	for _, c := range []struct {
		name   string
		script func(*peer)
		reason Reason
	}{
		{"RESEND without end", func(p *peer) {
			for {
				if h, _ := p.connect(); h == nil {
					return
				}
				p.send(tns.Resend, 0, nil)
			}
		}, ReasonProtocol},
		{"HTTP", func(p *peer) { p.connect(); _, _ = p.Write([]byte("HTTP/1.1 400 Bad Request\r\n\r\n")) }, ReasonProtocol},
		{"header of length 7", func(p *peer) { p.connect(); _, _ = p.Write([]byte{0, 7, 0, 0, 2, 0, 0, 0}) }, ReasonProtocol},
		{"ACCEPT of 8 bytes", func(p *peer) { p.connect(); p.send(tns.Accept, 0, nil) }, ReasonProtocol},
		{"ACCEPT with an SDU of 0", func(p *peer) { p.connect(); p.accept(319, 0) }, ReasonProtocol},
		{"MARKER out of turn", func(p *peer) { p.connect(); p.send(tns.Marker, 0, []byte{1, 0, 1}) }, ReasonProtocol},
		{"REFUSE of 8 bytes", func(p *peer) { p.connect(); p.send(tns.Refuse, 0, nil) }, ReasonListenerRefused},
		{"REDIRECT to nowhere", func(p *peer) { p.connect(); p.redirect("nonsense", false) }, ReasonProtocol},
		{"closed in answer to CONNECT", func(p *peer) { p.connect(); _ = p.Close() }, ReasonPeerClosed},
		{"silence", func(p *peer) { p.connect() }, ReasonTimeout},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := listen(t, c.script)
			timeout := time.Minute
			if c.reason == ReasonTimeout {
				timeout = 200 * time.Millisecond
			}
			_, err := mustLink(t, Config{DSN: descriptorOf(l.Addr().String())}).Negotiate(within(t, timeout), 8192)
			wantFailure(t, err, PhaseTNS, c.reason)
		})
	}
}

func TestRedirectsAreFollowedWithTheirConnectData(t *testing.T) {
	for _, behind := range []bool{false, true} {
		var redirected atomic.Bool
		next := listen(t, func(p *peer) {
			header, data := p.connect()
			redirected.Store(header != nil && header[5] == tns.FlagRedirected && data == "(DESCRIPTION=(CONNECT_DATA=(SERVICE_NAME=there)))")
			p.accept(319, 8192)
		})
		host, port, _ := net.SplitHostPort(next.Addr().String())
		first := listen(t, func(p *peer) {
			p.connect()
			p.redirect("(ADDRESS=(PROTOCOL=TCP)(HOST="+host+")(PORT="+port+"))\x00(DESCRIPTION=(CONNECT_DATA=(SERVICE_NAME=there)))", behind)
		})
		a, err := mustLink(t, Config{DSN: descriptorOf(first.Addr().String())}).Negotiate(within(t, time.Minute), 8192)
		if err != nil {
			t.Fatal(err)
		}
		if a.Redirects != 1 || a.Dials != 2 || !redirected.Load() {
			t.Errorf("text behind = %v: %d redirects, %d dials, connect data kept: %v", behind, a.Redirects, a.Dials, redirected.Load())
		}
		if a.Address != next.Addr().String() {
			t.Errorf("accepted by %s, want where it was redirected to, %s", a.Address, next.Addr())
		}
	}
}

func TestAListenerThatRedirectsToItselfCostsFourDials(t *testing.T) {
	l := listen(t, func(p *peer) {
		host, port, _ := net.SplitHostPort(p.LocalAddr().String())
		p.connect()
		p.redirect("(ADDRESS=(PROTOCOL=TCP)(HOST="+host+")(PORT="+port+"))", false)
	})
	a, err := mustLink(t, Config{DSN: descriptorOf(l.Addr().String())}).Negotiate(within(t, time.Minute), 8192)
	wantFailure(t, err, PhaseTNS, ReasonRedirectLoop)
	if a.Dials != 4 {
		t.Errorf("%d dials, want 4", a.Dials)
	}
}

// refusal is what a listener said, and what it must become.
type refusal struct {
	Payload string
	Phase   Phase
	Reason  Reason
}

func TestRefusalsBecomeReasons(t *testing.T) {
	for _, c := range slices.Concat(sharedRefusals(t), []refusal{
		{"(DESCRIPTION=(TMP=)(VSNNUM=318767104)(ERR=12505)(ERROR_STACK=(ERROR=(CODE=12505)(EMFI=4))))", PhaseTNS, ReasonUnknownService},
		{"(description=(err=12516)(error_stack=(error=(code=12516)(emfi=4))))", PhaseTNS, ReasonNoHandler},
		{"( DESCRIPTION = ( ERR = 12518 ) )", PhaseTNS, ReasonNoHandler},
		{"(DESCRIPTION=(ERR=01034))", PhaseTNS, ReasonDBUnavailable},
		{"(DESCRIPTION=(ERR=0)(ERROR_STACK=(ERROR=(CODE=12514))))", PhaseTNS, ReasonUnknownService},
		{"(DESCRIPTION=(ERROR_STACK=(ERROR=(CODE=0))(ERROR=(CODE=12528))))", PhaseTNS, ReasonDBUnavailable},
		{"(ERROR_STACK=(ERROR=(CODE=12564)(EMFI=4))(ERROR=(CODE=12514)))", PhaseTNS, ReasonListenerRefused},
		{"(DESCRIPTION=(ERR=99999))", PhaseTNS, ReasonORAOther},
		{"(DESCRIPTION=(ERR=1234567))", PhaseTNS, ReasonListenerRefused}, // no code has seven digits
		{"(DESCRIPTION=(ERR=-12514))", PhaseTNS, ReasonListenerRefused},
		{"(DESCRIPTION=(ERR=12514)(ERROR_STACK=(ERR", PhaseTNS, ReasonUnknownService},
		{"ORA-12514: TNS:listener does not currently know of service", PhaseTNS, ReasonListenerRefused}, // no text is read
		{"\x00\x1b[2J\xff(ERR=12529)\r\n", PhaseTNS, ReasonACLDenied},
		{strings.Repeat("(", 4000) + "(ERR=12519)", PhaseTNS, ReasonNoHandler},
	}) {
		l := listen(t, func(p *peer) { p.connect(); p.refuse(c.Payload) })
		_, err := mustLink(t, Config{DSN: descriptorOf(l.Addr().String())}).Negotiate(within(t, time.Minute), 8192)
		wantFailure(t, err, c.Phase, c.Reason)
		if text := err.Error(); len(text) > 500 || strings.ContainsFunc(text, unicode.IsControl) {
			t.Errorf("the error is no short line: %q", text)
		}
	}
}

// sharedRefusals are the cases from real life, where they are beside this checkout.
func sharedRefusals(t *testing.T) (cases []refusal) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "shared", "cases", "refuse.yaml"))
	if err != nil {
		t.Logf("no real-life cases beside this checkout: %v", err)
		return nil
	}
	if err := yaml.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	return cases
}

func TestConnectTellsRefusedFromSilent(t *testing.T) {
	l := listen(t, func(*peer) {})
	address := l.Addr().String()
	_ = l.Close()
	_, err := mustLink(t, Config{DSN: descriptorOf(address)}).Connect(within(t, time.Minute))
	wantFailure(t, err, PhaseTCP, ReasonRefused)

	hang := func(ctx context.Context, _, _ string) (net.Conn, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	_, err = mustLink(t, Config{DSN: descriptorOf(address), Dial: hang}).Connect(within(t, 50*time.Millisecond))
	wantFailure(t, err, PhaseTCP, ReasonTimeout)

	_, err = mustLink(t, Config{DSN: "no-such-host.invalid/svc"}).Connect(within(t, time.Minute))
	wantFailure(t, err, PhaseResolve, ReasonDNS)
}

func TestTheNextAddressIsTriedWhenOneRefuses(t *testing.T) {
	gone := listen(t, func(*peer) {})
	goneAddress := gone.Addr().String()
	_ = gone.Close()
	l := listen(t, func(p *peer) { p.connect(); p.accept(319, 8192) })
	a, err := mustLink(t, Config{DSN: goneAddress + "," + l.Addr().String() + "/svc"}).Negotiate(within(t, time.Minute), 8192)
	if err != nil || a.Dials != 2 || a.Address != l.Addr().String() {
		t.Errorf("%d dials, accepted by %q, error %v; want 2, %s and none", a.Dials, a.Address, err, l.Addr())
	}
}

func TestUsageCountsEveryByteOfEveryAttempt(t *testing.T) {
	l := listen(t, func(p *peer) { p.connect(); p.accept(319, 8192) })
	var u Usage
	view := mustLink(t, Config{DSN: descriptorOf(l.Addr().String())}).For(&u)
	if _, err := view.Negotiate(within(t, time.Minute), 8192); err != nil {
		t.Fatal(err)
	}
	if u.Received() != 41 || u.Sent() == 0 {
		t.Errorf("received %d bytes, sent %d; want the 41 of the ACCEPT, and some", u.Received(), u.Sent())
	}
	if n := len(u.TakeAttempts()); n != 1 {
		t.Errorf("%d attempts recorded, want 1", n)
	}
	if n := len(u.TakeAttempts()); n != 0 {
		t.Errorf("%d attempts recorded twice", n)
	}
}
