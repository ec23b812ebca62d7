package link_test

import (
	"context"
	"database/sql/driver"
	"net"
	"testing"

	"golang.org/x/sys/unix"

	"oranet_exporter/link"
	"oranet_exporter/simulator"
)

// viewed opens a session and returns it with the socket under it.
func viewed(t *testing.T) (*link.Session, *net.TCPConn) {
	t.Helper()
	_, cfg := database(t, simulator.Options{})
	dial := cfg.Dial
	var socket *net.TCPConn
	cfg.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err == nil {
			socket = conn.(*net.TCPConn)
		}
		return conn, err
	}
	return open(t, newLink(t, cfg), 10000), socket
}

func kernel(t *testing.T, s *link.Session) link.KernelView {
	t.Helper()
	view, ok := s.Kernel()
	if !ok {
		t.Fatal("the kernel has no view of a live session")
	}
	return view
}

func TestTheKernelsViewIsPlausible(t *testing.T) {
	s, _ := viewed(t)
	for range 10 {
		if err := s.Ping(minute(t)); err != nil {
			t.Fatal(err)
		}
	}
	view := kernel(t, s)
	if view.MinRTT <= 0 || view.MinRTT > 2*view.RTT {
		t.Errorf("least RTT %v, smoothed RTT %v", view.MinRTT, view.RTT)
	}
	if view.RTTVariance <= 0 || view.RTTVariance > 10*view.RTT {
		t.Errorf("RTT %v with a mean deviation of %v", view.RTT, view.RTTVariance)
	}
	if view.ReceiveBuffer <= 0 || view.SendBuffer <= 0 {
		t.Errorf("buffers of %d and %d bytes", view.ReceiveBuffer, view.SendBuffer)
	}
}

// MEASUREMENTS M5: the receive buffer grows during a fetch, as long as nobody
// has set it.
func TestTheBuffersAreReadAndNeverSet(t *testing.T) {
	s, socket := viewed(t)
	before := kernel(t, s)
	if _, err := s.Fetch(minute(t), payload, []any{"seed", "of", "rows", truthRows}, func([]driver.Value) {}); err != nil {
		t.Fatal(err)
	}
	after := kernel(t, s)
	t.Logf("receive buffer %d bytes, %d after a fetch; send buffer %d, %d", before.ReceiveBuffer, after.ReceiveBuffer, before.SendBuffer, after.SendBuffer)
	if after.ReceiveBuffer < before.ReceiveBuffer {
		t.Errorf("the receive buffer shrank from %d to %d bytes", before.ReceiveBuffer, after.ReceiveBuffer)
	}
	if locks := bufferLocks(t, socket); locks != 0 {
		t.Errorf("the socket's buffer locks are %#x: somebody has set a size, and autotuning is off", locks)
	}
}

// bufferLocks tells which buffers' sizes were set by SO_RCVBUF or SO_SNDBUF.
func bufferLocks(t *testing.T, socket *net.TCPConn) (locks int) {
	t.Helper()
	raw, err := socket.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	var failed error
	if err := raw.Control(func(fd uintptr) {
		locks, failed = unix.GetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_BUF_LOCK)
	}); err != nil {
		t.Fatal(err)
	}
	if failed == unix.ENOPROTOOPT {
		t.Log("this kernel, older than 5.15, does not tell whether a buffer's size was set")
		return 0
	}
	if failed != nil {
		t.Fatal(failed)
	}
	return locks
}
