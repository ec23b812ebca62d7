// Elapsed time taken apart: network, server, transfer, client. What each of
// them is, and why, is in docs/measurement.md.

package probes

import (
	"time"

	"oranet_exporter/link"
)

// components are where the time of a query went. They sum to its elapsed time.
type components struct {
	network, server, transfer, client time.Duration
}

// componentNames are the values of the label component, in the order of add.
var componentNames = []string{"network", "server", "transfer", "client"}

// add adds the components to a metric whose last label is the component.
func (c components) add(out *Samples, m *Metric, labels ...string) {
	for i, d := range []time.Duration{c.network, c.server, c.transfer, c.client} {
		out.Add(m, d.Seconds(), append(labels[:len(labels):len(labels)], componentNames[i])...)
	}
}

// tripTimes are what one round trip took on the session of a query, just
// before the query.
type tripTimes struct {
	ping    time.Duration // a call that does nothing: the network's round trip and the server's handling of a call
	connect time.Duration // the TCP handshake: the network's alone, maybe only as far as a proxy or a gateway
}

// takeApart divides the elapsed time of what the meter counted, given what a
// ping took beside it. No component is negative.
func takeApart(elapsed time.Duration, c link.Counts, ping time.Duration) components {
	network := min(trips(c, ping), c.Waiting)
	first := firstSegments(c, c.Waiting-network)
	return components{
		network:  network,
		server:   c.Waiting - network - first,
		transfer: c.Receiving + first,
		client:   elapsed - c.Waiting - c.Receiving,
	}
}

// toldByServer divides the waiting anew, now that the server has told how long
// it was busy: the rest of the waiting is the network's. The network keeps at
// least a TCP handshake for each of the query's round trips. A server that was
// busy for a twentieth longer than that leaves was so while rows were being
// received, which is not waiting: then its word says nothing of the waiting,
// and is refused.
func (c components) toldByServer(busy time.Duration, counts link.Counts, t tripTimes) (told components, ok bool) {
	waiting := c.network + c.server
	most := waiting - trips(counts, min(t.ping, t.connect))
	if busy-most > max(elapsedTimeUnit, busy/20) {
		return c, false
	}
	c.server = min(busy, most)
	c.network = waiting - c.server
	return c, true
}

// elapsedTimeUnit is that of ELAPSED_TIME, twice: of two readings.
const elapsedTimeUnit = 2 * time.Microsecond

func trips(c link.Counts, each time.Duration) time.Duration {
	return time.Duration(c.RoundTrips) * each
}

// firstSegments is the part of the waiting in which the answers' first
// segments were on their way: at the rate at which the rest of the answers
// came, and at most all that the network has left of the waiting.
func firstSegments(c link.Counts, most time.Duration) time.Duration {
	rest := c.Received - c.FirstSegments
	if rest <= 0 {
		return 0
	}
	return min(time.Duration(float64(c.Receiving)*float64(c.FirstSegments)/float64(rest)), most)
}
