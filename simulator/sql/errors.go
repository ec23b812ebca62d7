package sql

// This file holds the errors, with the texts of Oracle Database 19c.

import "fmt"

// Error is an error as the database reports it.
type Error struct {
	// Code is the number of the ORA- error.
	Code int
	// Message is the whole text, "ORA-00942: table or view does not exist". A PL/SQL error has more than one line.
	Message string
	// Position is the offset in bytes, from 0, of the place in the statement that the error is about. It is 0 where there is none.
	Position int
}

func (e *Error) Error() string { return e.Message }

// fail makes the error with a number, a text without its ORA- prefix and a position.
func fail(code, position int, text string, arguments ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf("ORA-%05d: ", code) + fmt.Sprintf(text, arguments...), Position: position}
}

// errPrivileges is what a user with CREATE SESSION alone gets for every change of data or of the dictionary.
func errPrivileges() *Error { return fail(1031, 0, "insufficient privileges") }

// errNoTable is what a table gives that does not exist, or that the user has no privilege on.
func errNoTable(position int) *Error { return fail(942, position, "table or view does not exist") }

// errSharedMemory is what Oracle gives for a statement that the shared pool has no room for.
func errSharedMemory(position int) *Error {
	return fail(4031, position, `unable to allocate bytes of shared memory ("shared pool","unknown object","SQLA","tmp")`)
}
