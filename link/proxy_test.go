package link

import (
	"bufio"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"
)

// request reads the client's CONNECT as a proxy does.
func (p *peer) request(t *testing.T) *http.Request {
	request, err := http.ReadRequest(bufio.NewReader(p))
	if err != nil {
		t.Errorf("no CONNECT: %v", err)
		return new(http.Request)
	}
	return request
}

// through is the way to db:1522 by the proxy that l plays.
func through(l *listener) Config {
	host, port, _ := net.SplitHostPort(l.Addr().String())
	number, _ := strconv.Atoi(port)
	return Config{DSN: "db.example.com:1522/svc", HTTPSProxy: host, HTTPSProxyPort: number}
}

func TestATunnelThroughAProxyIsAPhaseOfItsOwn(t *testing.T) {
	for _, answer := range []string{
		"HTTP/1.1 200 OK\r\n\r\n",
		"HTTP/1.0 200 Connection established\r\nProxy-Agent: x\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", // which RFC 9110 tells clients to ignore
		"HTTP/1.1 204 No Content\r\n\r\n",
	} {
		t.Run(answer, func(t *testing.T) {
			l := listen(t, func(p *peer) {
				if r := p.request(t); r.Method != http.MethodConnect || r.RequestURI != "db.example.com:1522" || r.Host != r.RequestURI {
					t.Errorf("asked for %s %s of host %s", r.Method, r.RequestURI, r.Host)
				}
				for i := range len(answer) { // as a proxy far away may
					_, _ = p.Write([]byte{answer[i]})
				}
				p.connect()
				p.accept(319, 8192)
			})
			a, err := mustLink(t, through(l)).Negotiate(within(t, time.Minute), 8192)
			if err != nil {
				t.Fatal(err)
			}
			if _, tcp := a.Phases[PhaseTCP]; tcp || a.Phases[PhaseProxy] <= 0 || a.Phases[PhaseTNS] <= 0 {
				t.Errorf("phases are %v, want proxy and tns and no tcp", a.Phases)
			}
			if a.Address != "db.example.com:1522" {
				t.Errorf("accepted by %s, want the database, not its proxy", a.Address)
			}
			if a.RoundTrips != 3 || a.Dials != 1 {
				t.Errorf("%d round trips, %d dials; want 3 (TCP, the proxy's answer, ACCEPT) and 1", a.RoundTrips, a.Dials)
			}
		})
	}
}

