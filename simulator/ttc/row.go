// Rows, and the bit vectors by which a column that did not change is not sent again.
package ttc

import (
	"bytes"
	"time"
)

// Rows encodes the rows of one cursor. Values are written one by one; End compares the row with the one before and writes what the
// client does not have yet.
type Rows struct {
	columns   int
	row, last encodedRow
	haveLast  bool

	requested  int
	headerByte byte
	inCall     bool // the header of this call was written
	vectors    bool // a bit vector was sent in this call: from then on every row has one
	vector     []byte
}

// encodedRow is a row on the wire, and where each of its columns ends.
type encodedRow struct {
	bytes []byte
	ends  []int
}

func (e *encodedRow) reset() { e.bytes, e.ends = e.bytes[:0], e.ends[:0] }

func (e *encodedRow) column(i int) []byte {
	start := 0
	if i > 0 {
		start = e.ends[i-1]
	}
	return e.bytes[start:e.ends[i]]
}

// NewRows returns an encoder for rows of the given number of columns.
func NewRows(columns int) *Rows {
	return &Rows{columns: columns, vector: make([]byte, (columns+7)/8)}
}

// The first byte of a row header (captures 43, 44 and 58).
const (
	headerExecute = 0x22
	headerFetch   = 0x02
)

// StartExecute begins the rows of an execute that wants this many of them: nothing was sent before.
func (r *Rows) StartExecute(requested int) {
	r.haveLast = false
	r.start(requested, headerExecute)
}

// StartFetch begins the rows of a fetch.
func (r *Rows) StartFetch(requested int) { r.start(requested, headerFetch) }

func (r *Rows) start(requested int, header byte) {
	r.requested, r.headerByte, r.inCall, r.vectors = requested, header, false, false
	r.row.reset()
}

func (r *Rows) end() { r.row.ends = append(r.row.ends, len(r.row.bytes)) }

// Null adds a NULL.
func (r *Rows) Null() {
	r.row.bytes = append(r.row.bytes, 0)
	r.end()
}

// Nothing adds the value of a column of size 0, such as that of the literal NULL: no byte is sent for it, and no driver reads one.
func (r *Rows) Nothing() { r.end() }

// Text adds a text.
func (r *Rows) Text(value string) {
	r.row.bytes = appendCLR(r.row.bytes, value)
	r.end()
}

// Raw adds a RAW.
func (r *Rows) Raw(value []byte) {
	r.row.bytes = appendCLR(r.row.bytes, value)
	r.end()
}

// Number adds a NUMBER, given as decimal text.
func (r *Rows) Number(text string) error {
	start := len(r.row.bytes)
	encoded, err := AppendNumber(append(r.row.bytes, 0), text)
	if err != nil {
		return err
	}
	encoded[start] = byte(len(encoded) - start - 1)
	r.row.bytes = encoded
	r.end()
	return nil
}

// Date adds a DATE.
func (r *Rows) Date(t time.Time) {
	r.row.bytes = AppendDate(append(r.row.bytes, 7), t)
	r.end()
}

// Timestamp adds a TIMESTAMP: 11 bytes, or 7 when there is no fraction of a second.
func (r *Rows) Timestamp(t time.Time) {
	if t.Nanosecond() == 0 {
		r.Date(t)
		return
	}
	r.row.bytes = AppendTimestamp(append(r.row.bytes, 11), t)
	r.end()
}

// TimestampTZ adds a TIMESTAMP WITH TIME ZONE, in UTC.
func (r *Rows) TimestampTZ(t time.Time) {
	r.row.bytes = AppendTimestampTZ(append(r.row.bytes, 13), t)
	r.end()
}

// End writes the row, and before the first row of a call its header.
func (r *Rows) End(w *Writer) {
	sent := r.compare()
	repeated := sent < r.columns
	switch {
	case !r.inCall:
		r.header(w, sent, repeated)
	case repeated || r.vectors:
		r.vectors = true
		w.Byte(byte(MessageBitVector))
		w.Int(sent)
		w.Raw(r.vector)
	}
	r.inCall = true
	w.Byte(byte(MessageRowData))
	if repeated {
		for i := range r.columns {
			if r.vector[i/8]&(1<<(i%8)) != 0 {
				w.Raw(r.row.column(i))
			}
		}
	} else {
		w.Raw(r.row.bytes)
	}
	r.row, r.last, r.haveLast = r.last, r.row, true
	r.row.reset()
}

// compare fills the bit vector: a bit is set for a column that must be sent. It returns their number.
func (r *Rows) compare() (sent int) {
	clear(r.vector)
	for i := range r.columns {
		if !r.haveLast || !bytes.Equal(r.row.column(i), r.last.column(i)) {
			r.vector[i/8] |= 1 << (i % 8)
			sent++
		}
	}
	return sent
}

// header writes the row header of a call; columns that the first row repeats from the call before are named in it.
func (r *Rows) header(w *Writer, sent int, repeated bool) {
	w.Byte(byte(MessageRowHeader), r.headerByte)
	w.Int(sent)
	w.Byte(0)
	w.Int(r.requested)
	w.Byte(0) // buffer length
	if repeated {
		w.Int(len(r.vector))
		w.CLR(r.vector)
		r.vectors = true
	} else {
		w.Byte(0)
	}
	w.Byte(0) // rowid
}
