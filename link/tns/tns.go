// Package tns reads and builds the packets of Oracle Net's transport layer,
// up to and including ACCEPT. It does no I/O and believes no length field.
//
// Layouts: node-oracledb lib/thin/sqlnet/packet.js, go-ora network/, and
// packets captured from servers 9i to 26ai.
package tns

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Type is the packet type, byte 4 of the header.
type Type byte

// The packet types that occur on a link.
const (
	Connect  Type = 1
	Accept   Type = 2
	Refuse   Type = 4
	Redirect Type = 5
	Data     Type = 6
	Resend   Type = 11
	Marker   Type = 12
	Control  Type = 14

	highest Type = 19 // of all that are defined
)

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
	return fmt.Sprintf("packet type %d", byte(t))
}

const (
	// HeaderSize is the size of every packet's header, bytes.
	HeaderSize = 8
	// DataHeaderSize is the header of a DATA packet with its two flag bytes.
	DataHeaderSize = 10
	// MinSDU and MaxSDU bound the session data unit, bytes.
	MinSDU = 512
	MaxSDU = 2097152
	// WideLengths is the first version whose packets after ACCEPT carry a
	// 32-bit length.
	WideLengths = 315
	// FlagTLSRenegotiation in a RESEND asks for a new TLS handshake on the
	// same TCP connection.
	FlagTLSRenegotiation = 0x08
	// FlagRedirected in a CONNECT says that a REDIRECT led here.
	FlagRedirected = 0x04
	// FlagConnectData in a REDIRECT says that connect data follow the
	// address, behind a NUL.
	FlagConnectData = 0x02
)

// ErrMalformed is wrapped by every error of this package: the peer does not
// speak Oracle Net, or speaks it wrongly.
var ErrMalformed = errors.New("malformed Oracle Net packet")

func malformed(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrMalformed, fmt.Sprintf(format, args...))
}

// Header is the start of every packet.
type Header struct {
	Length int // of the whole packet, header included
	Type   Type
	Flags  byte
}

// ParseHeader reads the first HeaderSize bytes. wide tells whether lengths
// have 32 bits, as they do after an ACCEPT of version 315 and later. A length
// below the header's or above max is malformed, and so is a type that does
// not exist: then there is no use in waiting for the rest.
func ParseHeader(b []byte, wide bool, max int) (Header, error) {
	if len(b) < HeaderSize {
		return Header{}, malformed("%d bytes are too few for a header", len(b))
	}
	h := Header{Type: Type(b[4]), Flags: b[5]}
	if h.Type == 0 || h.Type > highest {
		return h, malformed("%s does not exist: this is not Oracle Net", h.Type)
	}
	if wide {
		length := binary.BigEndian.Uint32(b)
		if length > uint32(max) {
			return h, malformed("%s of %d bytes, %d were allowed", h.Type, length, max)
		}
		h.Length = int(length)
	} else {
		h.Length = int(binary.BigEndian.Uint16(b))
	}
	if h.Length < HeaderSize || h.Length > max {
		return h, malformed("%s of %d bytes, %d to %d were allowed", h.Type, h.Length, HeaderSize, max)
	}
	return h, nil
}
