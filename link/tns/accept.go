// ACCEPT, the listener's yes, with the sizes it grants.

package tns

import "encoding/binary"

// Acceptance is what an ACCEPT packet says.
type Acceptance struct {
	Version int
	Options uint16
	SDU     int // bytes, not above TDU
	TDU     int // bytes
	Flags0  byte
	Flags1  byte // native service flags
}

const (
	acceptMinSize  = 24 // version 308: no reconnect address fields
	acceptWideSize = 40 // from version 315: 32-bit SDU and TDU
)

// ParseAccept reads a whole ACCEPT packet. Up to version 314 the sizes stand
// in 16 bits; from 315 in 32 bits, and the 16-bit fields may be 0.
func ParseAccept(p []byte) (Acceptance, error) {
	if len(p) < acceptMinSize {
		return Acceptance{}, malformed("ACCEPT of %d bytes, at least %d are needed", len(p), acceptMinSize)
	}
	a := Acceptance{
		Version: int(binary.BigEndian.Uint16(p[8:])),
		Options: binary.BigEndian.Uint16(p[10:]),
		SDU:     int(binary.BigEndian.Uint16(p[12:])),
		TDU:     int(binary.BigEndian.Uint16(p[14:])),
		Flags0:  p[22],
		Flags1:  p[23],
	}
	if a.Version >= WideLengths {
		if len(p) < acceptWideSize {
			return a, malformed("ACCEPT of version %d has %d bytes, at least %d are needed", a.Version, len(p), acceptWideSize)
		}
		a.SDU = int(binary.BigEndian.Uint32(p[32:]))
		a.TDU = int(binary.BigEndian.Uint32(p[36:]))
	}
	a.SDU = min(a.SDU, a.TDU)
	if a.SDU < MinSDU || a.SDU > MaxSDU {
		return a, malformed("ACCEPT grants an SDU of %d bytes, %d to %d are possible", a.SDU, MinSDU, MaxSDU)
	}
	return a, nil
}

// Bytes renders the acceptance as the plainest ACCEPT of its version: no
// data, no reconnect address, no session id. A driver that is given this
// instead of the packet that came is spared whatever else stood in it.
func (a Acceptance) Bytes() []byte {
	size := 32
	if a.Version >= WideLengths {
		size = 41
	}
	p := make([]byte, size)
	binary.BigEndian.PutUint16(p[0:], uint16(size))
	p[4] = byte(Accept)
	binary.BigEndian.PutUint16(p[8:], uint16(a.Version))
	binary.BigEndian.PutUint16(p[10:], a.Options)
	binary.BigEndian.PutUint16(p[16:], 0x0100)
	binary.BigEndian.PutUint16(p[20:], uint16(size))
	p[22], p[23] = a.Flags0, a.Flags1
	if a.Version >= WideLengths {
		binary.BigEndian.PutUint32(p[32:], uint32(a.SDU))
		binary.BigEndian.PutUint32(p[36:], uint32(a.TDU))
	} else {
		binary.BigEndian.PutUint16(p[12:], uint16(a.SDU))
		binary.BigEndian.PutUint16(p[14:], uint16(a.TDU))
	}
	return p
}
