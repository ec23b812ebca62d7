// The protocol negotiation: what the simulated server can do.
package ttc

import "encoding/binary"

// Character sets.
const (
	charsetAL32UTF8   = 873
	charsetAL16UTF16  = 2000
	charsetFormNormal = 1
)

// FieldVersion is the server's TTC field version: that of 19c.
const FieldVersion = 12

// OldestFieldVersion is that of 18c. The layouts of older clients differ, and no client of the simulator needs them.
const OldestFieldVersion = 10

// Capability bytes that matter here, by index.
const (
	capFieldVersion = 7
	capTwoByteTypes = 27
	capChunks       = 37
	capTimeZone     = 1 // runtime

	capChunksTimeZoneVersion = 0x02 // of capChunks: the time zone is followed by the version of its file
	capChunksBig             = 0x20 // of capChunks: the lengths of chunks are integers
)

// compileCapabilities and runtimeCapabilities are those of 19.22 (captures 43 and 44).
var (
	compileCapabilities = []byte{
		0x06, 0x01, 0x01, 0x01, 0x6f, 0x07, 0x01, FieldVersion, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x7f, 0xff, 0x03, 0x0e, 0x03, 0x03,
		0x01, 0x01, 0xff, 0x01, 0xff, 0xff, 0x01, 0x0b, 0x01, 0x01, 0xff, 0x01, 0x06, 0x0b, 0xe2, 0x01, 0x7f, 0x05, 0x0f, 0x0f, 0x0d,
	}
	runtimeCapabilities = []byte{0x02, 0x01, 0x00, 0x01, 0x18, 0x00, 0x77}
	// conversion is the table of types and representations in a server's reply, up to its character sets (captures 43 and 46).
	conversion = []byte{
		0x00, 0x00, 0x00, 0x60, 0x01, 0x24, 0x0f, 0x05, 0x0b, 0x0c, 0x03, 0x0c, 0x0c, 0x05, 0x04, 0x05, 0x0d, 0x06, 0x09, 0x07, 0x08, 0x05,
		0x05, 0x05, 0x05, 0x05, 0x0f, 0x05, 0x05, 0x05, 0x05, 0x05, 0x0a, 0x05, 0x05, 0x05, 0x05, 0x05, 0x04, 0x05, 0x06, 0x07, 0x08, 0x08,
		0x23, 0x47, 0x23, 0x47, 0x08, 0x11, 0x23, 0x08, 0x11, 0x41, 0xb0, 0x47, 0x00, 0x83,
	}
	// charsetElements is the list of character sets that a server with AL32UTF8 converts (capture 46).
	charsetElements = []byte{
		0x66, 0x03, 0x40, 0x03, 0x01, 0x40, 0x03, 0x66, 0x03, 0x01, 0x66, 0x03, 0x48, 0x03, 0x01, 0x48, 0x03, 0x66, 0x03, 0x01, 0x66, 0x03,
		0x52, 0x03, 0x01, 0x52, 0x03, 0x66, 0x03, 0x01, 0x66, 0x03, 0x61, 0x03, 0x01, 0x61, 0x03, 0x66, 0x03, 0x01, 0x66, 0x03, 0x1f, 0x03,
		0x08, 0x1f, 0x03, 0x66, 0x03, 0x01,
	}
)

const (
	conversionLength  = 100
	longestDriverName = 64
)

// ProtocolRequest reads a client's protocol message behind its first byte: the versions it speaks and its driver's name.
func (r *Reader) ProtocolRequest() {
	for versions := 0; r.Byte() != 0; versions++ {
		if versions > longestDriverName {
			r.fail("a protocol version list without an end")
		}
	}
	for length := 0; r.Byte() != 0; length++ {
		if length > longestDriverName {
			r.fail("a driver name without an end")
		}
	}
}

// ProtocolReply writes the server's answer: protocol version 6, banner, character sets and capabilities.
func (w *Writer) ProtocolReply() {
	w.Byte(byte(MessageProtocol), 6, 0)
	w.Raw([]byte("x86_64/Linux 2.4.xx\x00"))
	w.buffer = binary.LittleEndian.AppendUint16(w.buffer, charsetAL32UTF8)
	w.Byte(1)
	w.buffer = binary.LittleEndian.AppendUint16(w.buffer, uint16(len(charsetElements)/5))
	w.Raw(charsetElements)
	w.buffer = binary.BigEndian.AppendUint16(w.buffer, conversionLength)
	w.Raw(conversion)
	w.buffer = binary.BigEndian.AppendUint16(w.buffer, charsetAL32UTF8)
	w.buffer = binary.BigEndian.AppendUint16(w.buffer, charsetAL16UTF16)
	w.Byte(3)
	w.Raw(make([]byte, conversionLength-len(conversion)-5))
	w.CLR(compileCapabilities)
	w.CLR(runtimeCapabilities)
}
