package sql

// This file tells the kinds of statement apart and parses all but queries and PL/SQL blocks.

// parser walks over the tokens of one statement.
type parser struct {
	source string
	tokens []token
	offset int
	binds  []string
}

// Parse reads one statement: a query, an anonymous PL/SQL block, or a statement that changes the session, the transaction or data.
// Its error is an *Error. The names of tables and columns are looked up here; whether the user may change data is for Open to say.
func Parse(text string) (*Statement, error) {
	text = validText(text)
	p := &parser{source: text, tokens: tokens(text)}
	statement, err := p.statement()
	if err != nil {
		return nil, err
	}
	statement.Binds = p.binds
	return statement, nil
}

func (p *parser) statement() (*Statement, *Error) {
	switch first := p.peek(); {
	case first.is("SELECT"):
		return p.queryStatement()
	case first.is("BEGIN", "DECLARE"):
		return p.block()
	case first.is("COMMIT", "ROLLBACK", "SAVEPOINT", "SET"):
		return p.sessionStatement()
	case first.is("ALTER"):
		return p.alter()
	case first.is("INSERT", "UPDATE", "DELETE", "MERGE"):
		return p.dml()
	case first.is("DROP", "TRUNCATE"):
		return nil, p.drop()
	case first.is("CREATE", "GRANT", "REVOKE", "RENAME", "COMMENT", "ANALYZE", "LOCK"):
		return nil, errPrivileges()
	}
	return nil, p.failHere(900, "invalid SQL statement")
}

func (p *parser) queryStatement() (*Statement, *Error) {
	tree, err := p.query()
	if err != nil {
		return nil, err
	}
	if err := p.statementEnd(); err != nil {
		return nil, err
	}
	plan, err := compileQuery(tree)
	if err != nil {
		return nil, err
	}
	return &Statement{Kind: Query, Columns: plan.columns(), plan: plan}, nil
}

// alter accepts ALTER SESSION with anything behind it. A user with CREATE SESSION alone may alter nothing else.
func (p *parser) alter() (*Statement, *Error) {
	p.advance()
	switch {
	case p.accept("SESSION"):
		if p.peek().kind == end {
			return nil, p.failHere(2248, "invalid option for ALTER SESSION")
		}
		return p.sessionStatement()
	case p.accept("TABLE"):
		return nil, p.ownedTable()
	}
	return nil, errPrivileges()
}

// sessionStatement skips the rest of a statement that changes nothing a client could see here.
func (p *parser) sessionStatement() (*Statement, *Error) {
	for p.peek().kind != end {
		if t := p.peek(); t.kind == broken || t.is(";") {
			return nil, p.failHere(933, "SQL command not properly ended")
		}
		p.advance()
	}
	return &Statement{Kind: Session}, nil
}

// dml looks for the table of a DML statement and for its binds. The rest needs no grammar: Open refuses the statement.
func (p *parser) dml() (*Statement, *Error) {
	switch verb := p.advance(); {
	case verb.is("INSERT", "MERGE"):
		if !p.accept("INTO") {
			return nil, p.failHere(925, "missing INTO keyword")
		}
	case verb.is("DELETE"):
		p.accept("FROM")
	}
	if _, err := p.existingTable(); err != nil {
		return nil, err
	}
	for p.peek().kind != end {
		t := p.peek()
		if t.kind == broken || t.is(";") {
			return nil, p.failHere(933, "SQL command not properly ended")
		}
		if p.advance(); t.kind == bind {
			p.binds = append(p.binds, t.text)
		}
	}
	return &Statement{Kind: DML}, nil
}

func (p *parser) drop() *Error {
	p.advance()
	if !p.accept("TABLE") {
		return errPrivileges()
	}
	return p.ownedTable()
}

// ownedTable reads the name of a table that only its owner may change.
func (p *parser) ownedTable() *Error {
	if _, err := p.existingTable(); err != nil {
		return err
	}
	return errPrivileges()
}

func (p *parser) existingTable() (*table, *Error) {
	name, err := p.tableName()
	if err != nil {
		return nil, err
	}
	return findTable(name)
}

// tableName reads [schema.]table.
func (p *parser) tableName() (tableSyntax, *Error) {
	name := tableSyntax{at: at(p.peek().start)}
	var err *Error
	if name.name, err = p.identifier(903, "invalid table name"); err != nil {
		return name, err
	}
	if p.accept(".") {
		name.schema = name.name
		name.name, err = p.identifier(903, "invalid table name")
	}
	return name, err
}

// identifier reads a quoted name or one that is not a reserved word; what is neither is the error given.
func (p *parser) identifier(code int, text string) (string, *Error) {
	t := p.peek()
	if !isIdentifier(t) {
		return "", p.failHere(code, text)
	}
	p.advance()
	return t.text, nil
}

// statementEnd refuses anything that follows a complete statement; Oracle refuses a semicolon, too.
func (p *parser) statementEnd() *Error {
	if p.peek().kind != end {
		return p.failHere(933, "SQL command not properly ended")
	}
	return nil
}

// peek returns the next token. The last one is never passed, so there always is one.
func (p *parser) peek() token { return p.tokens[p.offset] }

// peekSecond returns the token behind the next one.
func (p *parser) peekSecond() token { return p.tokens[min(p.offset+1, len(p.tokens)-1)] }

// advance moves behind the next token and returns it.
func (p *parser) advance() token {
	t := p.tokens[p.offset]
	p.offset = min(p.offset+1, len(p.tokens)-1)
	return t
}

// accept moves behind the next token if it is this keyword or symbol.
func (p *parser) accept(text string) bool {
	if !p.peek().is(text) {
		return false
	}
	p.advance()
	return true
}

// expect moves behind a keyword or a symbol that must come next; anything else is the error given.
func (p *parser) expect(text string, code int, message string) *Error {
	if !p.accept(text) {
		return p.failHere(code, message)
	}
	return nil
}

// failHere is the error at the next token: the one given, or the token's own if it is broken.
func (p *parser) failHere(code int, text string) *Error {
	t := p.peek()
	if t.kind == broken {
		return t.err
	}
	return fail(code, t.start, "%s", text)
}

// reserved are the words that cannot be the name of a table, of a column or of an alias.
var reserved = map[string]bool{
	"ALL": true, "ALTER": true, "AND": true, "ANY": true, "AS": true, "ASC": true, "BETWEEN": true, "BY": true, "CONNECT": true,
	"CREATE": true, "DELETE": true, "DESC": true, "DISTINCT": true, "DROP": true, "ELSE": true, "EXISTS": true, "FOR": true,
	"FROM": true, "GROUP": true, "HAVING": true, "IN": true, "INSERT": true, "INTERSECT": true, "INTO": true, "IS": true,
	"LIKE": true, "MINUS": true, "NOT": true, "NULL": true, "OF": true, "ON": true, "OR": true, "ORDER": true, "PRIOR": true,
	"SELECT": true, "SET": true, "START": true, "TABLE": true, "THEN": true, "TO": true, "UNION": true, "UNIQUE": true,
	"UPDATE": true, "VALUES": true, "WHERE": true, "WITH": true,
}

func isIdentifier(t token) bool { return t.kind == quoted || t.kind == word && !reserved[t.text] }
