// Oracle's name-value text, (NAME=value) and (NAME=(…)(…)), as a tree.

package dsn

import (
	"fmt"
	"strings"
)

// Limits against hostile texts; real descriptors have a few hundred bytes and
// five levels. With the CID added, the text must fit the 16-bit length of a
// CONNECT packet's data.
const (
	maxTextSize    = 60 << 10
	maxDepth       = 16
	maxKeywordSize = 64
)

// node is one (NAME=…): either with children or with a value.
type node struct {
	name string
	raw  string // the value as written, with its quotes
	list []*node
	line int // in the text, from 1; 0 if it was not parsed from one
}

// atom makes (NAME=value), quoted where the value needs it.
func atom(name, value string) *node {
	return &node{name: name, raw: quoted(value)}
}

func branch(name string, children ...*node) *node {
	return &node{name: name, list: children}
}

// quoted puts quotes around a value that would not read the same without. The
// value has no double quotes of its own.
func quoted(value string) string {
	if !strings.ContainsAny(value, `()='`) && value == strings.TrimSpace(value) {
		return value
	}
	return `"` + value + `"`
}

func (n *node) is(name string) bool { return strings.EqualFold(n.name, name) }

// text is the value without its quotes.
func (n *node) text() string {
	if last := len(n.raw) - 1; last > 0 && isQuote(n.raw[0]) && n.raw[last] == n.raw[0] {
		return n.raw[1:last]
	}
	return n.raw
}

// child is the first child that has one of the names, nil if none has.
func (n *node) child(names ...string) *node {
	if n == nil {
		return nil
	}
	for _, c := range n.list {
		for _, name := range names {
			if c.is(name) {
				return c
			}
		}
	}
	return nil
}

// find is the first node of that name in the tree, nil if there is none.
func (n *node) find(name string) *node {
	if n.is(name) {
		return n
	}
	for _, c := range n.list {
		if found := c.find(name); found != nil {
			return found
		}
	}
	return nil
}

// String renders the tree as it travels: without blanks between its parts.
func (n *node) String() string {
	var b strings.Builder
	n.render(&b)
	return b.String()
}

func (n *node) render(b *strings.Builder) {
	b.WriteByte('(')
	b.WriteString(n.name)
	b.WriteByte('=')
	b.WriteString(n.raw)
	for _, c := range n.list {
		c.render(b)
	}
	b.WriteByte(')')
}

// errorf is an error at the node.
func (n *node) errorf(format string, args ...any) *Error {
	return &Error{Line: n.line, Msg: fmt.Sprintf(format, args...)}
}

// parseTree reads one whole tree.
func parseTree(text string) (*node, error) {
	if len(text) > maxTextSize {
		return nil, errTooLong(text)
	}
	p := &treeParser{text: text, line: 1}
	p.blanks()
	root, err := p.pair(1)
	if err != nil {
		return nil, err
	}
	p.blanks()
	switch p.peek() {
	case 0:
		return root, nil
	case ')':
		return nil, p.errorf("a parenthesis closes nothing: remove it, or open one before it")
	}
	return nil, p.errorf("text follows the descriptor's last parenthesis: remove it")
}

func errTooLong(text string) *Error {
	return failf("a data source name of %d bytes is longer than the %d that are read", len(text), maxTextSize)
}

// treeParser reads a text from the left. A byte of 0 means its end.
type treeParser struct {
	text string
	at   int
	line int
}

func (p *treeParser) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

func (p *treeParser) errorf(format string, args ...any) *Error {
	return &Error{Line: p.line, Msg: fmt.Sprintf(format, args...)}
}

// unclosed is reported where the text begins: which of its parentheses lacks
// its partner, only the writer knows.
func (p *treeParser) unclosed() *Error {
	return &Error{Msg: "a parenthesis is not closed: count the parentheses of this entry"}
}

func (p *treeParser) skip(n int) string {
	skipped := p.text[p.at : p.at+n]
	p.line += strings.Count(skipped, "\n")
	p.at += n
	return skipped
}

// until takes everything before the first of the stop bytes.
func (p *treeParser) until(stops string) string {
	n := strings.IndexAny(p.text[p.at:], stops)
	if n < 0 {
		n = len(p.text) - p.at
	}
	return p.skip(n)
}

func (p *treeParser) blanks() {
	rest := p.text[p.at:]
	p.skip(len(rest) - len(strings.TrimLeft(rest, blank)))
}

// pair reads one (NAME=…).
func (p *treeParser) pair(depth int) (*node, error) {
	switch {
	case p.peek() == 0:
		return nil, p.unclosed()
	case p.peek() != '(':
		return nil, p.errorf("an opening parenthesis is missing before the text here")
	case depth > maxDepth:
		return nil, p.errorf("the descriptor is nested more than %d levels deep", maxDepth)
	}
	p.skip(1)
	p.blanks()
	n := &node{line: p.line}
	n.name = strings.TrimRight(p.until("=()"), blank)
	switch {
	case p.peek() == 0:
		return nil, p.unclosed()
	case p.peek() != '=':
		return nil, n.errorf("an equals sign is missing after a parenthesis: write (NAME=value)")
	case !isKeyword(n.name):
		return nil, n.errorf("%s is not a keyword: write (NAME=value)", quote(n.name))
	}
	p.skip(1)
	p.blanks()
	return n, p.value(n, depth)
}

// value reads what follows the equals sign, and the closing parenthesis.
func (p *treeParser) value(n *node, depth int) error {
	if p.peek() != '(' {
		return p.atom(n)
	}
	for {
		switch p.peek() {
		case 0:
			return p.unclosed()
		case ')':
			p.skip(1)
			return nil
		}
		c, err := p.pair(depth + 1)
		if err != nil {
			return err
		}
		n.list = append(n.list, c)
		p.blanks()
	}
}

func (p *treeParser) atom(n *node) error {
	start := p.at
	if q := p.peek(); isQuote(q) {
		end := strings.IndexByte(p.text[p.at+1:], q)
		if end < 0 {
			return n.errorf("a quote is not closed: add the closing %c to the value of %s", q, n.name)
		}
		p.skip(end + 2)
		p.blanks()
	}
	p.until("()")
	n.raw = oneLine(p.text[start:p.at])
	switch {
	case strings.ContainsFunc(n.raw, isControl):
		return n.errorf("the value of %s holds a control character: remove it", n.name)
	case p.peek() == 0:
		return p.unclosed()
	case p.peek() == '(':
		return n.errorf("a parenthesis stands within the value of %s: put the value in quotes, or close it first", n.name)
	}
	p.skip(1)
	return nil
}

// blank is what may stand between the parts of a descriptor.
const blank = " \t\r\n"

// oneLine joins a value that was written over several lines.
func oneLine(s string) string {
	s = strings.Trim(s, blank)
	if !strings.ContainsAny(s, "\r\n") {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

func isQuote(c byte) bool { return c == '"' || c == '\'' }

func isControl(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }

// isKeyword tells whether s can name a parameter: letters, digits, _ . and -.
func isKeyword(s string) bool {
	return s != "" && len(s) <= maxKeywordSize && !strings.ContainsFunc(s, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' || r == '.' || r == '-')
	})
}
