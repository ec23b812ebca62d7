// The HTTP proxy of https_proxy: a CONNECT request, then a tunnel.

package link

import (
	"bufio"
	"fmt"
	"net/http"

	"oranet_exporter/link/dsn"
)

// tunnel asks the proxy at the other end of w for a tunnel to address.
func (o *opening) tunnel(w *wire, address dsn.Address) error {
	target := address.HostPort()
	if _, err := fmt.Fprintf(w, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n", target, target); err != nil {
		return err
	}
	// A listener and a TLS server both wait for the client to speak first, so
	// the reader cannot swallow anything behind the proxy's answer.
	response, err := http.ReadResponse(bufio.NewReader(w), &http.Request{Method: http.MethodConnect})
	if err != nil {
		return fmt.Errorf("the proxy does not speak HTTP: %w", err)
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the proxy answered %s for %s", response.Status, target)
	}
	return nil
}
