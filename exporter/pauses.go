// For how long the garbage collector stopped every goroutine, as the runtime tells.

package exporter

import (
	"runtime/metrics"
	"slices"
	"time"
)

// gcPauses tells of the pauses since a mark. It keeps its memory, as it is
// asked hundreds of times a second.
type gcPauses struct {
	sample [1]metrics.Sample
	marked []uint64 // pauses by length, at the mark
}

func newGCPauses() *gcPauses {
	return &gcPauses{sample: [1]metrics.Sample{{Name: "/sched/pauses/total/gc:seconds"}}}
}

func (p *gcPauses) mark() { p.marked = append(p.marked[:0], p.read().Counts...) }

// longest is how long the longest pause since the mark took, rounded down to
// a bucket of the runtime's histogram.
func (p *gcPauses) longest() time.Duration {
	h := p.read()
	for i, count := range slices.Backward(h.Counts) {
		if i < len(p.marked) && count > p.marked[i] {
			return time.Duration(max(0, h.Buckets[i]) * float64(time.Second))
		}
	}
	return 0
}

func (p *gcPauses) read() *metrics.Float64Histogram {
	metrics.Read(p.sample[:])
	if p.sample[0].Value.Kind() != metrics.KindFloat64Histogram {
		return new(metrics.Float64Histogram) // another runtime; it tells of no pauses
	}
	return p.sample[0].Value.Float64Histogram()
}
