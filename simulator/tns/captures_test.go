package tns

import (
	"bytes"
	"encoding/binary"
	"testing"

	"oranet_exporter/simulator/internal/captures"
)

func TestAcceptIsThatOfRealServersInEveryVersion(t *testing.T) {
	tests := []struct {
		sequence string
		packet   int
		server   string
	}{
		{"41", 1, "11g, 314"}, {"43", 3, "19c, 317"}, {"44", 3, "19c, 318"}, {"35", 1, "26ai, 319"}, {"54", 2, "26ai, 319"},
		{"58", 3, "26ai, 319"}, {"64", 1, "12.1, 315"},
	}
	for _, test := range tests {
		t.Run(test.server, func(t *testing.T) {
			want := bytes.Clone(captures.Load(t, test.sequence)[test.packet-1].Bytes)
			a := AcceptReply{
				Version: binary.BigEndian.Uint16(want[8:]), Options: binary.BigEndian.Uint16(want[10:]), NAFlags: [2]byte(want[22:]),
				SDU: uint32(binary.BigEndian.Uint16(want[12:])), TDU: uint32(binary.BigEndian.Uint16(want[14:])),
			}
			if a.Version >= 315 {
				a.SDU, a.TDU = binary.BigEndian.Uint32(want[32:]), binary.BigEndian.Uint32(want[36:])
			}
			got := a.bytes()
			binary.BigEndian.PutUint16(got, uint16(len(got)))
			if a.Version >= 319 { // no fast authentication, no end-of-response flag; a random identifier
				if len(got) != len(want) {
					t.Fatalf("%d bytes, want %d", len(got), len(want))
				}
				got, want = got[:41], want[:41]
			}
			if !bytes.Equal(got, want) {
				t.Errorf("\n got % x\nwant % x", got, want)
			}
		})
	}
}

// firstAnswer is the first packet that a server sent.
func firstAnswer(t *testing.T, sequence string) []byte {
	t.Helper()
	for _, p := range captures.Load(t, sequence) {
		if p.FromServer {
			return p.Bytes
		}
	}
	t.Fatalf("capture %s has no answer", sequence)
	return nil
}

func TestGrantsAreThoseOfRealServers(t *testing.T) {
	for _, sequence := range []string{"43", "44", "54", "58"} {
		packets := captures.Load(t, sequence)
		request, _, _ := parseConnect(packets[0].Bytes[headerSize:])
		accept := firstAnswer(t, sequence)
		version, sdu := binary.BigEndian.Uint16(accept[8:]), binary.BigEndian.Uint32(accept[32:])
		granted := request.Grant(version, sdu)
		want := AcceptReply{
			Version: version, Options: binary.BigEndian.Uint16(accept[10:]), SDU: sdu, TDU: binary.BigEndian.Uint32(accept[36:]),
			NAFlags: [2]byte(accept[22:]),
		}
		if granted != want {
			t.Errorf("capture %s: granted %+v, want %+v", sequence, granted, want)
		}
	}
}

func TestRefuseAndMarkersAreThoseOfRealServers(t *testing.T) {
	refuse := captures.Load(t, "67")[0].Bytes
	errors := captures.Load(t, "46")
	before := captures.Load(t, "65")
	tests := []struct {
		name  string
		large bool
		write func(*Conn) error
		want  []byte
	}{
		{"refuse", false, func(c *Conn) error { return c.WriteRefuse(RefuseText(12514, 203424000)) }, refuse},
		{"break", true, func(c *Conn) error { return c.WriteMarker(Break) }, errors[18].Bytes},
		{"reset", true, func(c *Conn) error { return c.WriteMarker(Reset) }, errors[19].Bytes},
		{"break below version 315", false, func(c *Conn) error { return c.WriteMarker(Break) }, before[0].Bytes},
		{"resend", false, func(c *Conn) error { return c.WriteResend(false) }, firstAnswer(t, "23")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			socket := &recorder{}
			c := NewConn(socket, new(Traffic))
			c.large = test.large
			if err := test.write(c); err != nil {
				t.Fatal(err)
			}
			if err := c.Flush(); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(socket.sent.Bytes(), test.want) {
				t.Errorf("\n got % x\nwant % x", socket.sent.Bytes(), test.want)
			}
		})
	}
}
