package sql

// This file holds what the tests of the package share: a session, and how to run a statement in it.

import (
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"
)

// testEnvironment is session 42 of the user PROBE, which has counted 1,000 round trips and whose last statement took 1,500 µs.
// It was granted every view except those withheld.
type testEnvironment struct{ withheld []string }

func (testEnvironment) Statistic(name string) (float64, bool) {
	if name == "SQL*Net roundtrips to/from client" {
		return 1000, true
	}
	return 0, false
}
func (testEnvironment) PasswordExpiry() time.Time {
	return time.Date(2026, 3, 4, 5, 6, 7, 8, time.UTC)
}
func (testEnvironment) SessionID() int      { return 42 }
func (testEnvironment) User() string        { return "PROBE" }
func (testEnvironment) PreviousSQL() string { return "7ck8n5gvx2wdh" }
func (testEnvironment) SQL() []ExecutedSQL {
	return []ExecutedSQL{
		{ID: "1abcdefgh2jkm", Text: "select 1 from dual", Executions: 7, Elapsed: time.Second},
		{ID: "7ck8n5gvx2wdh", Text: "select level from dual", Executions: 1, Elapsed: 1500 * time.Microsecond},
	}
}
func (e testEnvironment) Granted(view string) bool { return !slices.Contains(e.withheld, view) }

// run parses, opens and fetches a statement to its end or to its first error.
func run(text string, binds ...Value) ([][]Value, error) {
	statement, err := Parse(text)
	if err != nil {
		return nil, err
	}
	rows, err := statement.Open(testEnvironment{}, binds)
	if err != nil {
		return nil, err
	}
	var all [][]Value
	for {
		next, err := rows.Next()
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		all = append(all, next)
	}
}

// printed writes a result with "|" between columns and one row a line.
func printed(rows [][]Value) string {
	lines := make([]string, len(rows))
	for i, row := range rows {
		cells := make([]string, len(row))
		for j, value := range row {
			cells[j] = cell(value)
		}
		lines[i] = strings.Join(cells, "|")
	}
	return strings.Join(lines, "\n")
}

func cell(value Value) string {
	switch v := value.(type) {
	case nil:
		return "NULL"
	case []byte:
		return hex.EncodeToString(v)
	case time.Time:
		return v.Format("2006-01-02 15:04:05.999999999")
	}
	return fmt.Sprint(value)
}

// expect runs a query and compares its printed result.
func expect(t *testing.T, want, text string, binds ...Value) {
	t.Helper()
	rows, err := run(text, binds...)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if got := printed(rows); got != want {
		t.Errorf("%s:\n got %s\nwant %s", text, got, want)
	}
}
