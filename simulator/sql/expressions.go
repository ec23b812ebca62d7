package sql

// This file compiles expressions: literals, names, binds and arithmetic. The functions are in functions.go.

import (
	"slices"
	"time"
)

// value compiles a node that must be an expression.
func (s *scope) value(node syntax) (expression, *Error) {
	switch n := node.(type) {
	case literal:
		return literalOf(n), nil
	case nameSyntax:
		return s.name(n)
	case bindSyntax:
		return bindOf(n), nil
	case negation:
		return s.negation(n)
	case arithmetic:
		return s.arithmetic(n)
	case call:
		return s.call(n)
	case castSyntax:
		operand, err := s.value(n.operand)
		return castTo(n.to, operand), err
	case subquerySyntax:
		return s.subquery(n)
	}
	// A condition in parentheses: Oracle expects the parenthesis to close where the operator stands.
	return expression{}, fail(907, node.position(), "missing right parenthesis")
}

func literalOf(node literal) expression {
	column := columnOf(node.kind)
	if node.kind == Varchar2 {
		text, _ := node.value.(string)
		column = textOf(len(text))
	}
	return constant(node.value, column)
}

// bindOf describes a bind as a text, whatever its value will be: the type is not known before Open.
func bindOf(node bindSyntax) expression {
	return expression{Column: columnOf(Varchar2), untyped: true, eval: func(r *row) (Value, *Error) {
		return r.binds[node.index], nil
	}}
}

// name compiles a pseudo-column, a function without arguments or a column.
func (s *scope) name(node nameSyntax) (expression, *Error) {
	if node.quoted {
		return s.column(node)
	}
	switch node.name {
	case "LEVEL":
		return s.level(node)
	case "ROWNUM":
		return pseudoColumn(onRownum, func(r *row) Value { return decimalOf(r.rownum) }), nil
	case "USER":
		return computed(textOf(128), func(r *row) Value { return textValue(r.env.User()) }), nil
	case "SYSDATE":
		return computed(columnOf(Date), func(r *row) Value { return r.started.Truncate(time.Second) }), nil
	case "SYSTIMESTAMP":
		return computed(columnOf(Timestamp), func(r *row) Value { return r.started }), nil
	case "DBTIMEZONE", "SESSIONTIMEZONE":
		return constant("+00:00", textOf(len("+00:00"))), nil
	}
	return s.column(node)
}

func (s *scope) level(node nameSyntax) (expression, *Error) {
	if !s.hierarchical {
		return expression{}, fail(1788, node.position(), "CONNECT BY clause required in this query block")
	}
	return pseudoColumn(onLevel, func(r *row) Value { return r.level }), nil
}

func pseudoColumn(uses dependency, value func(*row) Value) expression {
	e := computed(columnOf(Number), value)
	e.uses = uses
	return e
}

// computed is an expression that cannot fail.
func computed(column Column, value func(*row) Value) expression {
	return expression{Column: column, eval: func(r *row) (Value, *Error) { return value(r), nil }}
}

func (s *scope) negation(node negation) (expression, *Error) {
	operand, err := s.value(node.operand)
	if err != nil {
		return expression{}, err
	}
	return strict(columnOf(Number), func(v Value) (Value, *Error) { return negative(v.(Decimal)), nil }, as(Number, operand)), nil
}

func (s *scope) arithmetic(node arithmetic) (expression, *Error) {
	if node.operator == "||" {
		return s.concatenation(node)
	}
	left, right, err := s.pair(node.left, node.right)
	if err != nil {
		return expression{}, err
	}
	if isTime(left.Type) || isTime(right.Type) {
		return timeArithmetic(node, left, right)
	}
	return numeric(operations[node.operator], left, right), nil
}

var operations = map[string]func(a, b Decimal) (Decimal, *Error){"+": add, "-": subtract, "*": multiply, "/": divide}

// numeric is an operation on two numbers.
func numeric(operation func(a, b Decimal) (Decimal, *Error), left, right expression) expression {
	return strict2(columnOf(Number), func(a, b Value) (Value, *Error) {
		result, err := operation(a.(Decimal), b.(Decimal))
		if err != nil {
			return nil, err
		}
		return result, nil
	}, as(Number, left), as(Number, right))
}

