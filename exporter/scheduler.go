// The clock of all probes: one heap of next slots and one timer, however many
// targets there are. A run has a goroutine while it is on, and none between.

package exporter

import (
	"container/heap"
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// Why a run on demand is refused.
var (
	errBusy     = errors.New("it is running, or another heavy probe is; try again later")
	errHeldBack = errors.New("it is held back, because trying again would make things worse; see probe_backoff_seconds")
	errUsedUp   = errors.New("the target's allowance for heavy probes is used up; it is renewed on the hour")
)

// scheduler starts jobs in their slots. Heavy jobs run one at a time; those
// whose slot comes meanwhile wait in the order in which they came.
type scheduler struct {
	wake chan struct{} // the heap's first slot may have changed

	mu      sync.Mutex // never held during a run
	queue   jobHeap
	heavy   bool   // a heavy run is on
	waiting []*job // heavy jobs whose slot has come
}

func newScheduler() *scheduler {
	return &scheduler{wake: make(chan struct{}, 1)}
}

// run starts jobs until ctx ends. It does not wait for them.
func (s *scheduler) run(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		case <-s.wake:
		}
		timer.Reset(s.tick(time.Now()))
	}
}

// tick starts what is due and returns how long nothing else will be.
func (s *scheduler) tick(now time.Time) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.queue) > 0 && !s.queue[0].next.After(now) {
		j := s.queue[0]
		slots, after := passed(j.next, j.interval(), now)
		slot := after.Add(-j.interval())
		j.next = after
		heap.Fix(&s.queue, 0)
		s.turn(j, slots, slot, now)
	}
	if len(s.queue) == 0 {
		return time.Hour
	}
	return s.queue[0].next.Sub(now)
}

// turn gives j its slot, the last of so many that have passed unserved.
func (s *scheduler) turn(j *job, slots int, slot, now time.Time) {
	if j.backoff(now) > 0 {
		return
	}
	j.miss(slots - 1)
	switch {
	case !j.take():
		j.miss(1)
		j.slot = slot // a job that waits is late from here on
	case j.exclusive() && s.heavy:
		j.slot = slot
		s.waiting = append(s.waiting, j)
	default:
		j.slot = slot
		s.start(j, now)
	}
}

// start runs j, which has been taken, unless its target holds it back.
func (s *scheduler) start(j *job, now time.Time) {
	if answer := j.begin(now); answer != admitted {
		j.turnedAway(answer, now)
		j.give()
		return
	}
	j.alone = j.exclusive()
	s.heavy = s.heavy || j.alone
	slot := j.slot
	go func() {
		ended := j.scheduled(slot)
		s.release(j, ended)
	}()
}

// release gives back a job whose run has ended. If the probe has not come
// back, others need not wait for it, but it itself must.
func (s *scheduler) release(j *job, ended <-chan struct{}) {
	if j.alone {
		s.heavyEnded()
	}
	<-ended
	j.give()
}

// heavyEnded lets the next heavy job run.
func (s *scheduler) heavyEnded() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heavy = false
	for len(s.waiting) > 0 && !s.heavy {
		j := s.waiting[0]
		s.waiting = s.waiting[1:]
		s.start(j, time.Now())
	}
}

// claim takes a job for a run on demand, which ends with release.
func (s *scheduler) claim(j *job) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if j.exclusive() && s.heavy || !j.take() {
		return errBusy
	}
	switch j.begin(time.Now()) {
	case heldBack:
		j.give()
		return errHeldBack
	case usedUp:
		j.give()
		return errUsedUp
	}
	j.alone = j.exclusive()
	s.heavy = s.heavy || j.alone
	return nil
}

// add schedules jobs.
func (s *scheduler) add(jobs []*job) {
	s.mu.Lock()
	for _, j := range jobs {
		j.next = firstSlot(j.target.config.Name, j.name(), j.interval(), time.Now())
		heap.Push(&s.queue, j)
	}
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// remove gives jobs no more slots. Runs that are on go on.
func (s *scheduler) remove(jobs []*job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, j := range jobs {
		heap.Remove(&s.queue, j.index)
		if n := slices.Index(s.waiting, j); n >= 0 {
			s.waiting = slices.Delete(s.waiting, n, n+1)
			j.give()
		}
	}
}

// nextSlot is when j's turn comes.
func (s *scheduler) nextSlot(j *job) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return j.next
}

// jobHeap orders jobs by their next slot; see container/heap.
type jobHeap []*job

func (h jobHeap) Len() int           { return len(h) }
func (h jobHeap) Less(a, b int) bool { return h[a].next.Before(h[b].next) }

func (h jobHeap) Swap(a, b int) {
	h[a], h[b] = h[b], h[a]
	h[a].index, h[b].index = a, b
}

func (h *jobHeap) Push(x any) {
	j := x.(*job)
	j.index = len(*h)
	*h = append(*h, j)
}

func (h *jobHeap) Pop() any {
	last := len(*h) - 1
	j := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	return j
}
