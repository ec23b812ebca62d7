package sql

// This file cuts the text of a statement into tokens.

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

type tokenKind int

const (
	word   tokenKind = iota // a keyword or an unquoted name, in upper case
	quoted                  // a "quoted" name, as written
	number                  // an unsigned number, as written
	text                    // a text literal, without its quotes
	bind                    // a bind variable, without its colon, in upper case
	symbol                  // an operator or a punctuation mark
	end                     // the end of the statement
	broken                  // what cannot be a token: text holds nothing, err says why
)

// token is one token; start and end are the offsets of its source.
type token struct {
	kind       tokenKind
	text       string
	start, end int
	err        *Error
}

// is reports whether the token is one of these keywords or symbols.
func (t token) is(texts ...string) bool {
	if t.kind != word && t.kind != symbol {
		return false
	}
	for _, text := range texts {
		if t.text == text {
			return true
		}
	}
	return false
}

// maxTokens bounds the size of one statement. Trees are walked by recursion, so without a bound a text could exhaust the stack.
const maxTokens = 20_000

// lexer walks over the source.
type lexer struct {
	source string
	offset int
}

// tokens cuts the source up to its end or to the first thing that cannot be a token. Oracle reports the errors of a statement from
// left to right, so a broken token is an error only once the parser has come to it.
func tokens(source string) []token {
	l := lexer{source: source}
	var all []token
	for {
		next := l.next()
		if len(all) == maxTokens {
			next.kind, next.err = broken, errSharedMemory(next.start)
		}
		all = append(all, next)
		if next.kind == end || next.kind == broken {
			return all
		}
	}
}

func (l *lexer) next() token {
	if err := l.skipBlank(); err != nil {
		return token{kind: broken, start: l.offset, end: len(l.source), err: err}
	}
	start := l.offset
	kind, text, err := l.scan()
	if err != nil {
		kind = broken
	}
	return token{kind: kind, text: text, start: start, end: l.offset, err: err}
}

// rest is the source that has not been read.
func (l *lexer) rest() string { return l.source[l.offset:] }

// peek returns the byte at a distance, or 0 past the end.
func (l *lexer) peek(distance int) byte {
	if l.offset+distance >= len(l.source) {
		return 0
	}
	return l.source[l.offset+distance]
}

func (l *lexer) skipBlank() *Error {
	for l.offset < len(l.source) {
		switch {
		case strings.IndexByte(" \t\r\n\f\v\x00", l.peek(0)) >= 0:
			l.offset++
		case strings.HasPrefix(l.rest(), "--"):
			l.skipPast("\n")
		case strings.HasPrefix(l.rest(), "/*"):
			if start := l.offset; !l.skipPast("*/") {
				return fail(1742, start, "comment not terminated properly")
			}
		default:
			return nil
		}
	}
	return nil
}

// skipPast moves behind the next occurrence of a mark, or to the end where there is none.
func (l *lexer) skipPast(mark string) bool {
	index := strings.Index(l.rest(), mark)
	if index < 0 {
		l.offset = len(l.source)
		return false
	}
	l.offset += index + len(mark)
	return true
}

func (l *lexer) scan() (tokenKind, string, *Error) {
	if l.offset == len(l.source) {
		return end, "", nil
	}
	first, following := l.peek(0), l.peek(1)
	switch {
	case first == '\'':
		return l.scanText()
	case (first == 'n' || first == 'N') && following == '\'':
		l.offset++
		return l.scanText()
	case (first == 'q' || first == 'Q') && following == '\'':
		return l.scanAlternativeText()
	case first == '"':
		return l.scanQuoted()
	case isDigit(first), first == '.' && isDigit(following):
		return number, l.scanNumber(), nil
	case first == ':' && following != '=':
		return l.scanBind()
	}
	if name := l.scanName(); name != "" {
		return word, name, nil
	}
	return l.scanSymbol()
}

