// A target that is being probed: its link, its jobs, its series.

package exporter

import (
	"context"
	"maps"
	"sync"
	"sync/atomic"

	"github.com/go-kit/log"
	"github.com/prometheus/client_golang/prometheus"

	"oranet_exporter/exporter/status"
	"oranet_exporter/link"
	"oranet_exporter/probes"
)

// live is one running target.
type live struct {
	config   *Target
	link     *link.Link
	series   *series
	jobs     []*job // of the probes that are switched on
	account  *account
	sessions *link.Sessions
	failing  atomic.Bool // the last run that needed a session failed
	spending spending    // of its heavy probes
	budgets  budgets
	past     *status.Past // for the status pages
	logger   log.Logger
	ctx      context.Context // of its runs
	cancel   context.CancelFunc
}

// newLive makes a target ready that logs on by account; nothing runs before
// its jobs are scheduled. before is what it replaces, nil if nothing: sessions
// that are still being logged off count.
func newLive(t *Target, account *account, before *live, logger log.Logger) (*live, error) {
	l, err := link.New(t.Link)
	if err != nil {
		return nil, err
	}
	sessions := link.NewSessions(t.sessionLimit())
	if before != nil && before.sessions.Limit() == sessions.Limit() {
		sessions = before.sessions
	}
	run := &live{config: t, link: l.Guarded(account).Limited(sessions), account: account, sessions: sessions, logger: logger,
		spending: spending{allowance: t.Allowance}, budgets: budgets{list: t.Budgets}, past: status.NewPast()}
	if run.series, err = t.newSeries(t.enabled(), knownBudgets(t.Budgets)...); err != nil {
		return nil, err
	}
	for _, s := range run.budgets.start() {
		if err := run.series.record(s); err != nil {
			return nil, err
		}
	}
	run.ctx, run.cancel = context.WithCancel(context.Background())
	for _, p := range t.enabled() {
		j := newJob(run, p)
		run.jobs = append(run.jobs, j)
		run.series.add(run.gauge(probeBackoff, prometheus.Labels{"probe": j.name()}, j.backoffSeconds))
	}
	run.series.add(run.gauge(sessionsOpen, nil, func() float64 { return float64(sessions.Open()) }))
	run.series.add(run.gauge(sessionsLimit, nil, func() float64 { return float64(sessions.Limit()) }))
	return run, nil
}

// newSeries returns series of a target for some of its probes, those known
// beforehand at 0.
func (t *Target) newSeries(list []ProbeConfig, known ...probes.Series) (*series, error) {
	labels := prometheus.Labels{"target": t.Name}
	maps.Copy(labels, t.Labels)
	metrics := metricsOf(list)
	for _, p := range list {
		known = append(known, p.known()...)
	}
	var limits []float64
	for _, b := range t.Budgets {
		limits = append(limits, b.Max.Seconds())
	}
	return newSeries(labels, metrics, known, limits...)
}

// enabled are the probes that are switched on.
func (t *Target) enabled() []ProbeConfig {
	var list []ProbeConfig
	for _, p := range t.Probes {
		if p.Enabled {
			list = append(list, p)
		}
	}
	return list
}

// sessionLimit is how many sessions may be open at once. Without a word about
// it no probe has to wait: none has more than one.
func (t *Target) sessionLimit() int {
	if t.MaxSessions > 0 {
		return t.MaxSessions
	}
	limit := 0
	for _, p := range t.enabled() {
		if p.Definition.Logon {
			limit++
		}
	}
	return limit
}

// gauge is read at every scrape, because it changes by itself.
func (l *live) gauge(m *probes.Metric, labels prometheus.Labels, read func() float64) prometheus.Collector {
	all := prometheus.Labels{}
	maps.Copy(all, labels)
	maps.Copy(all, l.series.labels)
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: Namespace + m.Name, Help: m.Help, ConstLabels: all}, read)
}

// job returns the job of that probe, nil if it is not switched on.
func (l *live) job(probe string) *job {
	for _, j := range l.jobs {
		if j.name() == probe {
			return j
		}
	}
	return nil
}

// forgive ends the back-offs from missing objects: a reload may come because
// someone has made them.
func (l *live) forgive() {
	for _, j := range l.jobs {
		j.objects.forgive()
	}
}

// stop lets the runs that are on end, cancels those that have not within
// finishGrace, and logs every session off, within ctx's deadline. The jobs must
// have left the scheduler. A probe that does not come back is left alone.
func (l *live) stop(ctx context.Context) {
	patience, ended := context.WithTimeout(ctx, finishGrace)
	defer ended()
	context.AfterFunc(patience, l.cancel)
	var wg sync.WaitGroup
	for _, j := range l.jobs {
		wg.Go(func() {
			select {
			case <-j.idle: // and never given back: it does not run again
				j.close(ctx)
			case <-ctx.Done():
			}
		})
	}
	wg.Wait()
}
