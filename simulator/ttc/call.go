// What a client says when it executes, re-executes, fetches or closes.
package ttc

const (
	maxCursors = 65535
	maxBinds   = 65535
	maxRows    = 1<<31 - 1
	al8i4Count = 13
	// longString is the longest string that is not sent behind all others (MAX_STRING_SIZE = EXTENDED).
	longString = 32767
)

// Option is a bit of an execute's options.
type Option uint64

// The options that change what the server does.
const (
	OptionParse    Option = 0x1
	OptionBind     Option = 0x8
	OptionDefine   Option = 0x10
	OptionExecute  Option = 0x20
	OptionDescribe Option = 0x20000
)

// Execute is a call of function 94 (OALL8).
type Execute struct {
	Options  Option
	CursorID int
	SQL      string
	Prefetch int // rows wanted in the answer
	Query    bool
	Binds    []BindType
	Values   [][]byte // of the first row of binds; nil when there are none
}

// Has says whether an option is set.
func (e *Execute) Has(o Option) bool { return e.Options&o != 0 }

// BindType is what a client says of a bind variable, or of a column it defines.
type BindType struct {
	Type    DataType
	Size    int
	IsArray bool
	// Repeated says that the bind has the name, and so the value, of one before it: its own is not sent.
	Repeated bool
}

// repeatedBind is the flag byte by which go-ora marks a bind as Repeated (command.go, useNamedParameters).
const repeatedBind = 0x80

// deferred says that the value is sent behind those of all other binds.
func (b BindType) deferred() bool {
	switch b.Type {
	case TypeLong, TypeLongRaw, typeLongVarchar, typeLongVarraw:
		return true
	}
	return b.Size > longString
}

// ExecuteCall reads an execute behind its header. The order of the fields is that of field version 10 and later.
func (r *Reader) ExecuteCall(a Agreement) *Execute {
	e := &Execute{Options: Option(r.UB()), CursorID: r.Int(maxCursors)}
	r.Skip(1) // pointer: cursor
	length := r.Int(longestMessage)
	r.Skip(1) // pointer: vector
	vector := r.Int(al8i4Count)
	r.Skip(3) // pointers: al8o4, its length; prefetch buffer size
	e.Prefetch = r.Int(maxRows)
	r.UB() // longest LONG
	r.Skip(1)
	binds := r.Int(maxBinds)
	r.Skip(5) // pointers: al8pp, al8txn, al8txl, al8kv, al8kvl
	r.Skip(1)
	defines := r.Int(maxBinds)
	r.executeTail()
	if length > 0 {
		e.SQL = string(r.CLR())
	}
	for i := range vector {
		n := r.UB()
		switch i {
		case 1:
			e.iterations(n)
		case 7:
			e.Query = n == 1
		}
	}
	if defines > 0 {
		r.bindTypes(defines)
	}
	e.Binds = r.bindTypes(binds)
	e.Values = r.BindValues(e.Binds)
	return e
}

// iterations takes the number of rows from the vector when an open cursor is executed or fetched from again.
func (e *Execute) iterations(n uint64) {
	if e.Prefetch == 0 && e.SQL == "" && n <= maxRows {
		e.Prefetch = int(n)
	}
}

// executeTail skips the fields that came with later releases: registration, batch lists, row counts, SQL signature, chunks.
func (r *Reader) executeTail() {
	r.UB()
	r.Skip(3)
	r.UB()
	r.Skip(1)
	r.UB()
	r.UB()
	r.Skip(1)
	r.UB()
	r.Skip(1)
	r.Skip(1) // SQL signature
	r.UB()
	r.Skip(1) // SQL identifier
	r.UB()
	r.Skip(2) // its length; chunk identifiers
	r.UB()
}

// bindTypes reads the descriptions of n binds or defines.
func (r *Reader) bindTypes(n int) (types []BindType) {
	for range n {
		b := BindType{Type: DataType(r.Byte()), Repeated: r.Byte() == repeatedBind}
		r.Skip(2) // precision, scale
		b.Size = r.Int(maxRows)
		b.IsArray = r.UB() > 0
		r.UB() // flags
		if r.Int(longestMessage) > 0 {
			r.CLR() // object type
		}
		r.UB() // its version
		r.UB() // character set
		r.Skip(1)
		r.UB() // characters
		r.UB() // collation
		if r.err != nil {
			return nil
		}
		types = append(types, b)
	}
	return types
}

// BindValues reads one row of values for the given binds; it returns nil when the client sent none.
func (r *Reader) BindValues(types []BindType) [][]byte {
	if len(types) == 0 || r.err != nil {
		return nil
	}
	if Message(r.Byte()) != MessageRowData {
		r.fail("bind values without their message byte")
		return nil
	}
	values := make([][]byte, len(types))
	for _, deferred := range []bool{false, true} {
		for i, b := range types {
			if b.Repeated || b.deferred() != deferred {
				continue
			}
			if b.IsArray {
				r.fail("an array as a bind variable, which the simulator does not take")
				return nil
			}
			values[i] = r.CLR()
		}
	}
	return values
}

// Reexecute is a call of function 4 or 78 without its binds, which the cursor knows the types of.
type Reexecute struct {
	CursorID int
	Rows     int
}

// ReexecuteCall reads a re-execute behind its header, up to its binds.
func (r *Reader) ReexecuteCall() Reexecute {
	call := Reexecute{CursorID: r.Int(maxCursors), Rows: r.Int(maxRows)}
	r.UB()
	r.UB()
	return call
}

// FetchCall reads a fetch behind its header.
func (r *Reader) FetchCall() (cursor, rows int) {
	return r.Int(maxCursors), r.Int(maxRows)
}

// CursorList reads the cursors of a close or cancel piggyback behind its header.
func (r *Reader) CursorList() (cursors []int) {
	r.Skip(1)
	for range r.Int(maxCursors) {
		cursors = append(cursors, r.Int(maxCursors))
		if r.err != nil {
			return nil
		}
	}
	return cursors
}

// VersionCall reads a version call behind its header (field version 11 and later send one integer more).
func (r *Reader) VersionCall(a Agreement) {
	r.Skip(1)
	r.UB()
	r.Skip(2)
	if a.FieldVersion >= 11 {
		r.UB()
	}
}

// SetSchema reads a schema piggyback behind its header.
func (r *Reader) SetSchema() {
	r.Skip(1)
	r.DLC()
}

// EndToEnd are the attributes that such a piggyback sets; nil leaves one as it is.
type EndToEnd struct {
	ClientIdentifier, Module, Action, ExecutionContext, ClientInfo, Operation *string
}

// EndToEnd reads an end-to-end attributes piggyback behind its header.
func (r *Reader) EndToEnd() (e EndToEnd) {
	r.Skip(2)
	r.UB()
	var texts []*string
	attribute := func() (text *string) {
		if r.Byte() != 0 {
			text = new(string)
		}
		if r.Int(longestMessage) > 0 && text != nil {
			texts = append(texts, text)
		}
		return text
	}
	e.ClientIdentifier, e.Module, e.Action, e.ExecutionContext = attribute(), attribute(), attribute(), attribute()
	r.Skip(1)
	r.UB()
	e.ClientInfo = attribute()
	r.Skip(1)
	r.UB()
	r.Skip(1)
	r.UB()
	e.Operation = attribute()
	for _, text := range texts {
		*text = string(r.CLR())
	}
	return e
}
