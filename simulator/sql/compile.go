package sql

// This file gives a query's syntax tree its meaning: it looks the tables and the columns up and checks where aggregate functions stand.

// query is a compiled query.
type query struct {
	sources    []*table
	names      []string // of the items
	items      []expression
	filter     []condition // all of which must hold
	connectBy  *condition
	order      []orderKey
	aggregates []aggregate
	limits     []limit
	// whole is what the statement holds in all its queries. Only the outermost query knows it.
	whole whole
}

// whole is what a statement holds in all its queries together.
type whole struct {
	subqueries int // scalar ones
	guarded    []guardedUse
}

// guardedUse is a place where a statement reads a view that needs a grant.
type guardedUse struct {
	view     string
	position int
}

// orderKey is an item of ORDER BY.
type orderKey struct {
	expression
	descending bool
}

// scope is what a name can mean in one query.
type scope struct {
	query *query
	// aliases are the names of the query's tables, in order.
	aliases []string
	// merged holds the columns of USING, which without a table mean those of the left one.
	merged map[string]bool
	// hierarchical says whether the query has a CONNECT BY, and thus a LEVEL.
	hierarchical bool
	// groupable says whether an aggregate function may stand here.
	groupable bool
	whole     *whole
}

// columns describes the result.
func (q *query) columns() []Column {
	columns := make([]Column, len(q.items))
	for i, item := range q.items {
		columns[i] = item.Column
		columns[i].Name = q.names[i]
	}
	return columns
}

func compileQuery(tree *selectSyntax) (*query, *Error) {
	var all whole
	outermost, err := compileSelect(tree, &all)
	if err != nil {
		return nil, err
	}
	outermost.whole = all
	return outermost, nil
}

func compileSelect(tree *selectSyntax, all *whole) (*query, *Error) {
	s := &scope{query: &query{}, merged: map[string]bool{}, hierarchical: tree.connectBy != nil, whole: all}
	for _, part := range []func(*selectSyntax) *Error{s.from, s.joinUsing, s.where, s.connectBy, s.items, s.orderBy} {
		if err := part(tree); err != nil {
			return nil, err
		}
	}
	return s.query, nil
}

func (s *scope) from(tree *selectSyntax) *Error {
	for _, name := range tree.tables {
		source, err := findTable(name)
		if err != nil {
			return err
		}
		if source.grantedAs != "" {
			s.whole.guarded = append(s.whole.guarded, guardedUse{source.grantedAs, name.position()})
		}
		s.query.sources = append(s.query.sources, source)
		s.aliases = append(s.aliases, name.alias)
	}
	return nil
}

// joinUsing makes an equation of each column of USING.
func (s *scope) joinUsing(tree *selectSyntax) *Error {
	for _, column := range tree.using {
		left, inLeft := s.find(column.name, 0, column.right)
		right, inRight := s.find(column.name, column.right, column.right+1)
		if !inLeft || !inRight {
			return errIdentifier(column.nameSyntax)
		}
		s.merged[column.name] = true
		s.query.filter = append(s.query.filter, compareBy("=", s.fieldOf(left), s.fieldOf(right)))
	}
	return nil
}

func (s *scope) where(tree *selectSyntax) *Error {
	for _, clause := range tree.where {
		if err := s.conjuncts(clause); err != nil {
			return err
		}
	}
	return nil
}

// conjuncts takes a condition apart at its ANDs. The order of evaluation stays that of the text.
func (s *scope) conjuncts(tree syntax) *Error {
	if both, ok := tree.(logic); ok && both.operator == "AND" {
		if err := s.conjuncts(both.left); err != nil {
			return err
		}
		return s.conjuncts(both.right)
	}
	if simple, ok := tree.(comparison); ok {
		left, right, err := s.pair(simple.left, simple.right)
		if err != nil {
			return err
		}
		s.query.filter = append(s.query.filter, compareBy(simple.operator, left, right))
		s.limit(simple.operator, left, right)
		return nil
	}
	compiled, err := s.condition(tree)
	s.query.filter = append(s.query.filter, compiled)
	return err
}

func (s *scope) connectBy(tree *selectSyntax) *Error {
	if tree.connectBy == nil {
		return nil
	}
	compiled, err := s.condition(tree.connectBy)
	s.query.connectBy = &compiled
	return err
}

