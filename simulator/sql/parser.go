package sql

import (
	"io"
	"regexp"
)

var first = regexp.MustCompile(`(?is)^\s*select\s+'([^']*)'\s+from\s+dual\s*$`)

// Parse reads one statement. Its error is an *Error.
func Parse(text string) (*Statement, error) {
	match := first.FindStringSubmatch(text)
	if match == nil {
		return nil, fail(900, 0, "invalid SQL statement")
	}
	column := Column{Name: "'" + match[1] + "'", Type: Varchar2, Size: len(match[1]), Nullable: true}
	return &Statement{Kind: Query, Columns: []Column{column}, plan: &query{value: match[1]}}, nil
}

type query struct{ value string }

// Open runs the statement for a session. Its error is an *Error.
func (s *Statement) Open(env Environment, binds []Value) (Rows, error) {
	return &once{value: s.plan.value}, nil
}

type once struct {
	value string
	done  bool
}

func (o *once) Next() ([]Value, error) {
	if o.done {
		return nil, io.EOF
	}
	o.done = true
	return []Value{o.value}, nil
}
