// The kernel's view on Linux: getsockopt with TCP_INFO (tcp(7)), SO_RCVBUF and
// SO_SNDBUF (socket(7)).

package link

import (
	"math"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// HasKernelView tells whether this operating system has a view to give.
const HasKernelView = true

func readKernel(raw syscall.RawConn) (KernelView, bool) {
	var view KernelView
	var failed error
	err := raw.Control(func(fd uintptr) { view, failed = readSocket(int(fd)) })
	return view, err == nil && failed == nil
}

func readSocket(fd int) (KernelView, error) {
	info, err := unix.GetsockoptTCPInfo(fd, unix.IPPROTO_TCP, unix.TCP_INFO)
	if err != nil {
		return KernelView{}, err
	}
	receive, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUF)
	if err != nil {
		return KernelView{}, err
	}
	send, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_SNDBUF)
	if err != nil {
		return KernelView{}, err
	}
	return KernelView{
		RTT:           microseconds(info.Rtt),
		RTTVariance:   microseconds(info.Rttvar),
		MinRTT:        minRTT(info.Min_rtt),
		Retransmits:   int64(info.Total_retrans),
		ReceiveBuffer: receive,
		SendBuffer:    send,
	}, nil
}

// minRTT decodes tcpi_min_rtt: all ones before the first sample, and zero,
// which no sample is, from kernels before 4.6, which do not have the field.
func minRTT(us uint32) time.Duration {
	if us == math.MaxUint32 {
		return 0
	}
	return microseconds(us)
}

func microseconds(us uint32) time.Duration { return time.Duration(us) * time.Microsecond }
