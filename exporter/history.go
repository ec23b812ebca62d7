// The last runs of one probe of one target, for the status page. Failures are
// kept longer than successes, as they are what people come to look for.

package exporter

import (
	"slices"
	"sync"
	"time"

	"oranet_exporter/link"
)

// keptRuns is how many runs, and how many older failures, are remembered.
const keptRuns = 100

// Entry is one run in a history.
type Entry struct {
	Start    time.Time
	Duration time.Duration
	Failure  *link.Failure // nil: success
}

// history is safe for concurrent use; its lock is held only to copy.
type history struct {
	mu       sync.Mutex
	last     *Result // with its samples
	runs     ring
	failures ring // those that runs no longer holds
}

func (h *history) add(r *Result) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last = r
	dropped, full := h.runs.add(Entry{r.Start, r.Duration, r.Failure})
	if full && dropped.Failure != nil {
		h.failures.add(dropped)
	}
}

// latest is the last run, nil before the first. It must not be changed.
func (h *history) latest() *Result {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.last
}

// entries lists what is remembered, newest first.
func (h *history) entries() []Entry {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := append(h.failures.list(), h.runs.list()...)
	slices.Reverse(list)
	return list
}

// ring keeps the last entries in a slice that grows only as far as needed.
type ring struct {
	kept   []Entry
	oldest int
}

// add returns the entry that made room, if one had to.
func (r *ring) add(e Entry) (dropped Entry, full bool) {
	if len(r.kept) < keptRuns {
		r.kept = append(r.kept, e)
		return Entry{}, false
	}
	dropped, r.kept[r.oldest] = r.kept[r.oldest], e
	r.oldest = (r.oldest + 1) % keptRuns
	return dropped, true
}

// list copies the entries, oldest first.
func (r *ring) list() []Entry {
	return slices.Concat(r.kept[r.oldest:], r.kept[:r.oldest])
}
