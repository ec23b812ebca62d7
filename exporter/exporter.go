// Package exporter is what runs for ever: it reads the configuration, runs
// every target's probes on their clock, keeps what they measure in memory and
// serves it.
//
// Data goes one way: a slot comes, a job runs its probe, the result goes to the
// target's series, its history and the log. A scrape reads memory only.
package exporter

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-kit/log"
	"github.com/go-kit/log/level"

	"oranet_exporter/probes"
)

// stopGrace is how long a target has to stop, at the end or when a reload
// removes it: its runs have finishGrace to end by themselves, because one that
// is broken off leaves a session without a logoff.
const (
	stopGrace   = 1500 * time.Millisecond
	finishGrace = time.Second
)

// Options are what the command line, or the demo, says.
type Options struct {
	ConfigFile string  // read at the start and at every reload
	Config     *Config // instead of ConfigFile; then there is nothing to reload

	Probes          []*probes.Definition // nil: probes.All
	ListenAddresses []string
	WebConfigFile   string           // TLS and basic auth, as exporter-toolkit has them; optional
	TelemetryPath   string           // "/metrics" if empty
	EnableLifecycle bool             // POST /-/reload
	Hangup          <-chan os.Signal // each signal reloads the configuration
	EnablePprof     bool             // /debug/pprof
	Logger          log.Logger
}

// Exporter probes targets and serves what it measured.
type Exporter struct {
	opts      Options
	logger    log.Logger
	fleet     fleet
	scheduler *scheduler
	reloads   reloads
	gatherer  *sharedGatherer
	listeners []net.Listener
	servers   []*http.Server
	serving   sync.WaitGroup
	ready     atomic.Bool

	reloading sync.Mutex     // held while the fleet changes
	accounts  accounts       // that its targets log on as
	stopped   bool           // the fleet does not change any more
	retiring  sync.WaitGroup // targets that a reload removed
}

// New loads the configuration and binds the listening addresses, so that what
// is wrong with either is known before anything runs. Run must follow: it
// closes what New opened.
func New(opts Options) (*Exporter, error) {
	if opts.Probes == nil {
		opts.Probes = probes.All
	}
	if opts.TelemetryPath == "" {
		opts.TelemetryPath = "/metrics"
	}
	if opts.Logger == nil {
		opts.Logger = log.NewNopLogger()
	}
	e := &Exporter{opts: opts, logger: opts.Logger, scheduler: newScheduler(), reloads: newReloads(), accounts: accounts{}}
	e.gatherer = &sharedGatherer{Gatherer: newRegistry(&e.fleet, e.reloads)}
	cfg, err := e.config()
	if err != nil {
		return nil, err
	}
	if err := e.listen(); err != nil {
		return nil, err
	}
	if err := e.apply(cfg); err != nil {
		e.closeListeners()
		return nil, err
	}
	return e, nil
}

// Addresses are where the exporter listens, also if it was asked for port 0.
func (e *Exporter) Addresses() []net.Addr {
	var list []net.Addr
	for _, l := range e.listeners {
		list = append(list, l.Addr())
	}
	return list
}

// Run serves and probes until ctx ends, then logs every session off. Its error
// says why it could not go on; the end of ctx is none.
func (e *Exporter) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	failed := e.serve(ctx)
	var running sync.WaitGroup
	running.Go(func() { e.scheduler.run(ctx) })
	e.ready.Store(true)
	err := e.wait(ctx, failed)
	e.ready.Store(false)
	cancel()
	running.Go(e.closeWeb)
	e.retire()
	running.Wait()
	return err
}

// retire stops every target for good.
func (e *Exporter) retire() {
	e.reloading.Lock()
	defer e.reloading.Unlock()
	e.stopped = true
	for _, t := range e.fleet.targets() {
		e.scheduler.remove(t.jobs) // nothing that waits begins any more
	}
	e.stop(e.fleet.targets())
	e.retiring.Wait()
}

