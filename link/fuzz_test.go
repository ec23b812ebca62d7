// Whatever a listener or a proxy sends, and what passes an established connection.

package link

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"oranet_exporter/link/dsn"
	"oranet_exporter/link/tns"
)

// inPieces plays a stream in pieces of n bytes.
func inPieces(stream []byte, n int) *script {
	return &script{pieces: slices.Collect(slices.Chunk(stream, max(1, n)))}
}

// FuzzPacketConn reads any bytes as an established connection's packets.
func FuzzPacketConn(f *testing.F) {
	for _, wide := range []bool{false, true} {
		f.Add(bytes.Join([][]byte{data(10), data(300), {0, 0, 0, 11, 12, 0, 0, 0, 1, 0, 1}}, nil), wide, uint8(7))
		f.Add([]byte{0, 11, 0, 0, 12, 0, 0, 0, 1, 0, 1, 0, 10, 0, 0, 6, 0, 0, 0, 0, 0x40}, wide, uint8(1))
		f.Add([]byte{0xff, 0xff, 0xff, 0xff, 6, 0, 0, 0}, wide, uint8(0))
	}
	f.Fuzz(func(t *testing.T, stream []byte, wide bool, size uint8) {
		accepted := tns.Acceptance{Version: 314, SDU: 8192, TDU: 8192}
		if wide {
			accepted.Version = 319
		}
		received := func(n int) (Counts, bool) {
			c := newPacketConn(inPieces(stream, n), new(meter), accepted)
			err := drain(c)
			if len(c.in.start) > lastDataSize || len(c.lastData) > lastDataSize {
				t.Fatalf("%d and %d bytes were kept", len(c.in.start), len(c.lastData))
			}
			_ = errorInMessage(c.lastData)
			return c.meter.Counts(), errors.Is(err, tns.ErrMalformed)
		}
		whole, wholeMalformed := received(len(stream))
		cut, cutMalformed := received(int(size))
		if whole != cut || wholeMalformed != cutMalformed {
			t.Fatalf("in one piece %+v, malformed %v; in pieces of %d %+v, malformed %v", whole, wholeMalformed, size, cut, cutMalformed)
		}

		out := inPieces(nil, 1)
		c := newPacketConn(out, new(meter), accepted)
		c.greeted = true
		for piece := range slices.Chunk(stream, max(1, int(size))) {
			if _, err := c.Write(piece); err != nil {
				return
			}
		}
		if !bytes.Equal(out.wrote.Bytes(), stream) {
			t.Fatalf("%d bytes went out of %d", out.wrote.Len(), len(stream))
		}
	})
}

// packet makes a packet of the exchange before ACCEPT.
func packet(kind tns.Type, body ...byte) []byte {
	length := tns.HeaderSize + len(body)
	return append([]byte{byte(length >> 8), byte(length), 0, 0, byte(kind), 0, 0, 0}, body...)
}

// FuzzAnswer reads any bytes as what a listener answers to CONNECT.
func FuzzAnswer(f *testing.F) {
	text := "(ADDRESS=(PROTOCOL=TCPS)(HOST=[::1])(PORT=1521))\x00(DESCRIPTION=(CONNECT_DATA=(SERVICE_NAME=s)))"
	f.Add(tns.Acceptance{Version: 319, SDU: 8192, TDU: 65536}.Bytes())
	f.Add(packet(tns.Refuse, append([]byte{34, 0, 0, 11}, "(ERR=12514)"...)...))
	f.Add(packet(tns.Redirect, append([]byte{0, byte(len(text))}, text...)...))
	f.Add(append(packet(tns.Redirect, 0, byte(len(text))), packet(tns.Data, append([]byte{0, 0}, text...)...)...))
	f.Add(packet(tns.Resend))
	f.Add([]byte("HTTP/1.1 400 Bad Request\r\n\r\n"))
	l, err := New(Config{DSN: "db/svc"})
	if err != nil {
		f.Fatal(err)
	}
	certified := l.desc.Addresses[0]
	f.Fuzz(func(t *testing.T, stream []byte) {
		o := l.newOpening(8192)
		conn := inPieces(stream, len(stream))
		h, packet, err := readPacket(conn)
		if err != nil {
			return
		}
		c := &connection{conn: conn}
		redirection, err := o.answer(c, h, packet, certified)
		var refused *refusedError
		switch {
		case errors.As(err, &refused) || redirection != nil || err != nil:
			if refused != nil && Classify(t.Context(), PhaseTNS, err).Reason == "" {
				t.Fatal("a refusal without a reason")
			}
			if redirection != nil {
				if address, err := dsn.ParseRedirect(redirection.Address); err == nil && (address.Host == "" || address.Port == 0) {
					t.Fatalf("redirected to %+v", address)
				}
			}
		default:
			again, err := tns.ParseAccept(c.accepted.Bytes())
			if err != nil || again != c.accepted {
				t.Fatalf("granted %+v, the driver reads %+v, %v", c.accepted, again, err)
			}
		}
	})
}

// FuzzProxyStatus reads any bytes as what a proxy answers.
func FuzzProxyStatus(f *testing.F) {
	f.Add([]byte("HTTP/1.1 200 OK\r\nVia: x\r\n\r\n"))
	f.Add([]byte("HTTP/1.0 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\nContent-Length: 99\r\n\r\n<html>"))
	f.Add([]byte("-ERR\r\n"))
	f.Fuzz(func(t *testing.T, stream []byte) {
		if code, err := proxyStatus(bytes.NewReader(stream)); err == nil && (code < 0 || code > 999) {
			t.Fatalf("status %d", code)
		}
	})
}
