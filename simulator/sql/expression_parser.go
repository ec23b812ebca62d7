package sql

// This file parses expressions and conditions. They share one grammar, so that a parenthesis may open either: from the loosest to
// the tightest OR, AND, NOT, comparisons, + - ||, * /, signs. Which of the two a place needs is checked in compile.go.

import "time"

// condition reads what may stand behind WHERE.
func (p *parser) condition() (syntax, *Error) {
	return p.leftAssociative(p.conjunction, newLogic, "OR")
}

func (p *parser) conjunction() (syntax, *Error) {
	return p.leftAssociative(p.inverted, newLogic, "AND")
}

// value reads what may stand in a select list.
func (p *parser) value() (syntax, *Error) {
	return p.leftAssociative(p.product, newArithmetic, "+", "-", "||")
}

func (p *parser) product() (syntax, *Error) {
	return p.leftAssociative(p.signed, newArithmetic, "*", "/")
}

func newLogic(position at, operator string, left, right syntax) syntax {
	return logic{position, operator, left, right}
}

func newArithmetic(position at, operator string, left, right syntax) syntax {
	return arithmetic{position, operator, left, right}
}

// leftAssociative reads operands with operators of one precedence between them.
func (p *parser) leftAssociative(
	operand func() (syntax, *Error), node func(at, string, syntax, syntax) syntax, operators ...string,
) (syntax, *Error) {
	left, err := operand()
	for err == nil && p.peek().is(operators...) {
		operator := p.advance()
		var right syntax
		if right, err = operand(); err == nil {
			left = node(at(operator.start), operator.text, left, right)
		}
	}
	return left, err
}

func (p *parser) inverted() (syntax, *Error) {
	position := at(p.peek().start)
	if !p.accept("NOT") {
		return p.predicate()
	}
	operand, err := p.inverted()
	return inversion{position, operand}, err
}

// predicate reads a comparison, or an expression alone.
func (p *parser) predicate() (syntax, *Error) {
	left, err := p.value()
	if err != nil {
		return nil, err
	}
	operator := p.peek()
	position := at(operator.start)
	switch {
	case operator.is("=", "<", ">", "<=", ">=", "<>", "!=", "^="):
		p.advance()
		right, err := p.value()
		return comparison{position, operator.text, left, right}, err
	case p.accept("IS"):
		negated := p.accept("NOT")
		return negate(negated, isNull{position, left}), p.expect("NULL", 908, "missing NULL keyword")
	case operator.is("NOT") && p.peekSecond().is("BETWEEN", "IN", "LIKE"):
		p.advance()
		condition, err := p.rangePredicate(position, left)
		return inversion{position, condition}, err
	case operator.is("BETWEEN", "IN", "LIKE"):
		return p.rangePredicate(position, left)
	}
	return left, nil
}

func negate(negated bool, condition syntax) syntax {
	if negated {
		return inversion{at(condition.position()), condition}
	}
	return condition
}

// rangePredicate reads BETWEEN, IN or LIKE and what follows.
func (p *parser) rangePredicate(position at, left syntax) (syntax, *Error) {
	switch keyword := p.advance(); keyword.text {
	case "BETWEEN":
		return p.between(position, left)
	case "IN":
		return p.membership(position, left)
	}
	pattern, err := p.value()
	return likeSyntax{position, left, pattern}, err
}

func (p *parser) between(position at, left syntax) (syntax, *Error) {
	low, err := p.value()
	if err != nil {
		return nil, err
	}
	if err := p.expect("AND", 905, "missing keyword"); err != nil {
		return nil, err
	}
	high, err := p.value()
	return logic{position, "AND", comparison{position, ">=", left, low}, comparison{position, "<=", left, high}}, err
}