// scanText reads 'text' with two quotes for a quote.
func (l *lexer) scanText() (tokenKind, string, *Error) {
	start := l.offset
	var b strings.Builder
	for l.offset++; ; l.offset++ {
		index := strings.IndexByte(l.rest(), '\'')
		if index < 0 {
			l.offset = len(l.source)
			return text, "", fail(1756, start, "quoted string not properly terminated")
		}
		b.WriteString(l.rest()[:index])
		l.offset += index + 1
		if l.peek(0) != '\'' {
			return text, b.String(), nil
		}
		b.WriteByte('\'')
	}
}

// scanAlternativeText reads q'[text]' with any delimiter in place of the brackets.
func (l *lexer) scanAlternativeText() (tokenKind, string, *Error) {
	start := l.offset
	l.offset += len("q'")
	opening, size := utf8.DecodeRuneInString(l.rest())
	closing := string(opening)
	if index := strings.IndexRune("[{(<", opening); index >= 0 {
		closing = "]})>"[index : index+1]
	}
	l.offset += size
	body := l.offset
	if size == 0 || !l.skipPast(closing+"'") {
		return text, "", fail(1756, start, "quoted string not properly terminated")
	}
	return text, l.source[body : l.offset-len(closing)-1], nil
}

func (l *lexer) scanQuoted() (tokenKind, string, *Error) {
	start := l.offset
	l.offset++
	if !l.skipPast(`"`) {
		return quoted, "", fail(1740, start, "missing double quote in identifier")
	}
	name := l.source[start+1 : l.offset-1]
	if name == "" {
		return quoted, "", fail(1741, start, "illegal zero-length identifier")
	}
	return quoted, name, nil
}

func (l *lexer) scanNumber() string {
	start := l.offset
	l.skipDigits()
	if l.peek(0) == '.' {
		l.offset++
		l.skipDigits()
	}
	if exponent := l.peek(0); exponent == 'e' || exponent == 'E' {
		signed := 0
		if sign := l.peek(1); sign == '+' || sign == '-' {
			signed = 1
		}
		if isDigit(l.peek(1 + signed)) {
			l.offset += 1 + signed
			l.skipDigits()
		}
	}
	return l.source[start:l.offset]
}

func (l *lexer) skipDigits() {
	for isDigit(l.peek(0)) {
		l.offset++
	}
}

// scanBind reads :name, :1 or :"Name"; Oracle lets blanks stand behind the colon.
func (l *lexer) scanBind() (tokenKind, string, *Error) {
	start := l.offset
	l.offset++
	if err := l.skipBlank(); err != nil {
		return bind, "", err
	}
	switch {
	case l.peek(0) == '"':
		_, name, err := l.scanQuoted()
		return bind, name, err
	case isDigit(l.peek(0)):
		digits := l.offset
		l.skipDigits()
		return bind, l.source[digits:l.offset], nil
	}
	if name := l.scanName(); name != "" {
		return bind, name, nil
	}
	return bind, "", fail(1745, start, "invalid host/bind variable name")
}

// scanName reads an unquoted name and returns it in upper case, or nothing where none starts.
func (l *lexer) scanName() string {
	start := l.offset
	for l.offset < len(l.source) {
		r, size := utf8.DecodeRuneInString(l.rest())
		inside := l.offset > start && (unicode.IsDigit(r) || r == '_' || r == '$' || r == '#')
		if !unicode.IsLetter(r) && !inside {
			break
		}
		l.offset += size
	}
	return strings.ToUpper(l.source[start:l.offset])
}

func (l *lexer) scanSymbol() (tokenKind, string, *Error) {
	for _, operator := range [...]string{"||", "<=", ">=", "<>", "!=", "^=", ":=", "=>", ".."} {
		if strings.HasPrefix(l.rest(), operator) {
			l.offset += len(operator)
			return symbol, operator, nil
		}
	}
	if strings.IndexByte("+-*/(),.;=<>@%|[]", l.peek(0)) < 0 {
		return symbol, "", fail(911, l.offset, "invalid character")
	}
	l.offset++
	return symbol, l.source[l.offset-1 : l.offset], nil
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }
