// Every probe once, for a report instead of for ever.

package exporter

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/go-kit/log"

	"oranet_exporter/link"
)

// onceAtATime is how many targets RunOnce probes side by side.
const onceAtATime = 8

// Watcher is told how a round of runs goes on, by several goroutines at once.
type Watcher interface {
	Begun(target string, probe *ProbeConfig)
	Ended(*Result)
}

// RunOnce runs every probe that is switched on once and returns the results,
// in the order of the configuration. Without names it takes every target; an
// unknown name is its only error. Heavy probes run one at a time. A watcher may
// be nil.
func RunOnce(ctx context.Context, cfg *Config, names []string, watcher Watcher, logger log.Logger) ([]*Result, error) {
	targets := cfg.Targets
	if len(names) > 0 {
		targets = nil
		for _, name := range names {
			t := cfg.Target(name)
			if t == nil {
				return nil, fmt.Errorf("there is no target %q in the configuration", name)
			}
			targets = append(targets, t)
		}
	}
	if watcher == nil {
		watcher = nobody{}
	}
	results := make([][]*Result, len(targets))
	slots := make(chan struct{}, onceAtATime)
	var heavy sync.Mutex
	var wg sync.WaitGroup
	for i, t := range targets {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			results[i] = runTarget(ctx, t, &heavy, watcher, logger)
		})
	}
	wg.Wait()
	var all []*Result
	for _, r := range results {
		all = append(all, r...)
	}
	return all, nil
}

// nobody watches.
type nobody struct{}

func (nobody) Begun(string, *ProbeConfig) {}
func (nobody) Ended(*Result)              {}

// runTarget runs one target's probes one after the other.
func runTarget(ctx context.Context, t *Target, heavy *sync.Mutex, watcher Watcher, logger log.Logger) []*Result {
	a := newAccount()
	a.once = true
	l, err := newLive(t, a, nil, logger)
	if err != nil {
		failure := link.Classify(ctx, link.PhaseConfig, err)
		var list []*Result
		for _, p := range t.enabled() {
			list = append(list, &Result{Target: t.Name, Probe: p.Definition.Name, Start: time.Now(), Failure: failure})
			watcher.Ended(list[len(list)-1])
		}
		return list
	}
	defer func() {
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopGrace)
		defer cancel()
		l.stop(grace)
	}()
	var list []*Result
	for _, j := range l.jobs {
		result := runJob(ctx, j, heavy, watcher)
		watcher.Ended(result)
		list = append(list, result)
	}
	return list
}

func runJob(ctx context.Context, j *job, heavy *sync.Mutex, watcher Watcher) *Result {
	if j.heavy() {
		heavy.Lock()
		defer heavy.Unlock()
	}
	var failure *link.Failure
	switch j.begin(time.Now()) {
	case heldBack:
		failure = j.target.account.refusal(time.Now())
	case usedUp:
		failure = &link.Failure{Phase: link.PhaseConfig, Reason: link.ReasonConfig, Err: errUsedUp}
	}
	if failure != nil {
		return &Result{Target: j.target.config.Name, Probe: j.name(), Start: time.Now(), Failure: failure}
	}
	<-j.idle
	watcher.Begun(j.target.config.Name, &j.config)
	result, ended := j.demanded(ctx)
	go func() {
		<-ended
		j.give()
	}()
	return result
}
