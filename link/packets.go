// The connection that the driver is given: every Oracle Net packet is looked
// at as it passes, in the clear under TLS too, and checked before the driver
// allocates memory on its word.

package link

import (
	"fmt"
	"io"
	"net"

	"oranet_exporter/link/tns"
)

// packetConn checks and counts the packets of an established Oracle Net
// connection. Before the driver's first read it plays the listener to it: the
// CONNECT that the driver writes is swallowed, because ours has been answered
// already, and the first thing it reads is that answer.
type packetConn struct {
	net.Conn // the wire, or TLS over it
	meter    *meter
	wide     bool
	maxSize  int

	greeting []byte // the ACCEPT still to be read by the driver
	greeted  bool

	in, out  packetScanner
	answered bool   // the answer under way has begun
	err      error  // a malformed packet; every later read returns it
	lastData []byte // start of the last DATA packet received, for errors whose number the driver drops
	onCall   func(function byte)

	named []byte // piggyback that goes in front of the first call after the logon, once
}

// lastDataSize bounds what is kept of a DATA packet: an error message stands
// within the first few hundred bytes of its payload.
const lastDataSize = 1024

func newPacketConn(conn net.Conn, m *meter, a tns.Acceptance) *packetConn {
	c := &packetConn{
		Conn:     conn,
		meter:    m,
		wide:     a.Version >= tns.WideLengths,
		maxSize:  min(max(a.SDU, a.TDU), tns.MaxSDU),
		greeting: a.Bytes(),
	}
	if !c.wide {
		c.maxSize = 0xffff
	}
	return c
}

// Read gives the driver its ACCEPT first, then what the server sends.
func (c *packetConn) Read(p []byte) (int, error) {
	c.greeted = true
	if len(c.greeting) > 0 {
		n := copy(p, c.greeting)
		c.greeting = c.greeting[n:]
		return n, nil
	}
	if c.err != nil {
		return 0, c.err
	}
	n, err := c.Conn.Read(p)
	if c.err = c.in.scan(p[:n], c.parse, c.received); c.err != nil {
		return 0, c.err
	}
	return n, err
}

// Write swallows what the driver writes before its first read, and sends the rest.
func (c *packetConn) Write(p []byte) (int, error) {
	if !c.greeted {
		return len(p), nil
	}
	if err := c.out.scan(p, c.parse, c.sent); err != nil {
		return 0, err
	}
	if _, err := c.Conn.Write(c.name(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// name puts the session's names in front of the first call after the logon,
// which is short and a packet of its own.
func (c *packetConn) name(p []byte) []byte {
	if c.named == nil || call(p) != callVersion {
		return p
	}
	packet := inFront(c.named, p)
	c.named = nil
	return packet
}

// Close closes the connection. An error of the packets stays with it.
func (c *packetConn) Close() error { return c.Conn.Close() }

func (c *packetConn) parse(header []byte) (tns.Header, error) {
	return tns.ParseHeader(header, c.wide, c.maxSize)
}

func (c *packetConn) received(h tns.Header, start []byte) error {
	c.meter.mu.Lock()
	defer c.meter.mu.Unlock()
	c.meter.counts.PacketsReceived++
	switch h.Type {
	case tns.Data:
		c.meter.counts.BiggestReceived = max(c.meter.counts.BiggestReceived, h.Length)
		c.lastData = append(c.lastData[:0], start...)
	case tns.Marker:
		c.meter.counts.Markers++
		c.lastData = c.lastData[:0] // what comes next says why
	}
	if h.Type == tns.Data && !c.answered {
		c.answered = true
		if !plausible(start) {
			return fmt.Errorf("%w: an answer announces more than can be", tns.ErrMalformed)
		}
	}
	return nil
}

func (c *packetConn) sent(h tns.Header, start []byte) error {
	c.answered = false
	c.meter.mu.Lock()
	c.meter.counts.PacketsSent++
	switch h.Type {
	case tns.Data:
		c.meter.counts.BiggestSent = max(c.meter.counts.BiggestSent, h.Length)
	case tns.Marker:
		c.meter.counts.Markers++
	}
	c.meter.mu.Unlock()
	if function := call(start); c.onCall != nil && h.Type == tns.Data && function != 0 {
		c.onCall(function)
	}
	return nil
}

// call is the function of the call that a DATA packet begins with, 0 if it
// begins with none.
func call(packet []byte) (function byte) {
	const messageAt, functionAt, callMessage = tns.DataHeaderSize, tns.DataHeaderSize + 1, 3
	if len(packet) <= functionAt || packet[messageAt] != callMessage {
		return 0
	}
	return packet[functionAt]
}

// packetScanner finds packet boundaries in a stream that arrives in pieces.
type packetScanner struct {
	start     []byte // the first bytes of the packet under way
	header    tns.Header
	remaining int // bytes of the packet still to come; 0 between packets
}

// scan consumes p. It calls parse once a header is whole and done when a
// packet is, with the packet's first bytes. The error of either ends it.
func (s *packetScanner) scan(p []byte, parse func([]byte) (tns.Header, error), done func(tns.Header, []byte) error) error {
	for len(p) > 0 {
		if s.remaining == 0 {
			need := tns.HeaderSize - len(s.start)
			take := min(need, len(p))
			s.start = append(s.start, p[:take]...)
			p = p[take:]
			if take < need {
				return nil
			}
			header, err := parse(s.start)
			if err != nil {
				return err
			}
			s.header = header
			s.remaining = header.Length - tns.HeaderSize
		}
		take := min(s.remaining, len(p))
		if room := lastDataSize - len(s.start); room > 0 {
			s.start = append(s.start, p[:min(room, take)]...)
		}
		p = p[take:]
		if s.remaining -= take; s.remaining == 0 {
			if err := done(s.header, s.start); err != nil {
				return err
			}
			s.start = s.start[:0]
		}
	}
	return nil
}

// readPacket reads one whole packet of the exchange before ACCEPT, whose
// lengths always have 16 bits.
func readPacket(r io.Reader) (tns.Header, []byte, error) {
	head := make([]byte, tns.HeaderSize)
	n, err := io.ReadFull(r, head)
	if isTLSRecord(head[:n]) {
		return tns.Header{}, nil, errTLSPort
	}
	if err != nil {
		return tns.Header{}, nil, err
	}
	h, err := tns.ParseHeader(head, false, 0xffff)
	if err != nil {
		return h, nil, err
	}
	packet := make([]byte, h.Length)
	copy(packet, head)
	_, err = io.ReadFull(r, packet[tns.HeaderSize:])
	return h, packet, err
}