func (p *parser) membership(position at, left syntax) (syntax, *Error) {
	if p.peek().is("(") && p.peekSecond().is("SELECT") {
		query, err := p.primary()
		return comparison{position, "=", left, query}, err
	}
	members, err := p.arguments()
	if err != nil {
		return nil, err
	}
	var condition syntax
	for _, member := range members {
		equal := comparison{position, "=", left, member}
		if condition == nil {
			condition = equal
		} else {
			condition = logic{position, "OR", condition, equal}
		}
	}
	return condition, nil
}

func (p *parser) signed() (syntax, *Error) {
	position := at(p.peek().start)
	negative := p.accept("-")
	if !negative && !p.accept("+") {
		return p.primary()
	}
	operand, err := p.signed()
	if negative {
		operand = negation{position, operand}
	}
	return operand, err
}

// primary reads an expression without operators, or a parenthesis.
func (p *parser) primary() (syntax, *Error) {
	t := p.peek()
	position := at(t.start)
	switch {
	case t.kind == text:
		p.advance()
		return literal{position, textValue(t.text), Varchar2}, nil
	case t.kind == number:
		p.advance()
		value, err := parseDecimal(t.text)
		return literal{position, value, Number}, err
	case t.kind == bind:
		p.advance()
		p.binds = append(p.binds, t.text)
		return bindSyntax{position, len(p.binds) - 1}, nil
	case t.is("("):
		return p.parenthesis()
	case p.accept("NULL"):
		return literal{position, nil, Varchar2}, nil
	case t.is("DATE", "TIMESTAMP") && p.peekSecond().kind == text:
		return p.timeLiteral()
	case t.is("CAST") && p.peekSecond().is("("):
		return p.cast()
	case isIdentifier(t):
		return p.named()
	}
	return nil, p.failHere(936, "missing expression")
}

func (p *parser) parenthesis() (syntax, *Error) {
	position := at(p.advance().start)
	var inner syntax
	var err *Error
	if p.peek().is("SELECT") {
		var query *selectSyntax
		query, err = p.query()
		inner = subquerySyntax{position, query}
	} else {
		inner, err = p.condition()
	}
	if err != nil {
		return nil, err
	}
	return inner, p.expect(")", 907, "missing right parenthesis")
}

// timeLiteral reads DATE '2026-01-02' or TIMESTAMP '2026-01-02 03:04:05.678'.
func (p *parser) timeLiteral() (syntax, *Error) {
	keyword, value := p.advance(), p.advance()
	kind, layout := Date, "2006-1-2"
	if keyword.text == "TIMESTAMP" {
		kind, layout = Timestamp, "2006-1-2 15:4:5"
	}
	moment, err := time.Parse(layout, value.text)
	if err != nil {
		return nil, fail(1861, value.start, "literal does not match format string")
	}
	return literal{at(keyword.start), moment, kind}, nil
}

// named reads a call, or a column with or without its table.
func (p *parser) named() (syntax, *Error) {
	first := p.advance()
	position := at(first.start)
	switch {
	case p.peek().is("("):
		return p.call(first)
	case !p.accept("."):
		return nameSyntax{at: position, name: first.text, quoted: first.kind == quoted}, nil
	}
	name, err := p.identifier(1747, "invalid user.table.column, table.column, or column specification")
	return nameSyntax{at: position, table: first.text, name: name, quoted: true}, err
}

func (p *parser) call(function token) (syntax, *Error) {
	node := call{at: at(function.start), name: function.text}
	if p.peekSecond().is("*") {
		p.advance()
		p.advance()
		node.star = true
		return node, p.expect(")", 907, "missing right parenthesis")
	}
	var err *Error
	node.arguments, err = p.arguments()
	return node, err
}

// arguments reads a list of expressions in parentheses.
func (p *parser) arguments() ([]syntax, *Error) {
	if err := p.expect("(", 906, "missing left parenthesis"); err != nil {
		return nil, err
	}
	var all []syntax
	for {
		argument, err := p.value()
		if err != nil {
			return nil, err
		}
		all = append(all, argument)
		if !p.accept(",") {
			return all, p.expect(")", 907, "missing right parenthesis")
		}
	}
}
