// What is wrong with a data source name, and where.

package dsn

import (
	"errors"
	"fmt"
	"strconv"

	"oranet_exporter/link/file"
)

// Error is the error of every function of this package: a sentence that says
// what is wrong and what to do. It quotes keywords, host names, ports and
// aliases, and never a text that could hold a password.
type Error struct {
	Path string // file that holds the text; empty if the text came from the configuration
	Line int    // line in the file; 0 if the error is about the whole of it
	Msg  string

	cause error // if the file could not be read
}

// Error reads "tnsnames.ora:2: a parenthesis is not closed: …".
func (e *Error) Error() string {
	switch {
	case e.Path == "":
		return e.Msg
	case e.Line == 0:
		return e.Path + ": " + e.Msg
	}
	return e.Path + ":" + strconv.Itoa(e.Line) + ": " + e.Msg
}

// Unwrap gives the reason why the file could not be read, if that is the error.
func (e *Error) Unwrap() error { return e.cause }

// unreadable is an error about a file that could not be read.
func unreadable(path string, err error) *Error {
	return &Error{Path: path, Msg: "the file cannot be read: " + file.Cause(err).Error(), cause: err}
}

// failf is an error about the whole text.
func failf(format string, args ...any) *Error {
	return &Error{Msg: fmt.Sprintf(format, args...)}
}

// located places an error about a text that begins on a line of a file. The
// error's own line counts from the text's first.
func located(err error, path string, firstLine int) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	return &Error{Path: path, Line: firstLine + max(e.Line, 1) - 1, Msg: e.Msg}
}

// quote makes a text from outside fit for a message: printable and short.
func quote(s string) string {
	const limit = 64
	if len(s) > limit {
		s = s[:limit] + "…"
	}
	return strconv.QuoteToGraphic(s)
}
