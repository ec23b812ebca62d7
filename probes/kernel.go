// What the kernel tells of the sockets of sessions. Where it tells nothing
// these metrics are not declared: absent, not zero.

package probes

import "oranet_exporter/link"

var (
	tcpRTTSeconds = &Metric{
		Name: "tcp_rtt_seconds",
		Help: "The kernel's smoothed round-trip time on the held session, segment to acknowledgement; " +
			"an answer that carries it brings the server's time along.",
		Kind: Gauge,
	}
	tcpRTTVarianceSeconds = &Metric{
		Name: "tcp_rtt_variance_seconds",
		Help: "Mean deviation of tcp_rtt_seconds, which TCP calls its variance.",
		Kind: Gauge,
	}
	tcpMinRTTSeconds = &Metric{
		Name: "tcp_min_rtt_seconds",
		Help: "The kernel's least round-trip time on the held session since its connect. Pings do not raise it again; " +
			"after a retransmission it can be up to 1 ms too short.",
		Kind: Gauge,
	}
	tcpRetransmitsTotal = &Metric{
		Name: "tcp_retransmits_total",
		Help: "Segments that this host sent again on the held session, logon included: " +
			"they were lost, or the answer that acknowledges them was.",
		Kind: Counter,
	}
	socketBufferBytes = &Metric{
		Name: "socket_buffer_bytes",
		Help: "Socket buffers of the fetch probe's last session as the kernel sized them, SO_RCVBUF and SO_SNDBUF. " +
			"direction: receive or send; moment: connect (after the logon) or fetch (after the last row).",
		Kind:   Gauge,
		Labels: []string{"direction", "moment"},
	}
)

// The values of the labels of socket_buffer_bytes.
const (
	bufferReceive = "receive"
	bufferSend    = "send"
	momentConnect = "connect"
	momentFetch   = "fetch"
)

// ifKernelTells declares metrics where there is something to fill them with.
func ifKernelTells(metrics ...*Metric) []*Metric {
	if !link.HasKernelView {
		return nil
	}
	return metrics
}

// kernelWatch looks at one session from its logon on.
type kernelWatch struct {
	retransmits int64 // when last looked
}

// look adds what the kernel tells of the session now, if anything.
func (w *kernelWatch) look(session *link.Session, out *Samples) {
	if view, ok := session.Kernel(); ok {
		w.add(view, out)
	}
}

func (w *kernelWatch) add(view link.KernelView, out *Samples) {
	out.Add(tcpRTTSeconds, view.RTT.Seconds())
	out.Add(tcpRTTVarianceSeconds, view.RTTVariance.Seconds())
	if view.MinRTT > 0 {
		out.Add(tcpMinRTTSeconds, view.MinRTT.Seconds())
	}
	out.Add(tcpRetransmitsTotal, float64(view.Retransmits-w.retransmits))
	w.retransmits = view.Retransmits
}

// addBuffers adds the sizes of the session's socket buffers at that moment.
func addBuffers(session *link.Session, moment string, out *Samples) {
	if view, ok := session.Kernel(); ok {
		out.Add(socketBufferBytes, float64(view.ReceiveBuffer), bufferReceive, moment)
		out.Add(socketBufferBytes, float64(view.SendBuffer), bufferSend, moment)
	}
}
