package e2e

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"oranet_exporter/exporter"
	"oranet_exporter/link"
	"oranet_exporter/link/linktest"
	"oranet_exporter/probes"
	"oranet_exporter/simulator"
	"oranet_exporter/simulator/emulink"
)

// BenchmarkTargets runs that many targets in one process for a few seconds,
// all refused at once or all up at long intervals, and reports goroutines a
// target, the exporter's own lateness and what a scrape takes.
func BenchmarkTargets(b *testing.B) {
	server, up := linktest.Simulated(b, simulator.Options{}, emulink.New(emulink.Path{}))
	defer server.Close()
	down := up
	down.DSN = "127.0.0.1:1/FREEPDB1"
	for _, kind := range []struct {
		name     string
		cfg      link.Config
		interval time.Duration
	}{{"refused", down, 2 * time.Second}, {"up", up, 20 * time.Second}} {
		for _, n := range []int{100, 1000} {
			b.Run(fmt.Sprintf("%s/%d", kind.name, n), func(b *testing.B) {
				for range b.N {
					runTargets(b, n, kind.cfg, kind.interval)
				}
			})
		}
	}
}

func runTargets(b *testing.B, n int, cfg link.Config, interval time.Duration) {
	config := new(exporter.Config)
	for i := range n {
		target := exporter.NewTarget(fmt.Sprintf("target_%04d", i), cfg, []*probes.Definition{probes.TCP, probes.RoundTrip})
		for j := range target.Probes {
			target.Probes[j].Interval, target.Probes[j].Timeout = interval, min(interval, 5*time.Second)
		}
		config.Targets = append(config.Targets, target)
	}
	before := runtime.NumGoroutine()
	e, err := exporter.New(exporter.Options{Config: config, ListenAddresses: []string{"127.0.0.1:0"}})
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- e.Run(ctx) }()
	time.Sleep(6 * time.Second)
	most := runtime.NumGoroutine() - before
	start := time.Now()
	f := scrape(b, "http://"+e.Addresses()[0].String()+"/metrics")
	b.ReportMetric(float64(time.Since(start).Milliseconds()), "ms/scrape")
	b.ReportMetric(float64(most)/float64(n), "goroutines/target")
	var runs, missed float64
	for _, m := range f["oranet_probe_runs_total"].GetMetric() {
		runs += m.GetCounter().GetValue()
	}
	for _, m := range f["oranet_probe_missed_total"].GetMetric() {
		missed += m.GetCounter().GetValue()
	}
	b.ReportMetric(runs, "runs")
	b.ReportMetric(missed, "missed")
	cancel()
	if err := <-done; err != nil {
		b.Fatal(err)
	}
}
