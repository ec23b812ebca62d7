package tns

import (
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

// recorder is a socket that plays what it is given and keeps what is written.
type recorder struct {
	net.Conn
	received io.Reader
	sent     bytes.Buffer
}

func (r *recorder) Read(p []byte) (int, error)       { return r.received.Read(p) }
func (r *recorder) Write(p []byte) (int, error)      { return r.sent.Write(p) }
func (r *recorder) SetReadDeadline(time.Time) error  { return nil }
func (r *recorder) SetWriteDeadline(time.Time) error { return nil }

// The biggest packets are measured ones: SDU - 81 from version 315, SDU - 37 below.
func TestDataIsCutIntoPacketsBelowTheSDU(t *testing.T) {
	tests := []struct {
		version uint16
		sdu     uint32
		biggest int
	}{{318, 2048, 1967}, {318, 8192, 8111}, {315, 32768, 32687}, {314, 8192, 8155}, {318, 512, 431}}
	for _, test := range tests {
		socket := &recorder{}
		c := NewConn(socket, new(Traffic))
		if err := c.WriteAccept(AcceptReply{Version: test.version, SDU: test.sdu, TDU: test.sdu}); err != nil {
			t.Fatal(err)
		}
		message := bytes.Repeat([]byte("0123456789"), 10_000)
		for part := message; len(part) > 0; {
			n := min(len(part), 777)
			if _, err := c.Write(part[:n]); err != nil {
				t.Fatal(err)
			}
			part = part[n:]
		}
		if err := c.Flush(); err != nil {
			t.Fatal(err)
		}
		wire := socket.sent.Bytes()[acceptLength(test.version):]
		var got []byte
		for biggest := 0; len(wire) > 0; {
			n := int(binary.BigEndian.Uint32(wire))
			if test.version < 315 {
				n = int(binary.BigEndian.Uint16(wire))
			}
			biggest = max(biggest, n)
			got, wire = append(got, wire[10:n]...), wire[n:]
			if len(wire) == 0 && (biggest != test.biggest || c.traffic.BiggestSent.Load() != int64(test.biggest)) {
				t.Errorf("version %d, SDU %d: biggest packet %d, counted %d, want %d", test.version, test.sdu, biggest,
					c.traffic.BiggestSent.Load(), test.biggest)
			}
		}
		if !bytes.Equal(got, message) {
			t.Errorf("version %d, SDU %d: %d bytes came out of %d", test.version, test.sdu, len(got), len(message))
		}
		if sent := c.traffic.BytesSent.Load(); sent != int64(socket.sent.Len()) {
			t.Errorf("%d bytes were counted of %d", sent, socket.sent.Len())
		}
	}
}

// connectPacket is a CONNECT packet with its data inside, or behind it in DATA packets of the given size.
func connectPacket(version uint16, data string, overflow int) []byte {
	packet := make([]byte, 74)
	packet[4] = byte(Connect)
	binary.BigEndian.PutUint16(packet[8:], version)
	binary.BigEndian.PutUint16(packet[10:], 300)
	binary.BigEndian.PutUint16(packet[14:], 4096)
	binary.BigEndian.PutUint16(packet[16:], 8192)
	binary.BigEndian.PutUint16(packet[24:], uint16(len(data)))
	binary.BigEndian.PutUint16(packet[26:], 74)
	binary.BigEndian.PutUint32(packet[58:], 65536)
	binary.BigEndian.PutUint32(packet[62:], 2097152)
	if overflow == 0 {
		packet = append(packet, data...)
	}
	binary.BigEndian.PutUint16(packet, uint16(len(packet)))
	for overflow > 0 && len(data) > 0 {
		part := data[:min(overflow, len(data))]
		data = data[len(part):]
		follow := []byte{byte((10 + len(part)) >> 8), byte(10 + len(part)), 0, 0, byte(Data), 0, 0, 0, 0, 0}
		packet = append(append(packet, follow...), part...)
	}
	return packet
}

func TestConnectDataMayFollowInPacketsOfTheirOwn(t *testing.T) {
	long := "(DESCRIPTION=" + strings.Repeat("x", 1000) + ")"
	tests := []struct {
		name     string
		version  uint16
		data     string
		overflow int
		sdu      uint32
	}{
		{"inside", 318, "(DESCRIPTION=)", 0, 65536},
		{"in one packet", 318, long, 2000, 65536},
		{"in several packets", 318, long, 100, 65536},
		{"an old client, whose SDU has 16 bits", 314, "(DESCRIPTION=)", 0, 4096},
		{"none", 318, "", 0, 65536},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := NewConn(&recorder{received: bytes.NewReader(connectPacket(test.version, test.data, test.overflow))}, new(Traffic))
			request, err := c.ReadConnect(time.Minute)
			if err != nil {
				t.Fatal(err)
			}
			if request.Data != test.data || request.SDU != test.sdu || request.Version != test.version {
				t.Errorf("got %+v", request)
			}
		})
	}
}

func TestConnectDataThatDoNotComeAreAnError(t *testing.T) {
	whole := connectPacket(318, strings.Repeat("x", 300), 300)
	for _, n := range []int{5, 74, 80, len(whole) - 1} {
		c := NewConn(&recorder{received: bytes.NewReader(whole[:n])}, new(Traffic))
		if request, err := c.ReadConnect(time.Minute); err == nil {
			t.Errorf("after %d bytes: %+v", n, request)
		}
	}
}

func TestSDUIsNeverBelowTheSmallest(t *testing.T) {
	for asked, want := range map[uint32]uint32{0: 512, 1: 512, 511: 512, 512: 512, 8192: 8192, 1 << 31: 32768} {
		if got := (&ConnectRequest{Version: 318, SDU: asked}).Grant(318, 32768).SDU; got != want {
			t.Errorf("asked for %d, granted %d, want %d", asked, got, want)
		}
	}
}
