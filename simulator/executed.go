// What a session has executed and how long it took: the source of V$SQL.
package simulator

import (
	"crypto/md5"
	"encoding/base32"
	"time"

	"oranet_exporter/simulator/sql"
)

// keptStatements is how many statements are remembered of a session. As in a library cache, what is older ages out.
const keptStatements = 100

// executed remembers the statements of a session. Its zero value is ready.
type executed struct {
	statements []*sql.ExecutedSQL // by their last execution
	current    *sql.ExecutedSQL   // executed last
	previous   string             // SQL_ID of the one before that
}

// execute counts an execution. It is the current one from now on.
func (e *executed) execute(text string) {
	if e.current != nil {
		e.previous = e.current.ID
	}
	id := sqlID(text)
	e.current = nil
	for i, s := range e.statements {
		if s.ID == id {
			e.current = s
			e.statements = append(e.statements[:i], e.statements[i+1:]...)
			break
		}
	}
	if e.current == nil {
		e.current = &sql.ExecutedSQL{ID: id, Text: text}
	}
	e.current.Executions++
	if len(e.statements) == keptStatements {
		e.statements = e.statements[1:]
	}
	e.statements = append(e.statements, e.current)
}

// spent adds time to a statement that has not aged out.
func (e *executed) spent(text string, d time.Duration) {
	id := sqlID(text)
	for _, s := range e.statements {
		if s.ID == id {
			s.Elapsed += d
		}
	}
}

func (e *executed) list() []sql.ExecutedSQL {
	list := make([]sql.ExecutedSQL, len(e.statements))
	for i, s := range e.statements {
		list[i] = *s
	}
	return list
}

// sqlIDs writes numbers as SQL_IDs do: without the letters e, i, l and o.
var sqlIDs = base32.NewEncoding("0123456789abcdfghjkmnpqrstuvwxyz").WithPadding(base32.NoPadding)

// sqlID makes 13 characters of a text. They look like a server's and are as good at telling texts apart, but are not the same.
func sqlID(text string) string {
	sum := md5.Sum([]byte(text))
	return sqlIDs.EncodeToString(sum[:8])
}
