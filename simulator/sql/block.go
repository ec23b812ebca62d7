package sql

// This file checks anonymous PL/SQL blocks. They are not run.

import "strings"

// knownPackages are the packages whose procedures a block may call.
var knownPackages = map[string]bool{"DBMS_APPLICATION_INFO": true, "DBMS_SESSION": true, "DBMS_OUTPUT": true}

// block reads to the end of the text: BEGIN or DECLARE, anything, END; and nothing behind it. A procedure that does not exist is an
// error, so that a client which depends on one is told so.
func (p *parser) block() (*Statement, *Error) {
	first, bound := p.offset, map[string]bool{}
	body := p.peek().is("BEGIN")
	for p.peek().kind != end {
		t := p.advance()
		if t.kind == broken {
			return nil, t.err
		}
		if t.kind == bind && !bound[t.text] {
			bound[t.text] = true
			p.binds = append(p.binds, t.text)
		}
		body = body || t.is("BEGIN")
		if body && t.is("BEGIN", ";", "THEN", "ELSE", "LOOP") {
			if err := p.procedure(); err != nil {
				return nil, err
			}
		}
	}
	if !endsBlock(p.tokens[first:p.offset]) {
		return nil, p.blockError(p.peek(), `PLS-00103: Encountered the symbol "end-of-file" when expecting one of the following: ;`)
	}
	return &Statement{Kind: Block}, nil
}

// endsBlock reports whether the tokens end with END; or END label;.
func endsBlock(tokens []token) bool {
	n := len(tokens)
	if n < 3 || !tokens[n-1].is(";") {
		return false
	}
	return tokens[n-2].is("END") || isIdentifier(tokens[n-2]) && tokens[n-3].is("END")
}

// procedure checks the call that begins with the next token, if one does: a name and, behind it, what follows a name in a call.
func (p *parser) procedure() *Error {
	name := p.peek()
	if !isIdentifier(name) || name.is("NULL", "END", "EXIT", "RETURN", "COMMIT", "ROLLBACK", "IF", "LOOP", "BEGIN", "EXCEPTION") {
		return nil
	}
	if knownPackages[name.text] || name.text == "SYS" || !p.peekSecond().is("(", ".", ";") {
		return nil
	}
	return p.blockError(name, `PLS-00201: identifier '`+name.text+`' must be declared`)
}

// blockError is the ORA-06550 around a PL/SQL error. Lines and columns count from 1.
func (p *parser) blockError(t token, message string) *Error {
	before := p.source[:t.start]
	line := strings.Count(before, "\n") + 1
	column := t.start - strings.LastIndex(before, "\n")
	return fail(6550, t.start, "line %d, column %d:\n%s", line, column, message)
}
