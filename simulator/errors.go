// Errors as a client gets them: behind a break and a reset.
package simulator

import (
	"errors"
	"fmt"

	"oranet_exporter/simulator/sql"
	"oranet_exporter/simulator/tns"
	"oranet_exporter/simulator/ttc"
)

// oracleError is an error of the session's own; those of statements come from package sql.
type oracleError struct {
	code int
	text string
}

// The errors of a session.
var (
	invalidCursor  = oracleError{1001, "invalid cursor"}
	tooManyCursors = oracleError{1000, "maximum open cursors exceeded"}
	canceled       = oracleError{1013, "user requested cancel of current operation"}
	logonDenied    = oracleError{1017, "invalid username/password; logon denied"}
	clientTooOld   = oracleError{3134, "Connections to this server version are no longer supported."}
	notAllBound    = oracleError{1008, "not all variables bound"}
)

// message is the text of the error as a server sends it.
func (e oracleError) message() string { return fmt.Sprintf("ORA-%05d: %s\n", e.code, e.text) }

// fail sends an error that is not the statement's.
func (s *session) fail(e oracleError, position int, c *cursor) error {
	return s.sendError(e.code, e.message(), position, c)
}

// failStatement sends an error of a statement; an error that is not Oracle's ends the session.
func (s *session) failStatement(err error, c *cursor) error {
	var statement *sql.Error
	if !errors.As(err, &statement) {
		return err
	}
	return s.sendError(statement.Code, statement.Message+"\n", statement.Position, c)
}

// sendError drops what was collected, breaks and resets, and sends the error when the client has reset as well. Server and client
// resets may cross, and an interrupt of the client may still be on its way: whatever comes before the reset is dropped.
func (s *session) sendError(code int, message string, position int, c *cursor) error {
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
	summary := ttc.Summary{Sequence: s.sequence, CallNumber: s.callNumber, Code: code, Message: message, Position: position}
	if c != nil {
		summary.CursorID, summary.Rows, summary.Type = c.id, c.rows, c.statementType()
	}
	s.writer.Summary(summary)
	if err := s.part(); err != nil {
		return err
	}
	return s.flush("marker")
}

// awaitReset reads up to the client's reset marker.
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
