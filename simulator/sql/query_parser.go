package sql

// This file parses queries: the select list, the tables and their joins, the clauses.

import "strings"

// maxNameLength is the longest name of a column, in bytes.
const maxNameLength = 128

// query reads SELECT and all that belongs to it.
func (p *parser) query() (*selectSyntax, *Error) {
	p.advance()
	query := &selectSyntax{}
	for _, part := range []func(*selectSyntax) *Error{p.selectList, p.fromClause, p.whereClause, p.connectByClause, p.orderByClause} {
		if err := part(query); err != nil {
			return nil, err
		}
	}
	return query, nil
}

func (p *parser) selectList(query *selectSyntax) *Error {
	if star := p.peek(); p.accept("*") {
		query.items = []itemSyntax{{at: at(star.start), star: true}}
		return p.expect("FROM", 923, "FROM keyword not found where expected")
	}
	for {
		item, err := p.item()
		if err != nil {
			return err
		}
		query.items = append(query.items, item)
		if !p.accept(",") {
			return p.expect("FROM", 923, "FROM keyword not found where expected")
		}
	}
}

// item reads an expression and its alias, or table.*.
func (p *parser) item() (itemSyntax, *Error) {
	first, position := p.offset, at(p.peek().start)
	if isIdentifier(p.peek()) && p.peekSecond().is(".") && p.tokens[min(first+2, len(p.tokens)-1)].is("*") {
		table := p.advance().text
		p.advance()
		p.advance()
		return itemSyntax{at: position, star: true, table: table}, nil
	}
	expression, err := p.value()
	if err != nil {
		return itemSyntax{}, err
	}
	item := itemSyntax{at: position, expression: expression, name: p.derivedName(expression, first)}
	if p.accept("AS") || isIdentifier(p.peek()) {
		item.name, err = p.identifier(923, "FROM keyword not found where expected")
	}
	return item, err
}

// derivedName is the name of a column without an alias: that of the column itself, or the source of the expression in upper case
// and without blanks.
func (p *parser) derivedName(expression syntax, first int) string {
	if column, ok := expression.(nameSyntax); ok {
		return column.name
	}
	var b strings.Builder
	for _, t := range p.tokens[first:p.offset] {
		b.WriteString(p.source[t.start:t.end])
	}
	name := strings.ToUpper(b.String())
	return strings.ToValidUTF8(name[:min(len(name), maxNameLength)], "")
}

func (p *parser) fromClause(query *selectSyntax) *Error {
	if err := p.tableReference(query); err != nil {
		return err
	}
	for {
		switch {
		case p.accept(","):
			if err := p.tableReference(query); err != nil {
				return err
			}
		case p.peek().is("JOIN"), p.peek().is("INNER") && p.peekSecond().is("JOIN"):
			if err := p.join(query); err != nil {
				return err
			}
		default:
			return nil
		}
	}
}

func (p *parser) tableReference(query *selectSyntax) *Error {
	table, err := p.tableName()
	if err != nil {
		return err
	}
	table.alias = table.name
	if t := p.peek(); isIdentifier(t) && !t.is("JOIN", "INNER", "LEFT", "RIGHT", "FULL", "CROSS", "NATURAL", "USING") {
		table.alias = p.advance().text
	}
	query.tables = append(query.tables, table)
	return nil
}

// join reads an inner join with its ON or its USING.
func (p *parser) join(query *selectSyntax) *Error {
	p.accept("INNER")
	p.advance()
	if err := p.tableReference(query); err != nil {
		return err
	}
	if p.accept("USING") {
		return p.usingList(query)
	}
	if err := p.expect("ON", 905, "missing keyword"); err != nil {
		return err
	}
	condition, err := p.condition()
	query.where = append(query.where, condition)
	return err
}

func (p *parser) usingList(query *selectSyntax) *Error {
	if err := p.expect("(", 906, "missing left parenthesis"); err != nil {
		return err
	}
	for {
		position := at(p.peek().start)
		name, err := p.identifier(904, ": invalid identifier")
		if err != nil {
			return err
		}
		query.using = append(query.using, usingSyntax{nameSyntax{at: position, name: name}, len(query.tables) - 1})
		if !p.accept(",") {
			return p.expect(")", 907, "missing right parenthesis")
		}
	}
}

func (p *parser) whereClause(query *selectSyntax) *Error {
	if !p.accept("WHERE") {
		return nil
	}
	condition, err := p.condition()
	query.where = append(query.where, condition)
	return err
}

// connectByClause reads CONNECT BY, which generates rows from the one row of DUAL and has no other use here.
func (p *parser) connectByClause(query *selectSyntax) *Error {
	if !p.peek().is("CONNECT") {
		return nil
	}
	if len(query.tables) != 1 || query.tables[0].name != "DUAL" {
		return p.failHere(933, "SQL command not properly ended")
	}
	p.advance()
	if err := p.expect("BY", 905, "missing keyword"); err != nil {
		return err
	}
	var err *Error
	query.connectBy, err = p.condition()
	return err
}

func (p *parser) orderByClause(query *selectSyntax) *Error {
	if !p.accept("ORDER") {
		return nil
	}
	if err := p.expect("BY", 924, "missing BY keyword"); err != nil {
		return err
	}
	for {
		key := orderSyntax{at: at(p.peek().start)}
		var err *Error
		if key.expression, err = p.value(); err != nil {
			return err
		}
		if key.descending = p.accept("DESC"); !key.descending {
			p.accept("ASC")
		}
		query.order = append(query.order, key)
		if !p.accept(",") {
			return nil
		}
	}
}
