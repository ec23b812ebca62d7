// The CONNECT packet: what a client asks for.
package tns

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"
)

const (
	// connectMinimum is where the fixed part of the oldest CONNECT ends: 26 bytes of body hold everything up to the NA flags.
	connectMinimum = 26
	// largeUnitsEnd is where the 32-bit SDU and TDU of a CONNECT end, counted from the start of the packet.
	largeUnitsEnd = 66
	// longestConnectData is far more than any descriptor; the data may follow in several packets.
	longestConnectData = 32 << 10
)

// ConnectRequest is what a CONNECT packet asks for. Offsets in this file are those of the packet, header included
// (go-ora network/connect_packet.go, node-oracledb lib/thin/sqlnet/packet.js; captures 43 and 44).
type ConnectRequest struct {
	Version uint16
	Lowest  uint16
	Options uint16
	SDU     uint32
	TDU     uint32
	NAFlags [2]byte
	Data    string // the connect descriptor
}

// ReadConnect reads a CONNECT packet and the connect data, which a client sends in a DATA packet of their own when they are longer
// than 230 bytes. It waits at most timeout for each packet.
func (c *Conn) ReadConnect(timeout time.Duration) (*ConnectRequest, error) {
	packet, err := c.ReadPacket(timeout)
	if err != nil {
		return nil, err
	}
	if packet.Type != Connect || len(packet.Body) < connectMinimum {
		return nil, fmt.Errorf("expected CONNECT, received a %s packet of %d bytes", packet.Type, headerSize+len(packet.Body))
	}
	request, length, offset := parseConnect(packet.Body)
	if length > longestConnectData {
		return nil, fmt.Errorf("CONNECT announces %d bytes of connect data, allowed are %d", length, longestConnectData)
	}
	var data []byte
	if offset >= headerSize && offset-headerSize < len(packet.Body) {
		data = append(data, packet.Body[offset-headerSize:]...)
	}
	for len(data) < length {
		packet, err := c.ReadPacket(timeout)
		if err != nil {
			return nil, fmt.Errorf("connect data cut off after %d of %d bytes: %w", len(data), length, err)
		}
		payload, _, err := packet.Payload()
		if err != nil {
			return nil, err
		}
		if len(payload) == 0 {
			return nil, errors.New("the client sent an empty DATA packet in place of its connect data")
		}
		data = append(data, payload...)
	}
	request.Data = string(data[:length])
	return request, nil
}

// parseConnect reads the fixed part of a CONNECT packet, and how long and where the connect data are.
func parseConnect(body []byte) (request *ConnectRequest, length, offset int) {
	at := func(offset int) []byte { return body[offset-headerSize:] }
	request = &ConnectRequest{
		Version: binary.BigEndian.Uint16(at(8)),
		Lowest:  binary.BigEndian.Uint16(at(10)),
		Options: binary.BigEndian.Uint16(at(12)),
		SDU:     uint32(binary.BigEndian.Uint16(at(14))),
		TDU:     uint32(binary.BigEndian.Uint16(at(16))),
		NAFlags: [2]byte(at(32)),
	}
	length, offset = int(binary.BigEndian.Uint16(at(24))), int(binary.BigEndian.Uint16(at(26)))
	if request.Version >= largeSDUVersion && len(body) >= largeUnitsEnd-headerSize && offset >= largeUnitsEnd {
		request.SDU, request.TDU = binary.BigEndian.Uint32(at(58)), binary.BigEndian.Uint32(at(62))
	}
	return request, length, offset
}
