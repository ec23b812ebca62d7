// Native services (ANO): the reply of a server that neither encrypts nor checks integrity, and authenticates by password alone.
package ttc

import (
	"bytes"
	"encoding/binary"
)

// servicesVersion is the version in the reply of a 19c (capture 43); the supervisor's lacks the last digits.
var servicesVersion, supervisorVersion = []byte{0x13, 0x00, 0x10, 0x00}, []byte{0x13, 0x00, 0x00, 0x00}

// The services, in the order of the reply.
const (
	serviceSupervisor     = 4
	serviceAuthentication = 1
	serviceEncryption     = 2
	serviceIntegrity      = 3
)

// The types of a field of a service.
const (
	fieldRaw     = 1
	fieldByte    = 2
	fieldVersion = 5
	fieldStatus  = 6
)

// servicesMagic is what every negotiation starts with. There is no message byte; its first byte takes that place.
var servicesMagic = []byte{0xde, 0xad, 0xbe, 0xef}

// ServicesRequest reads a negotiation request behind its first byte: what the client offers does not matter to a server that takes
// none of it.
func (r *Reader) ServicesRequest() {
	if magic := r.Raw(3); magic != nil && !bytes.Equal(magic, servicesMagic[1:]) {
		r.fail("a native services request without its magic number")
	}
	if length := r.Raw(2); length != nil {
		r.Skip(int(binary.BigEndian.Uint16(length)) - 6)
	}
}

// ServicesReply writes the reply, which is that of capture 43 to the byte.
func (w *Writer) ServicesReply() {
	start := w.Len()
	w.Raw(servicesMagic)
	w.Byte(0, 0, 0, 0, 0, 0, 0, 4, 0)
	w.service(serviceSupervisor, 3)
	w.field(fieldVersion, supervisorVersion...)
	w.field(fieldStatus, 0x00, 0x1f)
	w.field(fieldRaw, 0xde, 0xad, 0xbe, 0xef, 0, 3, 0, 0, 0, 2, 0, serviceSupervisor, 0, serviceAuthentication)
	w.service(serviceAuthentication, 2)
	w.field(fieldVersion, servicesVersion...)
	w.field(fieldStatus, 0xfb, 0xff) // no authentication service
	for _, service := range []byte{serviceEncryption, serviceIntegrity} {
		w.service(service, 2)
		w.field(fieldVersion, servicesVersion...)
		w.field(fieldByte, 0) // no algorithm
	}
	binary.BigEndian.PutUint16(w.buffer[start+4:], uint16(w.Len()-start))
}

func (w *Writer) service(service, fields byte) { w.Byte(0, service, 0, fields, 0, 0, 0, 0) }

func (w *Writer) field(kind byte, value ...byte) {
	w.Byte(0, byte(len(value)), 0, kind)
	w.Raw(value)
}