// wait returns when the exporter has to stop.
func (e *Exporter) wait(ctx context.Context, failed <-chan error) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-failed:
			return fmt.Errorf("the web endpoint failed: %w", err)
		case <-e.opts.Hangup:
			_ = e.Reload() // logged, and shown in a metric
		}
	}
}

// Reload reads the configuration again. Targets that did not change go on with
// their sessions and series. Those held back are tried again, except with a
// password that was refused and is still the same. If the file is wrong
// everything stays as it is.
func (e *Exporter) Reload() error {
	e.reloading.Lock()
	defer e.reloading.Unlock()
	if e.stopped {
		return errors.New("the exporter is stopping")
	}
	cfg, err := e.config()
	if err == nil {
		err = e.apply(cfg)
	}
	if err != nil {
		e.reloads.successful.Set(0)
		level.Error(e.logger).Log("msg", "the configuration was not reloaded, the old one stays in force", "err", err)
		return err
	}
	level.Info(e.logger).Log("msg", "the configuration was reloaded", "targets", len(cfg.Targets))
	return nil
}

func (e *Exporter) config() (*Config, error) {
	if e.opts.Config != nil {
		return e.opts.Config, e.opts.Config.Validate()
	}
	if e.opts.ConfigFile == "" {
		return nil, errors.New("there is no configuration; name a file")
	}
	return LoadConfig(e.opts.ConfigFile, e.opts.Probes)
}

// apply makes cfg what runs: all of it, or on an error nothing.
func (e *Exporter) apply(cfg *Config) error {
	var next, added []*live
	for _, t := range cfg.Targets {
		same, err := e.unchanged(t)
		if same != nil {
			next = append(next, same)
			continue
		}
		var fresh *live
		if err == nil {
			fresh, err = newLive(t, e.accounts.of(t.Link), e.fleet.target(t.Name), e.logger)
		}
		if err != nil {
			e.stop(added)
			return fmt.Errorf("target %s: %w", t.Name, err)
		}
		next, added = append(next, fresh), append(added, fresh)
	}
	kept := map[*live]bool{}
	for _, t := range next {
		kept[t] = true
		t.forgive()
	}
	var removed []*live
	for _, t := range e.fleet.targets() {
		if !kept[t] {
			removed = append(removed, t)
			e.scheduler.remove(t.jobs)
		}
	}
	e.accounts.reloaded(next)
	e.fleet.replace(next)
	for _, t := range added {
		for _, note := range t.link.Notes() {
			level.Info(t.logger).Log("msg", note, "target", t.config.Name)
		}
		e.scheduler.add(t.jobs)
	}
	e.tellHeldBack()
	e.reloads.successful.Set(1)
	e.reloads.successTime.SetToCurrentTime()
	e.retiring.Go(func() { e.stop(removed) })
	return nil
}

// tellHeldBack logs which passwords a reload has found to be the refused ones.
func (e *Exporter) tellHeldBack() {
	for _, t := range e.fleet.targets() {
		if left := t.account.left(time.Now()); left > 0 {
			level.Warn(t.logger).Log("msg", "the password that was refused has not been replaced; it is not tried again yet",
				"target", t.config.Name, "wait", left.Round(time.Second))
		}
	}
}

// unchanged returns the target that runs, if neither its configuration nor the
// files that it names have changed.
func (e *Exporter) unchanged(t *Target) (*live, error) {
	old := e.fleet.target(t.Name)
	if old == nil || !reflect.DeepEqual(old.config, t) {
		return nil, nil
	}
	changed, err := old.link.Changed()
	if changed || err != nil {
		return nil, err
	}
	return old, nil
}

// stop stops targets side by side.
func (e *Exporter) stop(targets []*live) {
	ctx, cancel := context.WithTimeout(context.Background(), stopGrace)
	defer cancel()
	var wg sync.WaitGroup
	for _, t := range targets {
		wg.Go(func() { t.stop(ctx) })
	}
	wg.Wait()
}
