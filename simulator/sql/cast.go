package sql

// This file parses and compiles CAST.

import "strings"

// cast reads CAST(expression AS type).
func (p *parser) cast() (syntax, *Error) {
	position := at(p.advance().start)
	p.advance()
	operand, err := p.value()
	if err != nil {
		return nil, err
	}
	if err := p.expect("AS", 905, "missing keyword"); err != nil {
		return nil, err
	}
	to, err := p.dataType()
	if err != nil {
		return nil, err
	}
	return castSyntax{position, operand, to}, p.expect(")", 907, "missing right parenthesis")
}

// dataType reads a type with its size.
func (p *parser) dataType() (Column, *Error) {
	switch name := p.peek(); {
	case name.is("VARCHAR2", "VARCHAR", "CHAR"):
		p.advance()
		return p.sizedType(Varchar2, maxTextSize)
	case name.is("RAW"):
		p.advance()
		return p.sizedType(Raw, maxRawSize)
	case p.accept("DATE"):
		return columnOf(Date), nil
	case p.accept("TIMESTAMP"):
		return p.timestampType()
	case p.accept("INTEGER"):
		return numberType(38, 0), nil
	case p.accept("NUMBER"):
		return p.numberType()
	}
	return Column{}, p.failHere(902, "invalid datatype")
}

func numberType(precision, scale int) Column {
	column := columnOf(Number)
	column.Precision, column.Scale = precision, scale
	return column
}

func (p *parser) sizedType(t Type, limit int) (Column, *Error) {
	column := columnOf(t)
	if err := p.expect("(", 906, "missing left parenthesis"); err != nil {
		return column, err
	}
	size, err := p.size(1, limit, 910, "specified length too long for its datatype")
	if err != nil {
		return column, err
	}
	column.Size = size
	if !p.accept("BYTE") {
		p.accept("CHAR")
	}
	return column, p.expect(")", 907, "missing right parenthesis")
}

func (p *parser) timestampType() (Column, *Error) {
	column := columnOf(Timestamp)
	if !p.accept("(") {
		return column, nil
	}
	scale, err := p.size(0, 9, 30088, "datetime/interval precision is out of range")
	if err != nil {
		return column, err
	}
	column.Scale = scale
	return column, p.expect(")", 907, "missing right parenthesis")
}

func (p *parser) numberType() (Column, *Error) {
	if !p.accept("(") {
		return columnOf(Number), nil
	}
	precision, err := p.size(1, 38, 1727, "numeric precision specifier is out of range (1 to 38)")
	if err != nil {
		return Column{}, err
	}
	scale := 0
	if p.accept(",") {
		negative := p.accept("-")
		if scale, err = p.size(0, 127, 1728, "numeric scale specifier is out of range (-84 to 127)"); err != nil {
			return Column{}, err
		}
		if negative {
			scale = -min(scale, 84)
		}
	}
	return numberType(precision, scale), p.expect(")", 907, "missing right parenthesis")
}

// size reads a whole number between two bounds; outside of them it is the error given.
func (p *parser) size(low, high, code int, message string) (int, *Error) {
	t := p.peek()
	if t.kind != number {
		return 0, p.failHere(910, "specified length too long for its datatype")
	}
	size, err := parseDecimal(t.text)
	n := size.integer(high + 1)
	if err != nil || strings.Contains(string(size), ".") || n < low || n > high {
		return 0, p.failHere(code, message)
	}
	p.advance()
	return n, nil
}

// castTo converts to a type and fits the value into its size: a text is cut, a number rounded.
func castTo(to Column, e expression) expression {
	converted := as(to.Type, e)
	eval := converted.eval
	return expression{Column: to, uses: e.uses, eval: func(r *row) (Value, *Error) {
		value, err := eval(r)
		if err != nil || value == nil {
			return nil, err
		}
		return fit(value, to)
	}}
}

func fit(value Value, to Column) (Value, *Error) {
	switch v := value.(type) {
	case string:
		return textValue(truncate(v, to.Size)), nil
	case []byte:
		return v[:min(len(v), to.Size)], nil
	case Decimal:
		if to.Precision == 0 {
			return v, nil
		}
		return fitNumber(v, to.Precision, to.Scale)
	}
	return value, nil
}

func fitNumber(d Decimal, precision, scale int) (Value, *Error) {
	rounded, err := d.round(scale)
	if err != nil {
		return nil, err
	}
	limit, err := canonical(false, "1", precision-scale)
	if err == nil && compareDecimals(Decimal(strings.TrimPrefix(string(rounded), "-")), limit) >= 0 {
		return nil, fail(1438, 0, "value larger than specified precision allowed for this column")
	}
	return rounded, nil
}
