// What a listener answers to CONNECT: ACCEPT in the layout of each protocol version, REFUSE, RESEND.
package tns

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
)

const (
	// largeSDUVersion is the first version with 32-bit lengths, SDU and TDU.
	largeSDUVersion = 315
	// OldestVersion is the oldest protocol version that the simulator speaks, that of 10.2 (captures 19 and 21).
	OldestVersion = 312

	minimumSDU = 512
	// knownOptions are the connect options a server grants when they are asked for (captures 43, 44 and 54). Urgent data (0x0400) is
	// not among them: the simulator reads no out-of-band byte.
	knownOptions = 0x0841

	// The NA flags: those of a client that wants no native services, or has none; those of every server (captures 43, 44 and 54).
	servicesDisabled = 0x04
	servicesAbsent   = 0x08
	servicesOfServer = 0x41

	// reserve is what a server leaves unused of the SDU in the biggest DATA packet it sends: measured on real links, and seen in
	// capture 45 (SDU 8,192, packets of 8,111 bytes).
	reserve      = 81
	reserveSmall = 37 // below version 315
)

// AcceptReply is what an ACCEPT packet grants.
type AcceptReply struct {
	Version uint16
	Options uint16
	SDU     uint32
	TDU     uint32
	NAFlags [2]byte
}

// Grant returns what a server whose highest version and biggest SDU are given grants a client.
func (r *ConnectRequest) Grant(version uint16, sdu uint32) AcceptReply {
	reply := AcceptReply{
		Version: min(r.Version, version),
		Options: r.Options & knownOptions,
		SDU:     max(minimumSDU, min(r.SDU, sdu)),
		TDU:     r.TDU,
		NAFlags: [2]byte{r.NAFlags[0] | servicesOfServer, 0x01},
	}
	if r.NAFlags[0]&(servicesDisabled|servicesAbsent) != 0 {
		reply.NAFlags = [2]byte{r.NAFlags[0] | servicesOfServer | servicesDisabled, 0x00}
	}
	if reply.Version < largeSDUVersion {
		reply.SDU, reply.TDU = min(reply.SDU, 65535), min(reply.TDU, 65535)
	}
	return reply
}

// acceptLength is the length of an ACCEPT packet by version: 32 bytes in capture 41, 41 in 42, 45 in 43 and 44, 61 in 35.
func acceptLength(version uint16) int {
	switch {
	case version >= 319:
		return 61
	case version >= 317:
		return 45
	case version >= largeSDUVersion:
		return 41
	}
	return 32
}

// bytes lays the packet out.
func (a AcceptReply) bytes() []byte {
	packet := make([]byte, acceptLength(a.Version))
	packet[4] = byte(Accept)
	binary.BigEndian.PutUint16(packet[8:], a.Version)
	binary.BigEndian.PutUint16(packet[10:], a.Options)
	binary.BigEndian.PutUint16(packet[16:], 0x0100) // "one" in the server's byte order
	binary.BigEndian.PutUint16(packet[20:], uint16(len(packet)))
	copy(packet[22:], a.NAFlags[:])
	if a.Version < largeSDUVersion {
		binary.BigEndian.PutUint16(packet[12:], uint16(a.SDU))
		binary.BigEndian.PutUint16(packet[14:], uint16(a.TDU))
		return packet
	}
	binary.BigEndian.PutUint32(packet[32:], a.SDU)
	binary.BigEndian.PutUint32(packet[36:], a.TDU)
	if a.Version >= 319 {
		// The four flag bytes at 41 stay 0: no fast authentication, no end-of-response flag. What follows them is a random
		// identifier in captures 35, 54 and 58. rand.Read never fails.
		_, _ = rand.Read(packet[45:])
	}
	return packet
}

// WriteAccept accepts the connection and puts what was granted into force; Flush sends it.
func (c *Conn) WriteAccept(a AcceptReply) error {
	if err := c.send(a.bytes()); err != nil {
		return err
	}
	c.established, c.large, c.sdu = true, a.Version >= largeSDUVersion, int(a.SDU)
	c.biggestData = c.sdu - reserve
	if !c.large {
		c.biggestData = c.sdu - reserveSmall
	}
	return nil
}

// renegotiate is the header flag of a RESEND that asks for a new TLS handshake first (node-oracledb lib/thin/sqlnet/networkSession.js).
const renegotiateFlag = 0x08

// WriteResend asks the client to send its CONNECT again, after a new TLS handshake if renegotiate says so; Flush sends it.
func (c *Conn) WriteResend(renegotiate bool) error {
	var flags byte
	if renegotiate {
		flags = renegotiateFlag
	}
	return c.send([]byte{0, 0, 0, 0, byte(Resend), flags, 0, 0})
}

// RefuseText is what a listener's REFUSE says of an error. The text is that of capture 67, the version number in it the server's.
func RefuseText(code int, versionNumber uint32) string {
	return fmt.Sprintf("(DESCRIPTION=(TMP=)(VSNNUM=%d)(ERR=%d)(ERROR_STACK=(ERROR=(CODE=%d)(EMFI=4))))", versionNumber, code, code)
}

// WriteRefuse refuses the connection; Flush sends it.
func (c *Conn) WriteRefuse(text string) error {
	packet := []byte{0, 0, 0, 0, byte(Refuse), 0, 0, 0, 34, 0, byte(len(text) >> 8), byte(len(text))}
	return c.send(append(packet, text...))
}

// connectDataFlag is the header flag of a REDIRECT that carries connect data behind the address (captures 03 and 68).
const connectDataFlag = 0x02

// WriteRedirect sends the client to an address with connect data for there, in the packet, or in a DATA packet behind it as RAC
// listeners do; Flush sends it.
func (c *Conn) WriteRedirect(address, connectData string, behind bool) error {
	text := address + "\x00" + connectData
	packet := []byte{0, 0, 0, 0, byte(Redirect), connectDataFlag, 0, 0, byte(len(text) >> 8), byte(len(text))}
	if !behind {
		return c.send(append(packet, text...))
	}
	if err := c.send(packet); err != nil {
		return err
	}
	return c.send(append([]byte{0, 0, 0, 0, byte(Data), 0, 0, 0, 0, 0}, text...))
}

// WriteHeader sends the header of a packet that announces n bytes in all, and nothing of the rest; Flush sends it. Where lengths have
// 16 bits, n is what fits.
func (c *Conn) WriteHeader(t Type, n uint32) error {
	header := []byte{0, 0, 0, 0, byte(t), 0, 0, 0}
	if c.large {
		binary.BigEndian.PutUint32(header, n)
	} else {
		binary.BigEndian.PutUint16(header, uint16(min(n, preamblePacket)))
	}
	_, err := c.writer.Write(header)
	return err
}
