// Packets on a connection: reading them one by one, and cutting what the database says into DATA packets of the negotiated size.
package tns

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"sync/atomic"
	"time"
)

const (
	// ioTimeout bounds the rest of a packet once its first byte has arrived, and every write.
	ioTimeout = 60 * time.Second
	// preamblePacket is the most that fits the 16-bit length in use until the ACCEPT.
	preamblePacket = 65535
	writeBuffer    = 64 << 10
)

// Traffic counts what passed a connection in Oracle Net packets, in the clear: under TLS, what was inside the records. The counters
// may be read at any time.
type Traffic struct {
	BytesReceived, BytesSent     atomic.Int64
	BiggestReceived, BiggestSent atomic.Int64 // of DATA packets after the ACCEPT, header included
}

// Conn reads and writes packets. Its methods are for one goroutine.
type Conn struct {
	traffic *Traffic
	socket  net.Conn
	reader  *bufio.Reader
	writer  *bufio.Writer
	packet  []byte // the body of the packet last received
	pending []byte // the DATA packet under construction, header included; empty when there is none

	established bool // an ACCEPT was sent
	large       bool // 32-bit lengths are in use
	sdu         int
	biggestData int // the most bytes of a DATA packet that the server sends
}

// NewConn returns a connection over a socket whose TLS handshake, if any, is done. It counts into traffic.
func NewConn(socket net.Conn, traffic *Traffic) *Conn {
	return &Conn{
		traffic: traffic,
		socket:  socket,
		reader:  bufio.NewReaderSize(socket, 16<<10),
		writer:  bufio.NewWriterSize(boundedWriter{socket}, writeBuffer),
		sdu:     preamblePacket,
	}
}

// boundedWriter gives each write a deadline of its own.
type boundedWriter struct{ socket net.Conn }

func (w boundedWriter) Write(p []byte) (int, error) {
	if err := w.socket.SetWriteDeadline(time.Now().Add(ioTimeout)); err != nil {
		return 0, err
	}
	return w.socket.Write(p)
}

// ReadPacket waits for the next packet: until idle has passed (0: for ever) for its first byte. It returns io.EOF when the client
// closed the connection between packets, and otherwise an error that says what was wrong with the packet.
func (c *Conn) ReadPacket(idle time.Duration) (Packet, error) {
	if err := c.waitForByte(idle); err != nil {
		return Packet{}, err
	}
	if err := c.socket.SetReadDeadline(time.Now().Add(ioTimeout)); err != nil {
		return Packet{}, err
	}
	header, err := c.reader.Peek(headerSize)
	if err != nil {
		return Packet{}, fmt.Errorf("packet header cut off after %d bytes: %w", len(header), err)
	}
	length := int(binary.BigEndian.Uint16(header))
	if c.large {
		length = int(binary.BigEndian.Uint32(header))
	}
	packet := Packet{Type: Type(header[4]), Flags: header[5]}
	if length < headerSize || length > c.sdu {
		return Packet{}, fmt.Errorf("a %s packet says it is %d bytes long, allowed are %d to %d", packet.Type, length, headerSize, c.sdu)
	}
	if _, err := c.reader.Discard(headerSize); err != nil {
		return Packet{}, err
	}
	if cap(c.packet) < length {
		c.packet = make([]byte, length)
	}
	packet.Body = c.packet[:length-headerSize]
	if _, err := io.ReadFull(c.reader, packet.Body); err != nil {
		return Packet{}, fmt.Errorf("a %s packet of %d bytes was cut off: %w", packet.Type, length, err)
	}
	c.traffic.BytesReceived.Add(int64(length))
	if packet.Type == Data && c.established {
		raise(&c.traffic.BiggestReceived, length)
	}
	return packet, nil
}

// waitForByte waits until there is something to read.
func (c *Conn) waitForByte(idle time.Duration) error {
	var deadline time.Time
	if idle > 0 {
		deadline = time.Now().Add(idle)
	}
	if err := c.socket.SetReadDeadline(deadline); err != nil {
		return err
	}
	_, err := c.reader.Peek(1)
	return err
}

// Pause waits for d, and returns early with true when the client sends something meanwhile.
func (c *Conn) Pause(d time.Duration) (interrupted bool, err error) {
	err = c.waitForByte(d)
	if timeout, ok := err.(net.Error); ok && timeout.Timeout() {
		return false, nil
	}
	return err == nil, err
}

// raise sets a to n if n is more. Conn is its only writer.
func raise(a *atomic.Int64, n int) {
	if int64(n) > a.Load() {
		a.Store(int64(n))
	}
}

// Write adds a part of an answer to the DATA packet under construction and sends every packet that is full.
func (c *Conn) Write(payload []byte) (int, error) {
	for rest := payload; len(rest) > 0; {
		if len(c.pending) == 0 {
			c.startData(0, 0)
		}
		n := min(len(rest), c.biggestData-len(c.pending))
		c.pending = append(c.pending, rest[:n]...)
		rest = rest[n:]
		if len(c.pending) == c.biggestData {
			if err := c.seal(); err != nil {
				return len(payload) - len(rest), err
			}
		}
	}
	return len(payload), nil
}

// startData begins a DATA packet.
func (c *Conn) startData(headerFlags byte, dataFlags uint16) {
	c.pending = append(c.pending[:0], 0, 0, 0, 0, byte(Data), headerFlags, 0, 0, byte(dataFlags>>8), byte(dataFlags))
}

// seal hands the DATA packet under construction to the socket's buffer.
func (c *Conn) seal() error {
	raise(&c.traffic.BiggestSent, len(c.pending))
	err := c.send(c.pending)
	c.pending = c.pending[:0]
	return err
}

// send writes the length into a packet and hands it to the socket's buffer.
func (c *Conn) send(packet []byte) error {
	if c.large {
		binary.BigEndian.PutUint32(packet, uint32(len(packet)))
	} else {
		binary.BigEndian.PutUint16(packet, uint16(len(packet)))
	}
	c.traffic.BytesSent.Add(int64(len(packet)))
	_, err := c.writer.Write(packet)
	return err
}

// Flush ends the answer: the last DATA packet, however full, and everything that is still buffered go to the client.
func (c *Conn) Flush() error {
	if len(c.pending) > 0 {
		if err := c.seal(); err != nil {
			return err
		}
	}
	return c.writer.Flush()
}

// WriteServices sends a DATA packet with a native services (ANO) reply; Flush ends it.
func (c *Conn) WriteServices(payload []byte) error {
	c.startData(modernFlag, 0)
	_, err := c.Write(payload)
	return err
}

// WriteMarker sends a marker; what Write has collected stays in front of it.
func (c *Conn) WriteMarker(kind MarkerKind) error {
	if len(c.pending) > 0 {
		if err := c.seal(); err != nil {
			return err
		}
	}
	var flags byte
	if c.large {
		flags = modernFlag
	}
	return c.send([]byte{0, 0, 0, 0, byte(Marker), flags, 0, 0, 1, 0, byte(kind)})
}
