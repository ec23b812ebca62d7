// Package tns is the simulated database's side of Oracle Net's packet layer: headers, CONNECT, ACCEPT, REFUSE, RESEND, markers, and
// DATA packets cut to the session data unit. It shares no code with the link that the simulator serves to test, so that both cannot
// be wrong in the same way.
//
// This file holds the packet types and the header.
package tns

import "fmt"

// Type is the type of a packet, the fifth byte of its header.
type Type byte

// The packet types (node-oracledb lib/thin/sqlnet/constants.js; captures 01, 03 and 45).
const (
	Connect  Type = 1
	Accept   Type = 2
	Refuse   Type = 4
	Redirect Type = 5
	Data     Type = 6
	Resend   Type = 11
	Marker   Type = 12
	Control  Type = 14
)

// String names the type as Oracle's documentation does.
func (t Type) String() string {
	switch t {
	case Connect:
		return "CONNECT"
	case Accept:
		return "ACCEPT"
	case Refuse:
		return "REFUSE"
	case Redirect:
		return "REDIRECT"
	case Data:
		return "DATA"
	case Resend:
		return "RESEND"
	case Marker:
		return "MARKER"
	case Control:
		return "CONTROL"
	}
	return fmt.Sprintf("type %d", byte(t))
}

const (
	headerSize    = 8
	dataFlagsSize = 2

	// modernFlag is header flag 0x20, which servers from 12.1 set on native services replies and markers (captures 42, 43, 46, 64).
	modernFlag = 0x20
	// endOfFile is the data flag of the last packet of a session (captures 43 and 44).
	endOfFile = 0x0040
)

// Packet is one packet as received. Body is what follows the 8-byte header; it is valid until the next read.
type Packet struct {
	Type  Type
	Flags byte
	Body  []byte
}

// Payload returns what a DATA packet carries behind its two flag bytes, and whether the packet ends the session.
func (p Packet) Payload() (payload []byte, last bool, err error) {
	if p.Type != Data || len(p.Body) < dataFlagsSize {
		return nil, false, fmt.Errorf("expected a DATA packet, received a %s packet of %d bytes", p.Type, headerSize+len(p.Body))
	}
	flags := uint16(p.Body[0])<<8 | uint16(p.Body[1])
	return p.Body[dataFlagsSize:], flags&endOfFile != 0, nil
}

// MarkerKind is what a marker says, the third byte of its body.
type MarkerKind byte

// The markers (captures 46 and 65; node-oracledb calls them NIQBMARK, NIQRMARK and NIQIMARK).
const (
	Break     MarkerKind = 1
	Reset     MarkerKind = 2
	Interrupt MarkerKind = 3
)

// MarkerKind returns what a MARKER packet says. A marker without data (type 0) is a break.
func (p Packet) MarkerKind() (MarkerKind, error) {
	if p.Type != Marker || len(p.Body) < 3 {
		return 0, fmt.Errorf("expected a MARKER packet, received a %s packet of %d bytes", p.Type, headerSize+len(p.Body))
	}
	if p.Body[0] == 0 {
		return Break, nil
	}
	return MarkerKind(p.Body[2]), nil
}
