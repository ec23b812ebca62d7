// The web endpoint: listeners and routes.

package exporter

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"regexp"

	"github.com/go-kit/log"
	"github.com/go-kit/log/level"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	toolkit "github.com/prometheus/exporter-toolkit/web"
	"golang.org/x/net/netutil"

	"oranet_exporter/exporter/status"
)

// listen checks the web configuration and binds the addresses.
func (e *Exporter) listen() error {
	if e.opts.WebConfigFile != "" {
		if err := toolkit.Validate(e.opts.WebConfigFile); err != nil {
			return fmt.Errorf("web configuration %s: %w", e.opts.WebConfigFile, err)
		}
	}
	if !telemetryPath.MatchString(e.opts.TelemetryPath) || reservedPath[e.opts.TelemetryPath] {
		return fmt.Errorf("the telemetry path %q cannot be served; give one like /metrics that no other page has", e.opts.TelemetryPath)
	}
	for _, address := range e.opts.ListenAddresses {
		if address == "" {
			return errors.New("a listen address is empty; give one like :9522")
		}
		l, err := net.Listen("tcp", address)
		if err != nil {
			e.closeListeners()
			return fmt.Errorf("cannot listen: %w", err)
		}
		e.listeners = append(e.listeners, l)
	}
	return nil
}

// telemetryPath is a path without anything that http.ServeMux would interpret.
var telemetryPath = regexp.MustCompile(`^(/[A-Za-z0-9._~-]+)+$`)

var reservedPath = map[string]bool{"/probe": true, status.TargetPath: true, "/config": true, "/-/healthy": true, "/-/ready": true, "/-/reload": true}

func (e *Exporter) closeListeners() {
	for _, l := range e.listeners {
		_ = l.Close()
	}
}

// serve begins to answer on every listener. failed gets what a server died of.
func (e *Exporter) serve(ctx context.Context) (failed <-chan error) {
	errs := make(chan error, len(e.listeners))
	flags := &toolkit.FlagConfig{WebConfigFile: &e.opts.WebConfigFile}
	logger := slog.New(newSlogHandler(log.With(e.logger, "component", "web")))
	for _, l := range e.listeners {
		// One server each: the toolkit wraps a server's handler as it starts.
		server := e.server(ctx)
		server.ErrorLog = slog.NewLogLogger(logger.Handler(), slog.LevelWarn)
		e.servers = append(e.servers, server)
		e.serving.Go(func() {
			if err := toolkit.Serve(netutil.LimitListener(l, maxConnections), server, flags, logger); !errors.Is(err, http.ErrServerClosed) {
				errs <- err
			}
		})
	}
	return errs
}

// server answers, within its limits, until it is closed. The end of ctx ends
// the runs on demand that are on.
func (e *Exporter) server(ctx context.Context) *http.Server {
	return &http.Server{
		Handler:           e.handler(),
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ReadHeaderTimeout: readTimeout,
		ReadTimeout:       readTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
	}
}

// closeWeb ends the servers. Requests that are on have drainTime to end.
func (e *Exporter) closeWeb() {
	ctx, cancel := context.WithTimeout(context.Background(), drainTime)
	defer cancel()
	for _, server := range e.servers {
		e.serving.Go(func() {
			if server.Shutdown(ctx) != nil {
				_ = server.Close()
			}
		})
	}
	e.serving.Wait()
	e.closeListeners() // those whose server did not get as far as serving
}

// handler routes requests.
func (e *Exporter) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET "+e.opts.TelemetryPath, promhttp.HandlerFor(e.gatherer, promhttp.HandlerOpts{
		EnableOpenMetrics:   true,
		MaxRequestsInFlight: maxScrapes,
		ErrorHandling:       promhttp.ContinueOnError,
		ErrorLog:            scrapeErrors{e.logger},
	}))
	pages := e.pages()
	mux.HandleFunc("GET /{$}", pages.Fleet)
	mux.HandleFunc("GET "+status.TargetPath, pages.Target)
	mux.HandleFunc("GET /probe", unlimited(e.probeNow))
	mux.HandleFunc("GET /config", e.showConfig)
	mux.HandleFunc("GET /-/healthy", e.healthy)
	mux.HandleFunc("GET /-/ready", e.isReady)
	mux.HandleFunc("POST /-/reload", e.reloadNow)
	if e.opts.EnablePprof {
		mux.HandleFunc("GET /debug/pprof/", pprof.Index)
		mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
		mux.HandleFunc("GET /debug/pprof/profile", unlimited(pprof.Profile))
		mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
		mux.HandleFunc("GET /debug/pprof/trace", unlimited(pprof.Trace))
	}
	return secured(inTime(http.NewCrossOriginProtection().Handler(mux)))
}

// secured adds the headers that keep a browser from doing more with a page
// than showing it.
func secured(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

// healthy tells that the process answers.
func (e *Exporter) healthy(w http.ResponseWriter, _ *http.Request) {
	fmt.Fprintln(w, "healthy")
}

// isReady tells that the configuration is loaded and probes are scheduled. It
// does not wait for their first runs: a database that is down must not take
// the exporter that says so out of service.
func (e *Exporter) isReady(w http.ResponseWriter, _ *http.Request) {
	if !e.ready.Load() {
		http.Error(w, "not ready: starting or stopping", http.StatusServiceUnavailable)
		return
	}
	fmt.Fprintln(w, "ready")
}

// reloadNow reloads the configuration.
func (e *Exporter) reloadNow(w http.ResponseWriter, _ *http.Request) {
	if !e.opts.EnableLifecycle {
		http.Error(w, "not allowed; start with --web.enable-lifecycle, or send SIGHUP", http.StatusForbidden)
		return
	}
	if err := e.Reload(); err != nil {
		http.Error(w, "the old configuration stays in force: "+err.Error(), http.StatusInternalServerError)
		return
	}
	fmt.Fprintln(w, "reloaded")
}

// showConfig shows the configuration in force; secrets are only named.
func (e *Exporter) showConfig(w http.ResponseWriter, _ *http.Request) {
	var cfg Config
	for _, t := range e.fleet.targets() {
		cfg.Targets = append(cfg.Targets, t.config)
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	fmt.Fprint(w, cfg.Redacted())
}

// scrapeErrors logs what promhttp complains of.
type scrapeErrors struct{ logger log.Logger }

// Println logs an error, unless it is that the scraper has gone: that is one
// for each family that was left to write, and no fault here.
func (s scrapeErrors) Println(v ...any) {
	for _, part := range v {
		var gone *net.OpError
		if err, ok := part.(error); ok && errors.As(err, &gone) {
			level.Debug(s.logger).Log("msg", "a scraper gave up", "err", err)
			return
		}
	}
	level.Error(s.logger).Log("msg", "a scrape was incomplete", "err", fmt.Sprint(v...))
}
