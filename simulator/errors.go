// Errors as a client gets them: behind a break and a reset.
package simulator

import (
	"errors"
	"fmt"

	"oranet_exporter/simulator/sql"
	"oranet_exporter/simulator/tns"
	"oranet_exporter/simulator/ttc"
)

// callError is an error that ends a call, and that the client is told. The session goes on.
type callError struct {
	code     int
	message  string // as a server sends it, with a line feed at its end
	position int    // in the text of the statement
	cursor   *cursor
}

func (e *callError) Error() string { return e.message }

// oracleError is an error of the session's own; those of statements come from package sql.
type oracleError struct {
	code int
	text string
}

// The errors of a session.
var (
	tooManyCursors = oracleError{1000, "maximum open cursors exceeded"}
	invalidCursor  = oracleError{1001, "invalid cursor"}
	notAllBound    = oracleError{1008, "not all variables bound"}
	canceled       = oracleError{1013, "user requested cancel of current operation"}
	logonDenied    = oracleError{1017, "invalid username/password; logon denied"}
	clientTooOld   = oracleError{3134, "Connections to this server version are no longer supported."}
)

// of returns the error as that of a call which has come to a cursor, or to none (nil).
func (e oracleError) of(c *cursor) *callError {
	return &callError{code: e.code, message: fmt.Sprintf("ORA-%05d: %s\n", e.code, e.text), cursor: c}
}

// statementError returns an error of the SQL engine as that of a call, and any other as it is: it ends the session.
func statementError(err error, c *cursor) error {
	var statement *sql.Error
	if !errors.As(err, &statement) {
		return err
	}
	return &callError{code: statement.Code, message: statement.Message + "\n", position: statement.Position, cursor: c}
}

// tell drops what was collected of the answer, breaks and resets, and sends the error when the client has reset as well.
func (s *session) tell(e *callError) error {
	s.writer.Reset()
	s.reader.Drop()
	for _, marker := range []tns.MarkerKind{tns.Break, tns.Reset} {
		if err := s.conn.WriteMarker(marker); err != nil {
			return err
		}
	}
	if err := s.flush(s.call); err != nil {
		return err
	}
	if err := s.awaitReset(); err != nil {
		return err
	}
	summary := ttc.Summary{Sequence: s.sequence, CallNumber: s.callNumber, Code: e.code, Message: e.message, Position: e.position}
	if e.cursor != nil {
		summary.CursorID, summary.Rows, summary.Type = e.cursor.id, e.cursor.rows, e.cursor.statementType()
	}
	s.writer.Summary(summary)
	if err := s.part(); err != nil {
		return err
	}
	return s.flush("marker")
}

// awaitReset reads up to the client's reset marker. Server and client resets may cross, and an interrupt may still be on its way:
// whatever comes before the reset is dropped.
func (s *session) awaitReset() error {
	for {
		packet, err := s.conn.ReadPacket(logonTimeout)
		if err != nil {
			return err
		}
		if packet.Type != tns.Marker {
			if _, last, err := packet.Payload(); err != nil || last {
				return errors.Join(err, errLoggedOff)
			}
			continue
		}
		kind, err := packet.MarkerKind()
		if err != nil {
			return err
		}
		if kind == tns.Reset {
			return nil
		}
	}
}
