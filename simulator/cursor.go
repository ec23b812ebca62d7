// The cursors of a session.
package simulator

import (
	"crypto/sha256"
	"slices"
	"time"

	"oranet_exporter/simulator/sql"
	"oranet_exporter/simulator/ttc"
)

// cursor is a statement that a client has parsed. It stays until the client closes it, even when parsing it failed.
type cursor struct {
	id        int
	text      string
	statement *sql.Statement // nil when the text did not parse
	parsed    time.Time
	signature [16]byte
	columns   []ttc.Column
	binds     []ttc.BindType

	result  sql.Rows // nil when no execution is open
	encoder *ttc.Rows
	rows    int // rows sent of this execution
}

// statementType is Oracle's number for the statement.
func (c *cursor) statementType() ttc.StatementType {
	if c.statement == nil {
		return ttc.StatementNone
	}
	switch c.statement.Kind {
	case sql.Query:
		return ttc.StatementSelect
	case sql.Block:
		return ttc.StatementPLSQL
	case sql.Session:
		return ttc.StatementAlterSession
	}
	return ttc.StatementInsert
}

// parse parses the text into the cursor.
func (c *cursor) parse(text string, now time.Time) error {
	sum := sha256.Sum256([]byte(text))
	*c = cursor{id: c.id, text: text, parsed: now, signature: [16]byte(sum[:16])}
	statement, err := sql.Parse(text)
	if err != nil {
		return err
	}
	c.statement, c.columns, c.encoder = statement, describeColumns(statement.Columns), ttc.NewRows(len(statement.Columns))
	return nil
}

// start opens an execution with the bind values of a client.
func (c *cursor) start(env sql.Environment, values [][]byte) error {
	if len(values) < len(c.statement.Binds) {
		return notAllBound.of(c)
	}
	c.repeatBinds(values)
	binds, err := decodeBinds(c.binds, values)
	if err != nil {
		return err
	}
	c.rows = 0
	if c.result, err = c.statement.Open(env, binds); err != nil {
		c.result = nil
		return statementError(err, c)
	}
	return nil
}

// repeatBinds gives each bind that has the name of one before it the value of that one.
func (c *cursor) repeatBinds(values [][]byte) {
	for i := range c.statement.Binds {
		if c.binds[i].Repeated {
			values[i] = values[slices.Index(c.statement.Binds, c.statement.Binds[i])]
		}
	}
}

// cursors are the open cursors of a session, by number.
type cursors struct {
	open map[int]*cursor
}

func newCursors() cursors { return cursors{open: map[int]*cursor{}} }

// find returns an open cursor, or for number 0 a new one with the lowest free number, as servers do.
func (c *cursors) find(id int) (*cursor, error) {
	if id != 0 {
		if c.open[id] == nil {
			return nil, invalidCursor.of(nil)
		}
		return c.open[id], nil
	}
	if len(c.open) >= maxCursors {
		return nil, tooManyCursors.of(nil)
	}
	id = 1
	for c.open[id] != nil {
		id++
	}
	c.open[id] = &cursor{id: id}
	return c.open[id], nil
}

// close closes cursors; numbers that are not open do not matter, as with real servers.
func (c *cursors) close(ids []int) {
	for _, id := range ids {
		delete(c.open, id)
	}
}
