// Socket buffers: what the kernel makes of them, and what they make of bulk.

package netproof

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"
)

// Fetches in answers of 2 MB: more than any of the smaller buffers holds, so
// that the buffer decides. 20 MB let the receive buffer grow.
const (
	bufferArraysize = 10_000
	rowsToGrow      = 100_000
	rowsUnderLimit  = 20_000
	bufferFetches   = 3 // the fastest counts
)

// The published measurements have an RTT of 14 ms. Three times that leaves the
// ratios, and makes what this machine's processor adds a third.
const bufferRTT = 42 * time.Millisecond

// bulk is what fetches told under a limit of the receive buffer.
type bulk struct {
	limit                             int
	throughput                        float64 // bytes per second
	connected, fetched, sendConnected float64 // SO_RCVBUF after the logon and after the fetch, SO_SNDBUF after the logon
	sendFetched                       float64
}

// perRoundTrip is the share of the receive buffer that arrived in each round trip.
func (b bulk) perRoundTrip() float64 { return b.throughput * bufferRTT.Seconds() / float64(b.limit) }

// MEASUREMENTS M5. The figures are attributes of this test, too; the page of
// reproduced measurements takes them from there.
func TestThroughputIsTheReceiveBufferOverTheRoundTrip(t *testing.T) {
	lab := newLab(t)
	var bulks []bulk
	for _, c := range []struct{ limit, rows int }{
		{6 << 20, rowsToGrow}, {256 << 10, rowsUnderLimit}, {64 << 10, rowsUnderLimit},
	} {
		t.Run(fmt.Sprint(c.limit), func(t *testing.T) { bulks = append(bulks, lab.fetchWithin(t, c.limit, c.rows)) })
	}
	if len(bulks) < 3 {
		return
	}
	full, quarter, least := bulks[0], bulks[1], bulks[2]
	if full.fetched < 1<<20 || full.fetched > float64(full.limit) || full.connected >= full.fetched {
		t.Errorf("the receive buffer is %v bytes after the logon and %v after 20 MB, at most %d are allowed",
			full.connected, full.fetched, full.limit)
	}
	if full.sendConnected != full.sendFetched {
		t.Errorf("receiving changed the send buffer from %v to %v bytes", full.sendConnected, full.sendFetched)
	}
	for _, b := range []bulk{quarter, least} {
		if b.fetched > float64(b.limit) {
			t.Errorf("the receive buffer grew to %v bytes, %d are allowed", b.fetched, b.limit)
		}
		// The kernel keeps about half of a buffer for its own bookkeeping.
		if share := b.perRoundTrip(); share < 0.2 || share > 1 {
			t.Errorf("%.2f of a receive buffer of %d bytes arrived in each round trip, want about half", share, b.limit)
		}
	}
	if ratio := quarter.throughput / least.throughput; ratio < 2.5 || ratio > 8 {
		t.Errorf("a buffer four times as big fetches %.1f times as fast", ratio)
	}
	if full.throughput < 1.2*quarter.throughput {
		t.Errorf("%.1f MB/s with a buffer that grows, %.1f MB/s with one of 256 KB", full.throughput/1e6, quarter.throughput/1e6)
	}
}

// fetchWithin fetches rows over a path on which the client's receive buffer grows
// to that many bytes at most.
func (l *lab) fetchWithin(t *testing.T, limit, rows int) bulk {
	t.Helper()
	client, server, _ := connectHosts(t, bufferRTT, 0)
	client.limitReceiveBuffer(l.ctx, t, limit)
	db := server.simulate(l.ctx, t, l.exporter, 0)
	m := client.measure(l.ctx, t, l.measure, db.Password,
		task{DSN: db.DSN, User: db.User, Fetches: bufferFetches, Rows: rows, Arraysize: bufferArraysize})
	most := func(name string) float64 {
		if len(m[name]) == 0 {
			t.Fatalf("nothing measured %s", name)
		}
		return slices.Max(m[name])
	}
	b := bulk{
		limit:         limit,
		throughput:    most(fmt.Sprintf("fetch_throughput_bytes_per_second %d", bufferArraysize)),
		connected:     most("socket_buffer_bytes receive connect"),
		fetched:       most("socket_buffer_bytes receive fetch"),
		sendConnected: most("socket_buffer_bytes send connect"),
		sendFetched:   most("socket_buffer_bytes send fetch"),
	}
	for key, value := range map[string]float64{
		"throughput":        b.throughput,
		"receive_connected": b.connected,
		"receive_fetched":   b.fetched,
		"send_connected":    b.sendConnected,
		"send_fetched":      b.sendFetched,
	} {
		t.Attr(key, fmt.Sprint(value))
	}
	t.Logf("%+v, %.2f of the buffer in each round trip", b, b.perRoundTrip())
	return b
}

// limitReceiveBuffer sets the host's tcp_rmem, which each network namespace has of its own.
func (h *host) limitReceiveBuffer(ctx context.Context, t *testing.T, limit int) {
	t.Helper()
	const usual = 131072 // Linux's default, which the autotuning starts from
	script := fmt.Sprintf("echo 4096 %d %d > /proc/sys/net/ipv4/tcp_rmem", min(usual, limit), limit)
	if err := h.command(ctx, "sh", "-c", script).Run(); err != nil {
		t.Fatalf("the receive buffer cannot be limited: %v", err)
	}
}
