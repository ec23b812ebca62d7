// How a call ends: a status, or a summary with or without an error.
package ttc

// The end-of-call status bits of a session.
const (
	callStatus      = 0x1
	callStatusError = 0x10000 // seen in every summary with an error but 1403, and in those of DDL (capture 46)
)

// NoDataFound is the error number in the summary of a fetch that ran past the last row; for a driver it is no error.
const NoDataFound = 1403

// StatementType is Oracle's number for a kind of statement, as the summary carries it.
type StatementType byte

// The statement types (captures 43 and 46).
const (
	StatementNone         StatementType = 0
	StatementInsert       StatementType = 2
	StatementSelect       StatementType = 3
	StatementAlterSession StatementType = 42
	StatementPLSQL        StatementType = 47
)

// Summary is how a call ended.
type Summary struct {
	Sequence   uint16 // of the call in its session
	CallNumber byte   // the client's own number of the call
	Rows       int    // rows of the cursor, or of the statement, so far
	CursorID   int
	Type       StatementType
	Iterations int // 1 after an execute
	Code       int // 0: success
	Message    string
	Position   int // of the error in the text of the statement
}

// Status writes the answer to a call that returns nothing.
func (w *Writer) Status(sequence uint16) {
	w.Byte(byte(MessageStatus))
	w.UB(callStatus)
	w.UB(uint64(sequence))
}

// Summary writes a summary in the layout of field versions 7 to 13.
func (w *Writer) Summary(s Summary) {
	w.Byte(byte(MessageError))
	status := uint64(callStatus)
	if s.Code != 0 && s.Code != NoDataFound {
		status |= callStatusError
	}
	w.UB(status)
	w.UB(uint64(s.Sequence))
	w.Int(s.Rows)
	w.Int(s.Code)
	w.Byte(0, 0) // array element with an error, its error
	w.Int(s.CursorID)
	w.SB(s.Position)
	w.Byte(byte(s.Type), 0, 0, 0, 0, 0) // fatal, flags, cursor options, UPI parameter, warnings
	w.Byte(0, 0, 0, 0, 0)               // rowid
	w.Byte(0, 0)                        // operating system error, statement
	w.Byte(s.CallNumber)
	w.Byte(0) // padding
	w.Int(s.Iterations)
	w.Byte(0)       // logical rowid
	w.Byte(0, 0, 0) // batch errors: codes, offsets, messages
	w.Int(s.Code)
	w.Int(s.Rows)
	if s.Code != 0 {
		w.Text(s.Message)
	}
}

// Warning writes a warning in front of the summary of a call that succeeded: node-oracledb's processWarningInfo and go-ora's
// NewWarningObject read it so.
func (w *Writer) Warning(code int, message string) {
	w.Byte(byte(MessageWarning))
	w.Int(code)
	w.Int(len(message))
	w.Int(0) // flags
	w.Text(message)
}
