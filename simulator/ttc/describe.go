// The description of a query's columns, and what a server returns of an execute beside rows.
package ttc

import "time"

// DataType is Oracle's number of a data type.
type DataType byte

// The data types that the simulator returns or takes as binds.
const (
	TypeVarchar2     DataType = 1
	TypeNumber       DataType = 2
	TypeInteger      DataType = 3
	TypeLong         DataType = 8
	TypeDate         DataType = 12
	TypeRaw          DataType = 23
	TypeLongRaw      DataType = 24
	TypeChar         DataType = 96
	TypeTimestamp    DataType = 180
	TypeTimestampTZ  DataType = 181
	TypeTimestampLTZ DataType = 231

	typeLongVarchar DataType = 94
	typeLongVarraw  DataType = 95
)

// Column describes a column.
type Column struct {
	Name      string
	Type      DataType
	Precision int
	Scale     int // -127 of a plain NUMBER
	Size      int // bytes
	Nullable  bool
}

const (
	// textFlags is the flag byte of a text column (captures 43 and 48).
	textFlags = 0x80
	// collation is USING_NLS_COMP, which servers from 12.2 send with a text column (captures 43, 48, 60).
	collation = 16382
	// describeSize follows the number of columns; 19.22 sends this one (captures 43 and 44).
	describeSize = 0x5c
	// fixedSize is what servers send as the size of DATE and TIMESTAMP columns (captures 43 and 49).
	fixedSize = 1
	// blockSize and batchRows end every describe; servers send 2 in place of 10 for some queries of one row. No driver reads them.
	blockSize = 8168
	batchRows = 10
)

// isText says whether a column has a character set.
func (c Column) isText() bool { return c.Type == TypeVarchar2 || c.Type == TypeChar }

// size is the size that a describe reports.
func (c Column) size() int {
	switch c.Type {
	case TypeDate, TypeTimestamp, TypeTimestampTZ:
		return fixedSize
	}
	return c.Size
}

// Describe writes the columns of a query. signature is 16 bytes that identify the statement, parsed when it was parsed.
func (w *Writer) Describe(columns []Column, signature [16]byte, parsed, now time.Time, a Agreement) {
	w.Byte(byte(MessageDescribe), byte(len(signature)+7))
	w.Raw(signature[:])
	w.buffer = AppendDate(w.buffer, parsed)
	w.Int(rowSize(columns))
	w.Int(len(columns))
	if len(columns) > 0 {
		w.Byte(describeSize)
	}
	for i, c := range columns {
		w.column(c, i, a)
	}
	w.Int(7)
	w.CLR(AppendDate(nil, now))
	w.Byte(0)
	w.Int(blockSize)
	w.Int(batchRows)
	w.Int(batchRows)
	w.Byte(0)
}

// rowSize is the size of the biggest row.
func rowSize(columns []Column) (size int) {
	for _, c := range columns {
		size += c.Size
	}
	return size
}

// column writes one column.
func (w *Writer) column(c Column, position int, a Agreement) {
	var flags byte
	charset, form, characters, collationID := 0, byte(0), 0, 0
	if c.isText() {
		flags, charset, form, characters, collationID = textFlags, charsetAL32UTF8, charsetFormNormal, c.Size, collation
	}
	w.Byte(byte(c.Type), flags, byte(c.Precision))
	if a.UniversalSB1 {
		w.SB(c.Scale)
	} else {
		w.Byte(byte(c.Scale))
	}
	w.Int(c.size())
	w.Byte(0, 0, 0, 0) // array elements, flags, object type, its version
	w.Int(charset)
	w.Byte(form)
	w.Int(characters)
	w.Int(collationID)
	w.Byte(boolByte(c.Nullable), byte(len(c.Name)))
	w.DLC(c.Name)
	w.Byte(0, 0) // schema and name of an object type
	w.Int(position)
	w.Byte(0)
}

func boolByte(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// ReturnParameters writes what follows the rows of an execute: the system change number and the cursor.
func (w *Writer) ReturnParameters(scn uint64, cursor int) {
	w.Byte(byte(MessageParameter))
	w.Int(6)
	w.UB(scn & 0xffffffff)
	w.UB(scn >> 32)
	w.Int(cursor)
	w.Byte(0, 0, 0)
	w.Byte(0, 0, 0) // transaction, key-value pairs, registrations
}

// directionIn is a bind that the server does not change.
const directionIn = 32

// InputBinds writes that none of a PL/SQL block's binds is changed.
func (w *Writer) InputBinds(binds int) {
	w.Byte(byte(MessageIOVector), 0)
	w.Int(binds & 0xff)
	w.Int(binds >> 8)
	w.Int(1)
	w.Byte(0, 0, 0) // buffer length, bit vector, rowid
	for range binds {
		w.Byte(directionIn)
	}
}
