// Package sql is the SQL of the simulated database: it parses a statement, describes its columns and generates its rows. It knows
// the few statements that an Oracle Net client and its probes send, and answers everything else with the error that Oracle Database
// 19c gives. It does no I/O and holds no session: what a statement needs to know of its session it asks of an Environment.
//
// This file holds the types that the rest of the simulator sees.
package sql

import (
	"io"
	"time"
)

// Type is the data type of a column.
type Type int

// The data types. Oracle's CHAR (the type of a text literal) is described as Varchar2, and TIMESTAMP WITH TIME ZONE (the type of
// SYSTIMESTAMP) as Timestamp.
const (
	Number Type = iota
	Varchar2
	Raw
	Date
	Timestamp
)

// String returns the name of the type in Oracle's error messages.
func (t Type) String() string {
	return [...]string{"NUMBER", "CHAR", "BINARY", "DATE", "TIMESTAMP"}[t]
}

func isTime(t Type) bool { return t == Date || t == Timestamp }

// Column describes one column of a query's result.
type Column struct {
	Name string
	Type Type
	// Size is the largest size of a value in bytes, as a describe reports it: 22 for a Number, 7 for a Date, 11 for a Timestamp.
	Size int
	// Precision and Scale of a Number; 0 and -127 mean a plain NUMBER, as in Oracle's own describe.
	Precision, Scale int
	Nullable         bool
}

// Value is a value of a column or of a bind: nil for NULL, Decimal for a Number, string for a Varchar2, []byte for a Raw, time.Time
// for a Date or a Timestamp.
type Value any

// Kind is what a statement does.
type Kind int

// The kinds of statement.
const (
	// Query returns rows.
	Query Kind = iota
	// Block is an anonymous PL/SQL block. It is checked, not run: it does nothing visible, and its OUT binds stay as they are.
	Block
	// Session changes nothing but the session or its transaction: ALTER SESSION, COMMIT, ROLLBACK, SAVEPOINT, SET.
	Session
	// DML is INSERT, UPDATE, DELETE or MERGE. The simulated users hold CREATE SESSION alone, so Open refuses it.
	DML
)

// Statement is a parsed statement. It does not change after Parse, so any number of sessions may open it at the same time.
type Statement struct {
	Kind Kind
	// Columns of a Query's result, in order; nil for any other kind.
	Columns []Column
	// Binds are the names of the bind variables, in upper case, in the order in which Open takes their values. As in Oracle, each
	// occurrence in a SQL statement is a bind of its own, whereas a name that occurs twice in a PL/SQL block is one bind.
	Binds []string

	plan *query
}

// Environment is what a statement asks of the session that runs it.
type Environment interface {
	// Statistic returns the session's value of a statistic, by its name in V$STATNAME, and whether the session counts it.
	Statistic(name string) (float64, bool)
	// SessionID is the SID of V$SESSION.
	SessionID() int
	// PreviousSQL is the SQL_ID of the statement that the session executed before this one, "" if there was none.
	PreviousSQL() string
	// SQL are the statements that the session has executed, as V$SQL tells of them.
	SQL() []ExecutedSQL
	// User is the name of the user who is logged on.
	User() string
	// PasswordExpiry is when the user's password expires, the zero time if it never does.
	PasswordExpiry() time.Time
	// Granted tells whether the user may read a view of SYS, by the name that a grant has: V_$MYSTAT.
	Granted(view string) bool
}

// ExecutedSQL is what V$SQL tells of a statement.
type ExecutedSQL struct {
	ID         string // SQL_ID
	Text       string
	Executions int
	Elapsed    time.Duration // that the server was busy with it, in all executions
}

// Rows is the result of an opened statement.
type Rows interface {
	// Next returns the next row, in the order and of the types of Statement.Columns, and io.EOF after the last one. The row is the
	// caller's to keep: the engine uses neither the slice nor the values again. An error that Oracle raises in the middle of a fetch
	// is returned at the row that raises it.
	Next() ([]Value, error)
}

// noRows is the result of a statement that is not a query.
type noRows struct{}

func (noRows) Next() ([]Value, error) { return nil, io.EOF }
