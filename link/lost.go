// What happened behind an error of the driver: it drops ORA- codes when it
// declares a connection bad, and does not always read the error for which a
// server broke in.

package link

import (
	"database/sql/driver"
	"errors"
	"regexp"
	"strconv"

	"github.com/sijms/go-ora/v2/network"
)

// toldError is an Oracle error in the database's own words.
type toldError struct {
	code int
	text string
}

func (e *toldError) Error() string { return e.text }

// puzzledError is any error of the driver that is neither Oracle's nor the
// network's: an answer that it cannot read.
type puzzledError struct{ err error }

func (e *puzzledError) Error() string {
	return "the driver cannot make sense of the server's answer: " + e.err.Error()
}

func (e *puzzledError) Unwrap() error { return e.err }

var oraMessage = regexp.MustCompile(`ORA-(\d{5})[^\n\x00]*`)

// errorInMessage finds an Oracle error in a message; nil if there is none.
func errorInMessage(payload []byte) error {
	m := oraMessage.FindSubmatch(payload)
	if m == nil {
		return nil
	}
	code, _ := strconv.Atoi(string(m[1])) // five digits always fit
	return &toldError{code: code, text: string(m[0])}
}

// cause finds what happened behind the driver's words for it: a malformed
// packet, an error of the socket, or an ORA- code that the driver dropped.
func (s *Session) cause(err error) error {
	switch {
	case s.packets.err != nil:
		return s.packets.err
	case oraCode(err) != 0, errors.Is(err, errDriverPanic):
		return err
	}
	if first := s.wire.firstError(); first != nil {
		return first
	}
	switch {
	case errors.Is(err, network.ErrConnReset):
		return s.brokenInto(err)
	case errors.Is(err, driver.ErrBadConn):
		if told := errorInMessage(s.packets.lastData); told != nil {
			return told
		}
		return err
	}
	return &puzzledError{err}
}

// brokenInto reads the error that follows a server's break and reset, which
// the driver has answered.
func (s *Session) brokenInto(err error) error {
	for buf := make([]byte, lastDataSize); len(s.packets.lastData) == 0; {
		if _, err := s.packets.Read(buf); err != nil {
			return err
		}
	}
	if told := errorInMessage(s.packets.lastData); told != nil {
		return told
	}
	return &puzzledError{err}
}
