package sql

// This file puts the rows of a query in the order of its ORDER BY.

import "sort"

// maxSorted is how many rows ORDER BY may hold in memory.
const maxSorted = 1_000_000

// nextSorted returns the rows in the order of ORDER BY; the first call reads them all.
func (c *cursor) nextSorted() ([]Value, *Error) {
	if c.sorted == nil {
		if err := c.sort(); err != nil {
			return nil, err
		}
	}
	if len(c.sorted) == 0 {
		return nil, nil
	}
	next := c.sorted[0]
	c.sorted[0] = nil
	c.sorted = c.sorted[1:]
	return next, nil
}

// sort reads all rows and puts them in order.
func (c *cursor) sort() *Error {
	type keyed struct{ keys, row []Value }
	var all []keyed
	for {
		found, err := c.advance()
		if err != nil {
			return err
		}
		if !found {
			break
		}
		if len(all) == maxSorted {
			return fail(1652, 0, "unable to extend temp segment by 128 in tablespace TEMP")
		}
		keys, err := c.keys()
		if err != nil {
			return err
		}
		next, err := c.project()
		if err != nil {
			return err
		}
		all = append(all, keyed{keys, next})
	}
	sort.SliceStable(all, func(i, j int) bool { return c.query.before(all[i].keys, all[j].keys) })
	c.sorted = make([][]Value, len(all))
	for i := range all {
		c.sorted[i] = all[i].row
	}
	return nil
}

// keys computes what the current row is sorted by.
func (c *cursor) keys() ([]Value, *Error) {
	keys := make([]Value, len(c.query.order))
	for i, key := range c.query.order {
		var err *Error
		if keys[i], err = key.eval(&c.row); err != nil {
			return nil, err
		}
	}
	return keys, nil
}

// before reports whether a row comes before another one. NULL comes last, in descending order first.
func (q *query) before(a, b []Value) bool {
	for i, key := range q.order {
		order := 0
		switch {
		case a[i] != nil && b[i] != nil:
			order = compare(a[i], b[i])
		case a[i] != nil:
			order = -1
		case b[i] != nil:
			order = 1
		}
		if order != 0 {
			return (order < 0) != key.descending
		}
	}
	return false
}
