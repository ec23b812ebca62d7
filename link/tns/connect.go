// CONNECT, the client's first packet.

package tns

import "encoding/binary"

const (
	connectHeaderSize = 70
	// connectDataInline is the most connect data that fit into the CONNECT
	// packet itself; longer text follows in a DATA packet.
	connectDataInline = 230

	optionNoHeaderChecksum = 0x0001
	optionFullDuplex       = 0x0800
	protocolCharacteristic = 0x4f98
	byteOrderOne           = 1
	naServicesWanted       = 0x01
)

// ConnectRequest is what a client asks a listener for. Version, options and
// native service flags are those that go-ora v2.9.0 would send, so that the
// ACCEPT fits what it can do afterwards (its network/connect_packet.go).
type ConnectRequest struct {
	SDU        int    // session data unit asked for, bytes
	Data       string // connect descriptor
	Redirected bool   // a REDIRECT led here
}

// Versions that a CONNECT offers: the highest that go-ora v2.9.0 understands,
// and the lowest.
const (
	Version       = 317
	LowestVersion = 300
)

// Packets returns the bytes to send: CONNECT, and, for connect data that do
// not fit, a DATA packet behind it.
func (r ConnectRequest) Packets() []byte {
	inline := len(r.Data) <= connectDataInline
	length := connectHeaderSize
	if inline {
		length += len(r.Data)
	}
	p := make([]byte, connectHeaderSize, connectHeaderSize+DataHeaderSize+len(r.Data))
	binary.BigEndian.PutUint16(p[0:], uint16(length))
	p[4] = byte(Connect)
	if r.Redirected {
		p[5] = FlagRedirected
	}
	binary.BigEndian.PutUint16(p[8:], Version)
	binary.BigEndian.PutUint16(p[10:], LowestVersion)
	binary.BigEndian.PutUint16(p[12:], optionNoHeaderChecksum|optionFullDuplex)
	binary.BigEndian.PutUint16(p[14:], uint16(min(r.SDU, 0xffff)))
	binary.BigEndian.PutUint16(p[16:], 0xffff)
	binary.BigEndian.PutUint16(p[18:], protocolCharacteristic)
	binary.BigEndian.PutUint16(p[22:], byteOrderOne)
	binary.BigEndian.PutUint16(p[24:], uint16(len(r.Data)))
	binary.BigEndian.PutUint16(p[26:], connectHeaderSize)
	p[32], p[33] = naServicesWanted, naServicesWanted
	binary.BigEndian.PutUint32(p[58:], uint32(r.SDU))
	binary.BigEndian.PutUint32(p[62:], MaxSDU)
	if !inline {
		p = append(p, dataHeader(len(r.Data))...)
	}
	return append(p, r.Data...)
}

func dataHeader(payload int) []byte {
	h := make([]byte, DataHeaderSize)
	binary.BigEndian.PutUint16(h, uint16(DataHeaderSize+payload))
	h[4] = byte(Data)
	return h
}
