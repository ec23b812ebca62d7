// What a DBA sees of a session in V$SESSION.MODULE and ACTION: which program
// it is, and which of its probes.

package link

import (
	"encoding/binary"

	"oranet_exporter/link/tns"
)

// The piggyback that sets end-to-end attributes goes in front of a call, in
// the same packet, and costs no round trip. The driver has none; its layout is
// that of node-oracledb (lib/thin/protocol/messages/base.js), which sends it to
// servers from 12.1 on.
const (
	messagePiggyback = 0x11
	functionEndToEnd = 0x87
	setsModule       = 0x08
	setsAction       = 0x10
)

// longestAttribute is what V$SESSION keeps of a module, bytes; of an action it
// keeps as much from 12.2 on.
const longestAttribute = 64

// endToEnd is the piggyback.
func endToEnd(module, action string) []byte {
	module, action = module[:min(len(module), longestAttribute)], action[:min(len(action), longestAttribute)]
	out := []byte{messagePiggyback, functionEndToEnd, 0 /* sequence, as the driver's calls have it */, 0, 0}
	out = append(out, 1, setsModule|setsAction)
	out = append(out, 0, 0) // client identifier: not set
	out = appendAttribute(out, module)
	out = appendAttribute(out, action)
	out = append(out, 0, 0, 0, 0)             // execution context: not set
	out = append(out, 0, 0, 0, 0, 0, 0, 0, 0) // client information, database operation and what is between: not set
	for _, text := range []string{module, action} {
		if text != "" {
			out = append(append(out, byte(len(text))), text...)
		}
	}
	return out
}

// appendAttribute announces an attribute and its length; its text comes later.
func appendAttribute(out []byte, text string) []byte {
	if text == "" {
		return append(out, 1, 0)
	}
	return append(out, 1, 1, byte(len(text)))
}

// inFront returns the DATA packet with a piggyback before its message. The
// packet's length has 32 bits.
func inFront(piggyback, packet []byte) []byte {
	out := append([]byte{}, packet[:tns.DataHeaderSize]...)
	out = append(append(out, piggyback...), packet[tns.DataHeaderSize:]...)
	binary.BigEndian.PutUint32(out, uint32(len(out)))
	return out
}
