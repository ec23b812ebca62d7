// A network path in user space: it holds every packet for half a round trip,
// the SYN as well, and may lose some. The kernel's own emulation (netem) is a
// module that many machines do not have.

package netproof

import (
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// queued is how many packets may be under way in one direction; more than any
// window of TCP that a test opens.
const queued = 1 << 14

// path joins the devices of two hosts.
type path struct {
	up, down *direction
}

// direction carries packets one way.
type direction struct {
	from, to *os.File
	delay    time.Duration
	loss     float64 // share of packets that is lost
	random   *rand.Rand
	queue    chan packet
	dropped  atomic.Int64

	mu   sync.Mutex
	held []time.Duration // of each packet, from the read to the end of the write
}

type packet struct {
	data    []byte
	arrived time.Time
}

// join carries packets between two devices, which it closes when the test
// ends. Which packets are lost depends on nothing but their order.
func join(t *testing.T, client, server *os.File, rtt time.Duration, loss float64) *path {
	newDirection := func(from, to *os.File, seed uint64) *direction {
		return &direction{from: from, to: to, delay: rtt / 2, loss: loss,
			random: rand.New(rand.NewPCG(seed, seed)), queue: make(chan packet, queued)}
	}
	p := &path{up: newDirection(client, server, 1), down: newDirection(server, client, 2)}
	var running sync.WaitGroup
	for _, d := range []*direction{p.up, p.down} {
		running.Go(func() { d.receive(t) })
		running.Go(d.send)
	}
	t.Cleanup(func() {
		_ = client.Close()
		_ = server.Close()
		running.Wait()
	})
	return p
}

// receive stamps packets as they come, until the device is closed.
func (d *direction) receive(t *testing.T) {
	defer close(d.queue)
	buf := make([]byte, 1<<16)
	for {
		n, err := d.from.Read(buf)
		if err != nil {
			if !errors.Is(err, os.ErrClosed) {
				t.Errorf("the path ends: %v", err)
			}
			return
		}
		arrived := time.Now()
		if isIPv6 := buf[0]>>4 == 6; isIPv6 { // neighbours greeting each other
			continue
		}
		if d.random.Float64() < d.loss {
			d.dropped.Add(1)
			continue
		}
		d.queue <- packet{slices.Clone(buf[:n]), arrived}
	}
}

// send hands each packet over when it has been held long enough.
func (d *direction) send() {
	for p := range d.queue {
		sleepUntil(p.arrived.Add(d.delay))
		if _, err := d.to.Write(p.data); err != nil {
			continue // the device is closed, and soon the queue
		}
		d.mu.Lock()
		d.held = append(d.held, time.Since(p.arrived))
		d.mu.Unlock()
	}
}

// spin is how long before an instant a sleep ends: a virtual machine that was
// idle wakes a sleeper late by some 0.2 ms.
const spin = 300 * time.Microsecond

// sleepUntil sleeps in the kernel, because Go's timers are rounded to
// milliseconds, and looks at the clock for the rest.
func sleepUntil(due time.Time) {
	for left := time.Until(due); left > 0; left = time.Until(due) {
		if left > spin {
			ts := unix.NsecToTimespec(int64(left - spin))
			_ = unix.Nanosleep(&ts, nil) // a signal ends it early, and the loop goes on
		}
	}
}

// roundTrip is how long the path really held a packet and its answer: the
// median of both directions, added.
func (p *path) roundTrip() time.Duration { return p.up.medianHeld() + p.down.medianHeld() }

func (d *direction) medianHeld() time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	return median(d.held)
}

func median[T time.Duration | float64](values []T) T {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}
