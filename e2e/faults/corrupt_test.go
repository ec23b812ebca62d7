package faults

import (
	"math/rand/v2"
	"net"
	"testing"
	"testing/synctest"

	"oranet_exporter/link"
	"oranet_exporter/probes"
	"oranet_exporter/simulator"
)

// flipping is a connection that flips one bit of what it reads.
type flipping struct {
	net.Conn
	at int // in which bit of what comes
}

func (f *flipping) Read(p []byte) (int, error) {
	n, err := f.Conn.Read(p)
	if byteAt := f.at / 8; f.at >= 0 && byteAt < n {
		p[byteAt] ^= 1 << (f.at % 8)
	}
	f.at -= 8 * n
	return n, err
}

const (
	flips      = 400  // each in a run of its own
	logonBytes = 6000 // about what a logon and a query are
)

// TestABitThatFlipsIsOneOfTheReasonsThatSayWhat holds whatever a corrupted
// answer brings about, in logon and query, to be said as a protocol error, a
// timeout for want of the rest, or an error that the corruption makes: never
// as other, and never late. A flip that hurts nothing is a success.
func TestABitThatFlipsIsOneOfTheReasonsThatSayWhat(t *testing.T) {
	order := rand.New(rand.NewPCG(1, 2))
	count := make(map[string]int)
	for range flips {
		at := order.IntN(8 * logonBytes)
		synctest.Test(t, func(t *testing.T) {
			room := enter(t, probes.Pool, plain, simulator.Options{})
			room.network.corrupt = func(c net.Conn) net.Conn { return &flipping{c, at} }
			o := room.run()
			count[o.String()]++
			if o.failure != nil && o.failure.Reason == link.ReasonOther {
				t.Errorf("bit %d: %s: %v", at, o, o.failure)
			}
			if o.after > room.timeout+patience {
				t.Errorf("bit %d: ended after %s", at, o.after)
			}
			room.network.corrupt = nil
			room.run() // a session that was opened before may still have its flip to come
			if next := room.run(); next.failure != nil {
				t.Errorf("bit %d: a run on a sound network: %v", at, next.failure)
			}
			room.leave(t)
		})
	}
	t.Logf("%d flips: %v", flips, count)
}
