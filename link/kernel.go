// The kernel's own view of a session's TCP connection, to hold ours against.

package link

import (
	"net"
	"time"
)

// KernelView is what the operating system knows of the connection under a
// session: to the listener, or to the proxy or gateway in front of it. All of
// it is read; nothing is ever set, because a receive buffer that was set once
// no longer grows with the link.
type KernelView struct {
	// RTT is the smoothed round-trip time from a segment sent to its
	// acknowledgement. An answer that comes within the peer's delayed-ACK
	// time carries the acknowledgement, so the server's time is in it.
	RTT time.Duration
	// RTTVariance is the mean deviation of RTT, which TCP calls its variance.
	RTTVariance time.Duration
	// MinRTT is the least round trip of this connection; 0 if the kernel has
	// none. Linux lets it rise again after net.ipv4.tcp_min_rtt_wlen, but not by
	// the acknowledgement of one short segment, which may have been delayed: on
	// a session that only pings it falls and never rises. A segment sent again
	// is timed by TCP timestamps, in whole milliseconds cut off: after a loss
	// MinRTT can be up to 1 ms too short.
	MinRTT time.Duration
	// Retransmits is how many segments this side sent again since the SYN:
	// because they were lost, or their acknowledgement was, with the answer that
	// carried it. What the peer alone had to send again, as of rows, is not in it.
	Retransmits int64
	// ReceiveBuffer and SendBuffer are SO_RCVBUF and SO_SNDBUF: bytes of kernel
	// memory, its bookkeeping included.
	ReceiveBuffer, SendBuffer int
}

// Kernel asks the kernel about the session's connection. It is not ok where
// HasKernelView is false, when the connection is not the operating system's
// own (see DialFunc), and after Close.
func (s *Session) Kernel() (view KernelView, ok bool) {
	tcp, ok := s.wire.Conn.(*net.TCPConn)
	if !ok {
		return KernelView{}, false
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return KernelView{}, false
	}
	return readKernel(raw)
}