func (s *scope) items(tree *selectSyntax) *Error {
	s.groupable = true
	for _, item := range tree.items {
		if item.star {
			if err := s.allColumns(item); err != nil {
				return err
			}
			continue
		}
		compiled, err := s.value(item.expression)
		if err != nil {
			return err
		}
		s.add(item.name, as(compiled.Type, compiled))
	}
	if len(s.query.aggregates) == 0 {
		return nil
	}
	for i, item := range s.query.items {
		if item.uses != 0 {
			return fail(937, tree.items[min(i, len(tree.items)-1)].position(), "not a single-group group function")
		}
	}
	return nil
}

func (s *scope) add(name string, item expression) {
	s.query.names = append(s.query.names, name)
	s.query.items = append(s.query.items, item)
}

// allColumns expands * and table.*.
func (s *scope) allColumns(item itemSyntax) *Error {
	found := false
	for i, source := range s.query.sources {
		if item.table != "" && item.table != s.aliases[i] {
			continue
		}
		found = true
		for j, column := range source.columns {
			s.add(column.Name, s.fieldOf(field{i, j}))
		}
	}
	if !found {
		return fail(904, item.position(), `"%s": invalid identifier`, item.table)
	}
	return nil
}

// orderBy compiles the keys: the number or the alias of an item, or any expression.
func (s *scope) orderBy(tree *selectSyntax) *Error {
	for _, key := range tree.order {
		compiled, err := s.orderExpression(key)
		if err != nil {
			return err
		}
		s.query.order = append(s.query.order, orderKey{compiled, key.descending})
	}
	if len(s.query.order) > 0 && s.isScanOrder(s.query.order[0]) {
		s.query.order = nil
	}
	return nil
}

func (s *scope) orderExpression(key orderSyntax) (expression, *Error) {
	switch node := key.expression.(type) {
	case literal:
		if position, ok := node.value.(Decimal); ok {
			index := position.integer(len(s.query.items) + 1)
			if index < 1 || index > len(s.query.items) {
				return expression{}, fail(1785, key.position(), "ORDER BY item must be the number of a SELECT-list expression")
			}
			return s.query.items[index-1], nil
		}
	case nameSyntax:
		for i, name := range s.query.names {
			if node.table == "" && name == node.name {
				return s.query.items[i], nil
			}
		}
	}
	return s.value(key.expression)
}

// isScanOrder reports whether rows come in the order of a key without sorting: SDU_BENCH alone, by its ID, which is unique.
func (s *scope) isScanOrder(key orderKey) bool {
	return len(s.query.sources) == 1 && s.isBenchID(key.expression) && !key.descending
}

func (s *scope) isBenchID(e expression) bool {
	return e.field != nil && s.query.sources[e.field.table] == sduBench && e.field.column == 0
}

// find looks a column up in the tables from first up to but not including last.
func (s *scope) find(name string, first, last int) (field, bool) {
	for i := first; i < last; i++ {
		for j, column := range s.query.sources[i].columns {
			if column.Name == name {
				return field{i, j}, true
			}
		}
	}
	return field{}, false
}

// column looks up a column, of the table that is named or of any.
func (s *scope) column(node nameSyntax) (expression, *Error) {
	var found []field
	for i := range s.query.sources {
		if node.table != "" && node.table != s.aliases[i] {
			continue
		}
		if f, ok := s.find(node.name, i, i+1); ok {
			found = append(found, f)
		}
	}
	switch {
	case len(found) == 0:
		return expression{}, errIdentifier(node)
	case len(found) > 1 && !s.merged[node.name]:
		return expression{}, fail(918, node.position(), "column ambiguously defined")
	}
	return s.fieldOf(found[0]), nil
}

// errIdentifier is the error of a name that means nothing here.
func errIdentifier(node nameSyntax) *Error {
	if node.table != "" {
		return fail(904, node.position(), `"%s"."%s": invalid identifier`, node.table, node.name)
	}
	return fail(904, node.position(), `"%s": invalid identifier`, node.name)
}

func (s *scope) fieldOf(f field) expression {
	column := s.query.sources[f.table].columns[f.column]
	column.Name = ""
	return expression{Column: column, uses: onRecord, field: &f, eval: func(r *row) (Value, *Error) {
		return r.records[f.table].column(f.column), nil
	}}
}
