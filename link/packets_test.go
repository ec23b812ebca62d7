package link

import (
	"bytes"
	"errors"
	"net"
	"testing"

	"oranet_exporter/link/tns"
)

// script is a connection whose reads come in the pieces given.
type script struct {
	net.Conn
	pieces [][]byte
	wrote  bytes.Buffer
}

func (s *script) Read(p []byte) (int, error) {
	if len(s.pieces) == 0 {
		return 0, net.ErrClosed
	}
	n := copy(p, s.pieces[0])
	if s.pieces[0] = s.pieces[0][n:]; len(s.pieces[0]) == 0 {
		s.pieces = s.pieces[1:]
	}
	return n, nil
}

func (s *script) Write(p []byte) (int, error) { return s.wrote.Write(p) }

func data(length int) []byte {
	p := make([]byte, length)
	p[2], p[3], p[4] = byte(length>>8), byte(length), byte(tns.Data)
	return p
}

func drain(c net.Conn) error {
	for buf := make([]byte, 100); ; {
		if _, err := c.Read(buf); err != nil {
			return err
		}
	}
}

func TestPacketsAreCountedHoweverTheyArriveCut(t *testing.T) {
	stream := bytes.Join([][]byte{data(10), data(1967), {0, 0, 0, 11, 12, 0, 0, 0, 1, 0, 1}, data(300)}, nil)
	for size := 1; size < 400; size += 13 {
		s := &script{}
		for rest := stream; len(rest) > 0; rest = rest[min(size, len(rest)):] {
			s.pieces = append(s.pieces, rest[:min(size, len(rest))])
		}
		m := new(meter)
		c := newPacketConn(s, m, tns.Acceptance{Version: 319, SDU: 2048, TDU: 2048})
		if err := drain(c); !errors.Is(err, net.ErrClosed) {
			t.Fatalf("pieces of %d: %v", size, err)
		}
		got := m.Counts()
		if got.PacketsReceived != 4 || got.Markers != 1 || got.BiggestReceived != 1967 {
			t.Fatalf("pieces of %d: %d packets, %d markers, biggest %d; want 4, 1, 1967",
				size, got.PacketsReceived, got.Markers, got.BiggestReceived)
		}
	}
}

func TestTheDriverNeverSeesAHeaderThatLies(t *testing.T) {
	for _, header := range [][]byte{
		{0xff, 0xff, 0xff, 0xff, 6, 0, 0, 0},
		{0, 0, 0, 7, 6, 0, 0, 0},
		{0, 0, 0, 0, 6, 0, 0, 0},
	} {
		c := newPacketConn(&script{pieces: [][]byte{header}}, new(meter), tns.Acceptance{Version: 319, SDU: 8192, TDU: 8192})
		if err := drain(c); !errors.Is(err, tns.ErrMalformed) {
			t.Errorf("% x: error %v", header, err)
		}
	}
}

func TestTheDriversOwnConnectIsSwallowed(t *testing.T) {
	s := &script{}
	c := newPacketConn(s, new(meter), tns.Acceptance{Version: 319, SDU: 8192, TDU: 8192})
	_, _ = c.Write([]byte("the driver's CONNECT"))
	_, _ = c.Write([]byte("and its data"))
	if s.wrote.Len() != 0 {
		t.Fatalf("%d bytes of the driver's CONNECT went out", s.wrote.Len())
	}
	accept := make([]byte, 100)
	n, err := c.Read(accept)
	if err != nil {
		t.Fatal(err)
	}
	if a, err := tns.ParseAccept(accept[:n]); err != nil || a.SDU != 8192 {
		t.Fatalf("the driver was greeted with % x", accept[:n])
	}
	request := data(20)
	if _, err := c.Write(request); err != nil || !bytes.Equal(s.wrote.Bytes(), request) {
		t.Fatalf("what follows did not go out: % x, error %v", s.wrote.Bytes(), err)
	}
}

func TestTheDriverIsSparedCountsThatCannotBeTrue(t *testing.T) {
	answer := func(payload ...byte) []byte {
		p := append(data(tns.DataHeaderSize), payload...)
		p[3] = byte(len(p))
		return p
	}
	describe := func(count ...byte) []byte { return answer(append([]byte{16, 2, 'a', 'b', 1, 99}, count...)...) }
	services := func(count byte) []byte {
		return answer(0xde, 0xad, 0xbe, 0xef, 0, 99, 0, 0, 0, 0, 0, 1, 0, 0, 14, 0, 1, 0xde, 0xad, 0xbe, 0xef, 0, 3, 0, 0, 0, count, 0, 4, 0, 1)
	}
	for _, c := range []struct {
		name   string
		packet []byte
		ok     bool
	}{
		{"a description of 4,096 columns", describe(2, 0x10, 0), true},
		{"a description of 4,097", describe(2, 0x10, 1), false},
		{"a description of billions", describe(5, 1, 0, 0, 0, 0), false},
		{"a description cut off", describe(5, 1), true}, // the driver waits for the rest
		{"an integer that is none", describe(0x7f), true},
		{"the services there are", services(2), true},
		{"more services than there are", services(3), false},
		{"services without their list", answer(0xde, 0xad, 0xbe, 0xef), true},
		{"no message at all", answer(), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			conn := newPacketConn(&script{pieces: [][]byte{c.packet}}, new(meter), tns.Acceptance{Version: 319, SDU: 8192, TDU: 8192})
			if err := drain(conn); errors.Is(err, tns.ErrMalformed) == c.ok {
				t.Errorf("error %v, want malformed: %v", err, !c.ok)
			}
			// Within rows, which are anything, the same bytes count nothing.
			conn = newPacketConn(&script{pieces: [][]byte{data(20), c.packet}}, new(meter), tns.Acceptance{Version: 319, SDU: 8192, TDU: 8192})
			if err := drain(conn); errors.Is(err, tns.ErrMalformed) {
				t.Errorf("behind another packet of the answer: %v", err)
			}
		})
	}
}
