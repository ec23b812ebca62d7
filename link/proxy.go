// The HTTP proxy of https_proxy: a CONNECT request, then a tunnel. The
// environment's HTTPS_PROXY and NO_PROXY are not looked at, as by Oracle's thin
// drivers: a proxy that somebody set for other programs would be measured
// unnoticed.

package link

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"oranet_exporter/link/dsn"
)

// maxProxyAnswer bounds what a proxy may say before the tunnel stands, bytes.
const maxProxyAnswer = 64 << 10

// errNotProxy means that what answers at https_proxy is no HTTP proxy.
var errNotProxy = errors.New("no HTTP proxy answers there; check https_proxy and https_proxy_port")

// proxyRefusal is a proxy's answer that is no tunnel.
type proxyRefusal struct {
	code   int // HTTP status, 4xx or 5xx
	target string
}

func (e *proxyRefusal) Error() string {
	what := "let it allow CONNECT to that host and port"
	switch {
	case e.code == http.StatusProxyAuthRequired:
		what = "it wants a password, which is not supported: let it allow CONNECT to that host and port without"
	case e.reason() == ReasonUnreachable:
		what = "it does not reach that host and port"
	}
	status := strings.TrimSpace(fmt.Sprintf("%d %s", e.code, http.StatusText(e.code)))
	return fmt.Sprintf("the proxy answered %s for %s; %s", status, e.target, what)
}

func (e *proxyRefusal) reason() Reason {
	if e.code >= http.StatusInternalServerError {
		return ReasonUnreachable
	}
	return ReasonACLDenied
}

// tunnel asks the proxy at the other end of w for a tunnel to address.
func (o *opening) tunnel(w *wire, address dsn.Address) error {
	target := address.HostPort()
	if _, err := fmt.Fprintf(w, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n", target, target); err != nil {
		return err
	}
	code, err := proxyStatus(w)
	switch {
	case err != nil:
		return err
	case code/100 == 2:
		return nil
	case code/100 == 4 || code/100 == 5:
		return &proxyRefusal{code, target}
	}
	return fmt.Errorf("%w (it answered CONNECT with status %d)", errNotProxy, code)
}

// proxyStatus reads a proxy's answer to CONNECT.
func proxyStatus(r io.Reader) (int, error) {
	bounded := &io.LimitedReader{R: r, N: maxProxyAnswer}
	// A listener and a TLS server both wait for the client to speak first, so
	// the buffer cannot swallow anything behind the proxy's answer. The body of
	// a refusal is not read, and closes with the socket.
	response, err := http.ReadResponse(bufio.NewReader(bounded), &http.Request{Method: http.MethodConnect})
	switch {
	case err == nil:
		return response.StatusCode, nil
	case bounded.N > 0 && (isNetwork(err) || isTimeout(err)):
		return 0, err
	}
	return 0, fmt.Errorf("%w: %w", errNotProxy, err)
}
