// healthcheck: is the exporter on this machine alive? For container health
// checks, which have neither curl nor the password of basic auth.

package command

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/alecthomas/kingpin/v2"
)

const (
	healthTimeout = 3 * time.Second
	healthURL     = "http://127.0.0.1:9522/-/healthy"
)

type healthcheck struct{ url string }

// Healthcheck registers the command.
func Healthcheck(cmd *kingpin.CmdClause) Run {
	h := new(healthcheck)
	cmd.Flag("url", "Where the exporter's health is told.").Default(healthURL).StringVar(&h.url)
	return h.run
}

func (h *healthcheck) run(ctx context.Context, stdout, stderr io.Writer) int {
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, h.url, nil)
	if err != nil || request.URL.Host == "" || request.URL.Scheme != "http" && request.URL.Scheme != "https" {
		return Complain(stderr, Usage, errors.New("--url is no web address; give one such as "+healthURL))
	}
	client := &http.Client{Transport: &http.Transport{
		// It asks whether its own neighbour is alive, not who it is: the
		// certificate names the exporter's public name, not the loopback.
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
	}}
	response, err := client.Do(request)
	if err != nil {
		return Complain(stderr, Failed, err)
	}
	defer response.Body.Close()
	// With basic auth on, 401 comes from a process that is alive all the same.
	if response.StatusCode != http.StatusOK && response.StatusCode != http.StatusUnauthorized {
		return Complain(stderr, Failed, fmt.Errorf("%s answered %s", h.url, response.Status))
	}
	fmt.Fprintln(stdout, "healthy")
	return OK
}
