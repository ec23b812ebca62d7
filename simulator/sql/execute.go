package sql

// This file runs compiled queries.

import (
	"io"
	"time"
)

// maxVisited is how many rows one execution may look at. Nothing else bounds a join of SDU_BENCH with itself, and Next cannot be
// interrupted. A real user's profile may hold such a bound, too.
const maxVisited = 5_000_000

// Open runs the statement for a session. The binds are in the order of Statement.Binds. Its error is an *Error: ORA-01008 or
// ORA-01036 for too few or too many binds, ORA-01031 for a statement that would change data, ORA-00942 for a view that the user was
// not granted. What else can go wrong with a query is returned by Next at the row in question.
func (s *Statement) Open(env Environment, binds []Value) (Rows, error) {
	switch {
	case len(binds) < len(s.Binds):
		return nil, fail(1008, 0, "not all variables bound")
	case len(binds) > len(s.Binds):
		return nil, fail(1036, 0, "illegal variable name/number")
	case s.Kind == DML:
		return nil, errPrivileges()
	case s.Kind != Query:
		return noRows{}, nil
	}
	if err := s.plan.authorize(env); err != nil {
		return nil, err
	}
	e := &execution{env: env, binds: make([]Value, len(binds)), started: time.Now().UTC(), subqueries: make([]scalar, s.plan.whole.subqueries)}
	for i, value := range binds {
		e.binds[i] = value
		if text, ok := value.(string); ok {
			e.binds[i] = textValue(validText(text))
		}
	}
	return newCursor(s.plan, e), nil
}

// authorize refuses a view without a grant as Oracle does: as if it did not exist.
func (q *query) authorize(env Environment) error {
	for _, use := range q.whole.guarded {
		if !env.Granted(use.view) {
			return errNoTable(use.position)
		}
	}
	return nil
}

// cursor is a query that is being fetched from.
type cursor struct {
	query    *query
	row      row
	scans    []iterator // of each table, for the rows of the tables before it
	level    int
	passed   int // rows that the filter let through
	complete bool
	sorted   [][]Value // what ORDER BY has left to return
	failure  *Error
}

func newCursor(q *query, e *execution) *cursor {
	return &cursor{query: q, row: row{execution: e, records: make([]record, len(q.sources))}}
}

// Next returns the next row. After an error it returns the same error.
func (c *cursor) Next() ([]Value, error) {
	if c.failure != nil {
		return nil, c.failure
	}
	next, err := c.next()
	if err != nil {
		c.failure = err
		return nil, err
	}
	if next == nil {
		return nil, io.EOF
	}
	return next, nil
}

// next returns the next row of the result, and nil behind the last one.
func (c *cursor) next() ([]Value, *Error) {
	switch {
	case len(c.query.aggregates) > 0:
		return c.total()
	case len(c.query.order) > 0:
		return c.nextSorted()
	}
	if found, err := c.advance(); err != nil || !found {
		return nil, err
	}
	return c.project()
}

// project computes the items of the current row.
func (c *cursor) project() ([]Value, *Error) {
	result := make([]Value, len(c.query.items))
	for i, item := range c.query.items {
		var err *Error
		if result[i], err = item.eval(&c.row); err != nil {
			return nil, err
		}
	}
	return result, nil
}

// advance moves to the next row that passes the filter.
func (c *cursor) advance() (bool, *Error) {
	for !c.complete {
		found, err := c.step()
		if err != nil || !found {
			c.complete = true
			return false, err
		}
		c.row.rownum = c.passed + 1
		passes, err := c.passes()
		if err != nil {
			return false, err
		}
		if passes {
			c.passed++
			return true, nil
		}
	}
	return false, nil
}

// passes tests the current row. A condition on ROWNUM alone that has failed once fails for ever, as no later row is numbered higher.
func (c *cursor) passes() (bool, *Error) {
	for _, condition := range c.query.filter {
		result, err := condition.test(&c.row)
		if err != nil {
			return false, err
		}
		if result != yes {
			c.complete = condition.uses == onRownum || condition.uses == 0
			return false, nil
		}
	}
	return true, nil
}

// step moves to the next row before the filter.
func (c *cursor) step() (bool, *Error) {
	if c.row.visited++; c.row.visited > maxVisited {
		return false, fail(2393, 0, "exceeded call limit on CPU usage")
	}
	if c.query.connectBy != nil {
		return c.descend()
	}
	return c.join(), nil
}

// descend generates the rows of CONNECT BY: the one row of DUAL, and as many children below it as the condition allows. The root
// needs no condition.
func (c *cursor) descend() (bool, *Error) {
	if c.level == 0 && !c.join() {
		return false, nil
	}
	c.level++
	c.row.level = decimalOf(c.level)
	c.row.rownum = c.level
	if c.level == 1 {
		return true, nil
	}
	result, err := c.query.connectBy.test(&c.row)
	return result == yes, err
}

// join moves to the next combination of the tables' rows: the last table's scan is the innermost loop.
func (c *cursor) join() bool {
	depth := len(c.scans) - 1
	if depth < 0 {
		c.scans = append(c.scans, c.scan(0))
		depth = 0
	}
	for depth >= 0 {
		record, found := c.scans[depth]()
		if !found {
			c.scans = c.scans[:depth]
			depth--
			continue
		}
		c.row.records[depth] = record
		if depth == len(c.query.sources)-1 {
			return true
		}
		depth++
		c.scans = append(c.scans, c.scan(depth))
	}
	return false
}

func (c *cursor) scan(index int) iterator {
	within := bounds{1, benchRows}
	for _, limit := range c.query.limits {
		within = limit.narrow(within, &c.row)
	}
	return c.query.sources[index].rows(c.row.env, within)
}

// total computes the one row of a query with aggregate functions.
func (c *cursor) total() ([]Value, *Error) {
	if c.complete {
		return nil, nil
	}
	accumulators := make([]accumulator, len(c.query.aggregates))
	for {
		found, err := c.advance()
		if err != nil {
			return nil, err
		}
		if !found {
			break
		}
		for i, aggregate := range c.query.aggregates {
			value, err := aggregate.argument.eval(&c.row)
			if err != nil {
				return nil, err
			}
			accumulators[i].add(aggregate.function, value)
		}
	}
	c.row.groups = make([]Value, len(accumulators))
	for i, aggregate := range c.query.aggregates {
		c.row.groups[i] = accumulators[i].result(aggregate.function)
	}
	return c.project()
}

// subquery computes a scalar subquery once an execution.
func (r *row) subquery(index int, q *query) (Value, *Error) {
	result := &r.subqueries[index]
	if !result.done {
		result.value, result.err = onlyValue(newCursor(q, r.execution))
		result.done = true
	}
	return result.value, result.err
}

// onlyValue is the value of a query with one column: NULL if it has no row, an error if it has more than one.
func onlyValue(c *cursor) (Value, *Error) {
	first, err := c.next()
	if err != nil || first == nil {
		return nil, err
	}
	second, err := c.next()
	if err == nil && second != nil {
		err = fail(1427, 0, "single-row subquery returns more than one row")
	}
	return first[0], err
}
