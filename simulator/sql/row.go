package sql

// This file holds what expressions and conditions are computed from, and the form in which compile.go leaves them.

import (
	"strings"
	"time"
)

// execution is one run of a statement.
type execution struct {
	env        Environment
	binds      []Value
	started    time.Time
	subqueries []scalar
	visited    int // rows looked at, against maxVisited
}

// scalar is the result of a scalar subquery, computed when it is first asked for.
type scalar struct {
	done  bool
	value Value
	err   *Error
}

// row is the row under computation: one record of each table, and the pseudo-columns.
type row struct {
	*execution
	records []record
	level   Value
	rownum  int
	groups  []Value // of the aggregate functions, once they are complete
}

// dependency is the set of what a computation reads beside constants and binds.
type dependency int

const (
	onRecord dependency = 1 << iota
	onLevel
	onRownum
)

// expression is a compiled expression. Column describes its values; the name is left empty.
type expression struct {
	Column
	uses dependency
	// untyped marks a bind: the type of its value is known only once it is there. as makes it typed.
	untyped bool
	// field is set where the expression is nothing but a column.
	field *field
	// literal is set where the value is known without a row.
	literal Value
	eval    func(*row) (Value, *Error)
}

// field is a column of one of the tables of a query.
type field struct{ table, column int }

// truth is a value of three-valued logic: AND is the lesser of two, OR the greater.
type truth int8

const (
	no truth = iota
	unknown
	yes
)

func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

// condition is a compiled condition.
type condition struct {
	uses dependency
	test func(*row) (truth, *Error)
}

// plainScale is the scale that a describe reports for a NUMBER without precision and scale.
const plainScale = -127

// Sizes in bytes: of the internal formats, and the longest VARCHAR2.
const (
	numberSize    = 22
	dateSize      = 7
	timestampSize = 11
	maxTextSize   = 4000
	maxRawSize    = 2000
)

// columnOf describes values of a type of which no more is known.
func columnOf(t Type) Column {
	switch t {
	case Number:
		return Column{Type: t, Size: numberSize, Scale: plainScale, Nullable: true}
	case Raw:
		return Column{Type: t, Size: maxRawSize, Nullable: true}
	case Date:
		return Column{Type: t, Size: dateSize, Nullable: true}
	case Timestamp:
		return Column{Type: t, Size: timestampSize, Scale: 6, Nullable: true}
	}
	return Column{Type: Varchar2, Size: maxTextSize, Nullable: true}
}

// constant is an expression with one value.
func constant(value Value, column Column) expression {
	return expression{Column: column, literal: value, eval: func(*row) (Value, *Error) { return value, nil }}
}

// textOf describes a text of at most so many bytes.
func textOf(size int) Column {
	return Column{Type: Varchar2, Size: min(size, maxTextSize), Nullable: true}
}

// validText puts a question mark where a text is not UTF-8, as a conversion between character sets does.
func validText(s string) string { return strings.ToValidUTF8(s, "?") }

// textValue is a text as a value: an empty text is NULL.
func textValue(s string) Value {
	if s == "" {
		return nil
	}
	return s
}
