package sql

// This file holds the aggregate functions COUNT, MAX and MIN.

// aggregate is an aggregate function over all rows of a query.
type aggregate struct {
	function string
	argument expression
}

// accumulator is what an aggregate function has seen so far: how many values that are not NULL, and the one it prefers.
type accumulator struct {
	count int
	best  Value
}

func isAggregate(function string) bool {
	return function == "COUNT" || function == "MAX" || function == "MIN"
}

// aggregate compiles an aggregate function. COUNT(*) counts a constant.
func (s *scope) aggregate(node call) (expression, *Error) {
	if !s.groupable {
		return expression{}, fail(934, node.position(), "group function is not allowed here")
	}
	if node.star && node.name != "COUNT" {
		return expression{}, fail(936, node.position(), "missing expression")
	}
	if !node.star && len(node.arguments) != 1 {
		return expression{}, fail(909, node.position(), "invalid number of arguments")
	}
	argument := constant(Decimal("1"), columnOf(Number))
	if !node.star {
		s.groupable = false
		var err *Error
		if argument, err = s.value(node.arguments[0]); err != nil {
			return expression{}, err
		}
		s.groupable = true
	}
	argument = as(argument.Type, argument)
	index := len(s.query.aggregates)
	s.query.aggregates = append(s.query.aggregates, aggregate{node.name, argument})
	column := argument.Column
	column.Nullable = true
	if node.name == "COUNT" {
		column = columnOf(Number)
	}
	return computed(column, func(r *row) Value { return r.groups[index] }), nil
}

// add takes the value of one more row into account.
func (a *accumulator) add(function string, value Value) {
	if value == nil {
		return
	}
	a.count++
	if a.best == nil || function == "MAX" && compare(value, a.best) > 0 || function == "MIN" && compare(value, a.best) < 0 {
		a.best = value
	}
}

func (a *accumulator) result(function string) Value {
	if function == "COUNT" {
		return decimalOf(a.count)
	}
	return a.best
}