func TestProxiesThatOpenNoTunnelBecomeAReason(t *testing.T) {
	say := func(text string) func(*peer) {
		return func(p *peer) { p.request(t); _, _ = p.Write([]byte(text)) }
	}
	for _, c := range []struct {
		name   string
		script func(*peer)
		reason Reason
		says   string
	}{
		{"wants a password", say("HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"x\"\r\nContent-Length: 2000\r\n\r\n<html>"), ReasonACLDenied, "407 Proxy Authentication Required for db.example.com:1522; it wants a password"},
		{"forbids it", say("HTTP/1.1 403 Forbidden\r\n\r\n"), ReasonACLDenied, "let it allow CONNECT"},
		{"is a web server", say("HTTP/1.1 405 Method Not Allowed\r\nAllow: GET\r\n\r\n"), ReasonACLDenied, "405"},
		{"does not reach the host", say("HTTP/1.1 502 Bad Gateway\r\n\r\n"), ReasonUnreachable, "502 Bad Gateway"},
		{"gave up on the host", say("HTTP/1.1 504 Gateway Timeout\r\n\r\n"), ReasonUnreachable, "504"},
		{"has a status of its own", say("HTTP/1.1 599 \r\n\r\n"), ReasonUnreachable, "the proxy answered 599 for"},
		{"redirects", say("HTTP/1.1 302 Found\r\nLocation: http://x/\r\n\r\n"), ReasonProtocol, "302"},
		{"goes on and on", say("HTTP/1.1 100 Continue\r\n\r\n"), ReasonProtocol, "100"},
		{"speaks something else", say("-ERR unknown command 'CONNECT'\r\n"), ReasonProtocol, "check https_proxy"},
		{"speaks in control characters", say("\x1b[2J\x00\r\n\r\n"), ReasonProtocol, "check https_proxy"},
		{"has a header that is none", say("HTTP/1.1 200 OK\r\nnonsense\r\n\r\n"), ReasonProtocol, "check https_proxy"},
		{"has headers without end", func(p *peer) {
			p.request(t)
			_, err := p.Write([]byte("HTTP/1.1 200 OK\r\n"))
			for line := []byte("X: " + strings.Repeat("x", 1000) + "\r\n"); err == nil; {
				_, err = p.Write(line)
			}
		}, ReasonProtocol, "check https_proxy"},
		{"has a line without end", func(p *peer) {
			p.request(t)
			for err := error(nil); err == nil; {
				_, err = p.Write(make([]byte, 1000))
			}
		}, ReasonProtocol, "check https_proxy"},
		{"closes", func(p *peer) { p.request(t); _ = p.Close() }, ReasonPeerClosed, ""},
		{"closes in the middle", func(p *peer) { p.request(t); _, _ = p.Write([]byte("HTTP/1.1 200 OK\r\nX: y\r\n")); _ = p.Close() }, ReasonPeerClosed, ""},
		{"resets", func(p *peer) { p.request(t); _ = p.Conn.(*net.TCPConn).SetLinger(0); _ = p.Close() }, ReasonReset, ""},
		{"is silent", func(p *peer) { p.request(t) }, ReasonTimeout, ""},
		{"falls silent", say("HTTP/1.1 200 OK\r\n"), ReasonTimeout, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := listen(t, c.script)
			timeout := time.Minute
			if c.reason == ReasonTimeout {
				timeout = 200 * time.Millisecond
			}
			_, err := mustLink(t, through(l)).Negotiate(within(t, timeout), 8192)
			wantFailure(t, err, PhaseProxy, c.reason)
			if text := err.Error(); !strings.Contains(text, c.says) || strings.ContainsAny(text, "\x00\x1b\n") || !strings.Contains(text, l.Addr().String()) {
				t.Errorf("error %q, want one line that names the proxy and says %q", text, c.says)
			}
		})
	}
}

func TestAProxyThatIsNotThereIsAFailureOfItsPhase(t *testing.T) {
	l := listen(t, func(*peer) {})
	cfg := through(l)
	_ = l.Close()
	_, err := mustLink(t, cfg).Connect(within(t, time.Minute))
	wantFailure(t, err, PhaseProxy, ReasonRefused)

	cfg.HTTPSProxy = "no-such-proxy.invalid"
	_, err = mustLink(t, cfg).Connect(within(t, time.Minute))
	wantFailure(t, err, PhaseResolve, ReasonDNS)
}

func TestAnIPv6TargetGoesToTheProxyInBrackets(t *testing.T) {
	l := listen(t, func(p *peer) {
		if r := p.request(t); r.RequestURI != "[2001:db8::1]:1522" {
			t.Errorf("asked for %s", r.RequestURI)
		}
	})
	cfg := through(l)
	cfg.DSN = "[2001:db8::1]:1522/svc"
	_, err := mustLink(t, cfg).Negotiate(within(t, 200*time.Millisecond), 8192)
	wantFailure(t, err, PhaseProxy, ReasonTimeout)
}

func TestTheEnvironmentsProxyIsNotUsed(t *testing.T) {
	proxy := listen(t, func(*peer) { t.Error("the environment's proxy was dialled") })
	for _, name := range []string{"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "ALL_PROXY"} {
		t.Setenv(name, "http://"+proxy.Addr().String())
	}
	l := listen(t, func(p *peer) { p.connect(); p.accept(319, 8192) })
	if _, err := mustLink(t, Config{DSN: descriptorOf(l.Addr().String())}).Negotiate(within(t, time.Minute), 8192); err != nil {
		t.Error(err)
	}
}
