package sql

// This file holds the syntax tree of a query: what the parser makes, and what compile.go gives a meaning.

// syntax is a node of the tree: an expression or a condition.
type syntax interface {
	// position is the offset of the node in the statement; that of an operation is the offset of its operator.
	position() int
}

type at int

func (a at) position() int { return int(a) }

// The expressions.
type (
	literal struct {
		at
		value Value
		kind  Type
	}
	// nameSyntax is a column, with or without its table, or a pseudo-column.
	nameSyntax struct {
		at
		table, name string
		quoted      bool
	}
	bindSyntax struct {
		at
		index int
	}
	negation struct {
		at
		operand syntax
	}
	// arithmetic is an operation with one of + - * / and ||.
	arithmetic struct {
		at
		operator    string
		left, right syntax
	}
	call struct {
		at
		name      string
		arguments []syntax
		star      bool
	}
	castSyntax struct {
		at
		operand syntax
		to      Column
	}
	subquerySyntax struct {
		at
		query *selectSyntax
	}
)

// The conditions. BETWEEN and IN are written with them: x between 1 and 2 is x >= 1 and x <= 2.
type (
	comparison struct {
		at
		operator    string
		left, right syntax
	}
	likeSyntax struct {
		at
		operand, pattern syntax
	}
	isNull struct {
		at
		operand syntax
	}
	logic struct {
		at
		operator    string
		left, right syntax
	}
	inversion struct {
		at
		operand syntax
	}
)

// selectSyntax is a query.
type selectSyntax struct {
	items     []itemSyntax
	tables    []tableSyntax
	where     []syntax // WHERE and the ON conditions, all of which must hold
	using     []usingSyntax
	connectBy syntax
	order     []orderSyntax
}

// itemSyntax is an item of the select list: an expression with its name, or all columns (of a table, where it is named).
type itemSyntax struct {
	at
	expression syntax
	name       string
	star       bool
	table      string
}

type tableSyntax struct {
	at
	schema, name, alias string
}

// usingSyntax is a column of USING: table is the index of the right one of the two joined tables.
type usingSyntax struct {
	nameSyntax
	right int
}

type orderSyntax struct {
	at
	expression syntax
	descending bool
}