// concatenation compiles a chain of || as one operation, so that a row costs one text and not one for each operator.
func (s *scope) concatenation(node arithmetic) (expression, *Error) {
	var operands []expression
	var uses dependency
	size := 0
	for _, operand := range chain(node) {
		compiled, err := s.value(operand)
		if err != nil {
			return expression{}, err
		}
		operands = append(operands, compiled)
		uses |= compiled.uses
		size += textSize(compiled)
	}
	return expression{Column: textOf(size), uses: uses, eval: func(r *row) (Value, *Error) { return concatenate(r, operands) }}, nil
}

// chain lists the operands of a || b || c from left to right.
func chain(node arithmetic) []syntax {
	operands := []syntax{node.right}
	left := node.left
	for {
		next, ok := left.(arithmetic)
		if !ok || next.operator != "||" {
			break
		}
		operands = append(operands, next.right)
		left = next.left
	}
	operands = append(operands, left)
	slices.Reverse(operands)
	return operands
}

// concatenate joins texts; NULL is an empty one.
func concatenate(r *row, operands []expression) (Value, *Error) {
	var space [128]byte
	joined := space[:0]
	for _, operand := range operands {
		value, err := operand.eval(r)
		if err != nil {
			return nil, err
		}
		joined = append(joined, toText(value, operand.Type)...)
		if len(joined) > maxTextSize {
			return nil, fail(1489, 0, "result of string concatenation is too long")
		}
	}
	return textValue(string(joined)), nil
}

const day = 24 * time.Hour

// timeArithmetic is a date plus or minus days, or the days between two dates.
func timeArithmetic(node arithmetic, left, right expression) (expression, *Error) {
	switch {
	case isTime(left.Type) && left.Type == right.Type && node.operator == "-":
		return strict2(columnOf(Number), daysBetween, left, right), nil
	case isTime(left.Type) && (right.Type == Number || right.Type == Varchar2) && (node.operator == "+" || node.operator == "-"):
		return strict2(columnOf(Date), func(a, b Value) (Value, *Error) {
			return addDays(a.(time.Time), b.(Decimal), node.operator == "-")
		}, as(Date, left), as(Number, right)), nil
	case left.Type == Number && node.operator == "+":
		return timeArithmetic(node, right, left)
	}
	return expression{}, errInconsistent(Number, Date)
}

func daysBetween(a, b Value) (Value, *Error) {
	seconds := int64(a.(time.Time).Sub(b.(time.Time)) / time.Second)
	days, err := divide(decimalOf(int(seconds)), decimalOf(int(day/time.Second)))
	if err != nil {
		return nil, err
	}
	return days, nil
}

func addDays(moment time.Time, days Decimal, backwards bool) (Value, *Error) {
	seconds, err := multiply(days, decimalOf(int(day/time.Second)))
	if err != nil {
		return nil, err
	}
	if seconds, err = seconds.round(0); err != nil {
		return nil, err
	}
	const limit = 9_999 * 366 * int(day/time.Second)
	n := seconds.integer(limit)
	if backwards {
		n = -n
	}
	result := time.Unix(moment.Unix()+int64(n), 0).UTC()
	if year := result.Year(); year < -4712 || year > 9999 {
		return nil, fail(1841, 0, "(full) year must be between -4713 and +9999, and not be 0")
	}
	return result, nil
}

// strict is a function of one value that is NULL for NULL.
func strict(column Column, f func(Value) (Value, *Error), operand expression) expression {
	column.Nullable = true
	return expression{Column: column, uses: operand.uses, eval: func(r *row) (Value, *Error) {
		value, err := operand.eval(r)
		if err != nil || value == nil {
			return nil, err
		}
		return f(value)
	}}
}

// strict2 is a function of two values that is NULL where either is NULL.
func strict2(column Column, f func(a, b Value) (Value, *Error), left, right expression) expression {
	column.Nullable = true
	return expression{Column: column, uses: left.uses | right.uses, eval: func(r *row) (Value, *Error) {
		a, err := left.eval(r)
		if err != nil || a == nil {
			return nil, err
		}
		b, err := right.eval(r)
		if err != nil || b == nil {
			return nil, err
		}
		return f(a, b)
	}}
}

// subquery compiles a scalar subquery. It cannot read the outer query's columns.
func (s *scope) subquery(node subquerySyntax) (expression, *Error) {
	inner, err := compileSelect(node.query, s.whole)
	if err != nil {
		return expression{}, err
	}
	if len(inner.items) != 1 {
		return expression{}, fail(913, node.position(), "too many values")
	}
	index := s.whole.subqueries
	s.whole.subqueries++
	column := inner.items[0].Column
	column.Nullable = true
	return expression{Column: column, eval: func(r *row) (Value, *Error) { return r.subquery(index, inner) }}, nil
}
