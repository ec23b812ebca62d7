// The data type negotiation: how each type is sent, and what the session agrees on.
package ttc

import "encoding/binary"

// Agreement is what a client and the server agreed on.
type Agreement struct {
	// FieldVersion is the lower one of both sides.
	FieldVersion int
	// UniversalSB1 says that small signed integers (the scale of a column) are sent as integers with a length, not as one byte.
	UniversalSB1 bool

	timeZone, timeZoneVersion bool
	types                     map[uint16]dataType // of the client
}

// dataType is an entry of the data type list: a type, the type it is converted to (0: not at all) and its representation.
type dataType struct{ code, converted, representation uint16 }

const (
	typeSB1                 = 27
	representationUniversal = 1
	longestTypeList         = 4096
)

// serverTypes are the types that 19.22 lists in its reply, in its order, as ranges (captures 43 and 44).
var serverTypes = [][2]uint16{
	{1, 2}, {8, 8}, {12, 12}, {23, 33}, {10, 11}, {40, 41}, {117, 117}, {120, 120}, {290, 294}, {298, 313}, {315, 323}, {327, 329}, {331, 331},
	{333, 346}, {348, 349}, {354, 355}, {359, 359}, {363, 363}, {380, 391}, {393, 401}, {404, 407}, {413, 427}, {429, 433}, {449, 450},
	{454, 463}, {466, 486}, {490, 496}, {498, 502}, {509, 510}, {513, 514}, {516, 539}, {543, 564}, {566, 605}, {611, 617}, {622, 651}, {3, 7},
	{9, 9}, {13, 22}, {39, 39}, {58, 58}, {68, 70}, {74, 74}, {76, 76}, {91, 91}, {94, 97}, {100, 102}, {104, 106}, {108, 116}, {118, 118},
	{121, 123}, {136, 136}, {146, 147}, {152, 156}, {172, 172}, {178, 192}, {195, 197}, {208, 209}, {231, 233}, {241, 241}, {245, 246},
	{250, 252}, {515, 515},
}

// unconverted are the types that 19.22 lists without a conversion, whatever the client says of them (captures 43 and 44).
var unconverted = map[uint16]bool{15: true, 39: true, 104: true, 185: true, 186: true, 187: true, 188: true, 189: true, 190: true}

// DataTypesRequest reads a client's data type message behind its first byte.
func (r *Reader) DataTypesRequest() Agreement {
	r.Skip(2 + 2 + 1) // character sets and their flags
	compile, runtime := r.CLR(), r.CLR()
	if len(compile) <= capChunks || len(runtime) <= capTimeZone {
		r.fail("a client with %d compile-time and %d runtime capabilities", len(compile), len(runtime))
		return Agreement{}
	}
	if compile[capChunks]&capChunksBig == 0 || compile[capTwoByteTypes] == 0 {
		r.fail("a client without big chunks or two-byte types")
		return Agreement{}
	}
	a := Agreement{
		FieldVersion:    min(FieldVersion, int(compile[capFieldVersion])),
		timeZone:        runtime[capTimeZone]&1 != 0,
		timeZoneVersion: compile[capChunks]&capChunksTimeZoneVersion != 0,
	}
	if a.timeZone {
		r.Skip(11)
		if a.timeZoneVersion {
			r.Skip(4)
		}
	}
	if a.timeZoneVersion {
		r.Skip(2) // the national character set
	}
	a.types = r.typeList()
	a.UniversalSB1 = a.types[typeSB1].representation == representationUniversal
	return a
}

// typeList reads the data types of a client, up to the 0 that ends them.
func (r *Reader) typeList() map[uint16]dataType {
	types := map[uint16]dataType{}
	for r.err == nil {
		t := dataType{code: r.ub2()}
		if t.code == 0 {
			break
		}
		if t.converted = r.ub2(); t.converted != 0 {
			t.representation = r.ub2()
			r.Skip(2)
		}
		if types[t.code] = t; len(types) > longestTypeList {
			r.fail("a data type list without an end")
		}
	}
	return types
}

func (r *Reader) ub2() uint16 {
	if b := r.Raw(2); b != nil {
		return binary.BigEndian.Uint16(b)
	}
	return 0
}

// DataTypesReply writes the server's answer: its time zone, which is UTC, and its types, with the conversions that the client named.
func (w *Writer) DataTypesReply(a Agreement) {
	w.Byte(byte(MessageDataTypes))
	if a.timeZone {
		w.Byte(0x80, 0, 0, 0, 60, 60, 60, 0x80, 0, 0, 0)
		if a.timeZoneVersion {
			w.Byte(0, 0, 0, 42) // as 19.22 (capture 43)
		}
	}
	for _, span := range serverTypes {
		for code := span[0]; code <= span[1]; code++ {
			w.typeReply(code, a.types[code])
		}
	}
	w.ub2(0)
}

// typeReply writes the entry of one type, as the client named it or without a conversion.
func (w *Writer) typeReply(code uint16, t dataType) {
	w.ub2(code)
	if t.converted == 0 || unconverted[code] {
		w.ub2(0)
		return
	}
	w.ub2(t.converted)
	w.ub2(t.representation)
	w.ub2(0)
}

func (w *Writer) ub2(n uint16) { w.buffer = binary.BigEndian.AppendUint16(w.buffer, n) }
