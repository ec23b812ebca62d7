// Probes whose behaviour a test decides, and targets that have them.

package exporter

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"

	"oranet_exporter/link"
	"oranet_exporter/probes"
)

var (
	fakeSeconds = &probes.Metric{Name: "fake_seconds", Help: "What a fake measured.", Kind: probes.Histogram,
		Labels: []string{"size"}, Buckets: []float64{.001, .01, .1, 1}}
	fakeBytes = &probes.Metric{Name: "fake_bytes", Help: "What a fake was given.", Kind: probes.Gauge}
	fakeTotal = &probes.Metric{Name: "fake_total", Help: "What a fake counted.", Kind: probes.Counter}
	fakeInfo  = &probes.Metric{Name: "fake_info", Help: "Where a fake landed.", Kind: probes.Info, Labels: []string{"host"}}
)

// fakeOptions are a fake probe's settings.
type fakeOptions struct {
	Sizes    []int         `yaml:"sizes"`
	Pause    time.Duration `yaml:"pause"`
	Mode     fakeMode      `yaml:"mode"`
	Fraction float64       `yaml:"fraction"`
}

func (o *fakeOptions) Validate() error {
	if len(o.Sizes) == 0 {
		return errors.New("sizes: give at least one")
	}
	return nil
}

// fakeMode has its own notation.
type fakeMode int

func (m *fakeMode) UnmarshalYAML(unmarshal func(any) error) error {
	var text string
	if err := unmarshal(&text); err != nil {
		return err
	}
	if text != "auto" && text != "7" {
		return errors.New("want 7 or auto")
	}
	*m = fakeMode(len(text))
	return nil
}

// fake makes definitions and sees every call of the probes made of them.
type fake struct {
	run    func(ctx context.Context, target *probeCalls, out *probes.Samples) error
	mu     sync.Mutex
	starts []time.Time
	closed atomic.Int64
	made   atomic.Int64
}

// probeCalls is one probe that a fake's definition made.
type probeCalls struct {
	fake   *fake
	active atomic.Int64
	runs   atomic.Int64
}

func (p *probeCalls) Run(ctx context.Context, out *probes.Samples) error {
	if p.active.Add(1) != 1 {
		panic("a probe overlaps itself")
	}
	defer p.active.Add(-1)
	p.runs.Add(1)
	p.fake.mu.Lock()
	p.fake.starts = append(p.fake.starts, time.Now())
	p.fake.mu.Unlock()
	if p.fake.run == nil {
		return nil
	}
	return p.fake.run(ctx, p, out)
}

func (p *probeCalls) Close(context.Context) error {
	if p.active.Load() != 0 {
		panic("a probe is closed while it runs")
	}
	p.fake.closed.Add(1)
	return nil
}

func (f *fake) runs() []time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]time.Time{}, f.starts...)
}

func (f *fake) definition(name string, interval, timeout time.Duration) *probes.Definition {
	return &probes.Definition{
		Name: name, Help: "a fake",
		Default: probes.Schedule{Enabled: true, Interval: interval, Timeout: timeout},
		Metrics: []*probes.Metric{fakeSeconds, fakeBytes, fakeTotal, fakeInfo},
		New: func(*link.Link, probes.Options) probes.Probe {
			f.made.Add(1)
			return &probeCalls{fake: f}
		},
	}
}

// fakeTarget is a target of these probes that could be reached at a dsn.
func fakeTarget(name string, defs ...*probes.Definition) *Target {
	return NewTarget(name, link.Config{DSN: "db.example.com:1521/service", User: "probe",
		Password: link.Secret{Env: "PATH"}}, defs)
}

// pause sleeps unless ctx ends.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// fail is a failure as link returns it.
func fail(phase link.Phase, reason link.Reason) error {
	return &link.Failure{Phase: phase, Reason: reason, Err: fmt.Errorf("a fake is %s", reason)}
}

// value sums the series of one metric whose labels include those given as
// name=value; a histogram counts its observations. ok is false if there are none.
func value(t *testing.T, g prometheus.Gatherer, name string, labels ...string) (sum float64, ok bool) {
	t.Helper()
	families, err := g.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() != Namespace+name {
			continue
		}
		for _, m := range f.Metric {
			if hasLabels(m, labels) {
				sum += m.GetGauge().GetValue() + m.GetCounter().GetValue() + float64(m.GetHistogram().GetSampleCount())
				ok = true
			}
		}
	}
	return sum, ok
}

func hasLabels(m *dto.Metric, want []string) bool {
	have := map[string]bool{}
	for _, l := range m.Label {
		have[l.GetName()+"="+l.GetValue()] = true
	}
	for _, w := range want {
		if !have[w] {
			return false
		}
	}
	return true
}

// wantValue fails the test unless the metric has that value.
func wantValue(t *testing.T, g prometheus.Gatherer, want float64, name string, labels ...string) {
	t.Helper()
	got, ok := value(t, g, name, labels...)
	if !ok {
		t.Errorf("%s{%s} is not there, want %v", name, strings.Join(labels, ","), want)
	} else if got != want {
		t.Errorf("%s{%s} = %v, want %v", name, strings.Join(labels, ","), got, want)
	}
}

// running starts an exporter of targets inside a synctest bubble, without a
// web endpoint, and stops it at the end of the test.
func running(t *testing.T, targets ...*Target) *Exporter {
	t.Helper()
	e, err := New(Options{Config: &Config{Targets: targets}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- e.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		time.Sleep(2 * time.Hour) // probes that hang come back
	})
	return e
}
