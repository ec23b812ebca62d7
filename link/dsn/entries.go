// Where one entry of a parameter file ends and the next begins.

package dsn

import "strings"

// splitEntries takes a file's text apart. Oracle begins an entry at every line
// that does not begin with a blank or a parenthesis; here an entry also ends
// with its last parenthesis, so that indented files are read, and a broken
// entry ends where a line looks like the start of the next.
func splitEntries(path, text string) []entry {
	s := splitter{path: path}
	text = strings.TrimPrefix(text, "\ufeff")
	for line := range strings.SplitSeq(text, "\n") {
		s.line++
		s.feed(strings.TrimSuffix(line, "\r"))
	}
	s.flush()
	return s.entries
}

// place is where in an entry the splitter is.
type place int

const (
	inName  place = iota
	atValue       // after the equals sign, nothing yet
	inWord        // a value without parentheses, until the end of its line
	inTree        // a value in parentheses
	done          // behind the value's end
)

type splitter struct {
	path    string
	line    int
	entries []entry

	text  strings.Builder
	start int // line of the entry's first character
	place place
	depth int
	quote byte // the quote that is open, 0 if none
	last  byte // the last character that is no blank
}

// feed takes one line.
func (s *splitter) feed(line string) {
	if trimmed := strings.TrimLeft(line, blank); trimmed == "" || trimmed[0] == '#' {
		line = ""
	}
	if s.beginsEntry(line) {
		s.flush()
	}
	for i := range len(line) {
		c := line[i]
		if s.quote == 0 && c == '#' && strings.IndexByte(" \t()", line[i-1]) >= 0 {
			break
		}
		s.take(c)
	}
	if s.text.Len() > 0 {
		s.text.WriteByte('\n')
	}
	if s.place == inWord {
		s.place = done
	}
}

// beginsEntry tells whether a line begins an entry although the one before it
// lacks something: it stands at the left margin, and reads "name =", "name," or
// "name (". Other lines there belong to the entry, which Oracle would not allow.
func (s *splitter) beginsEntry(line string) bool {
	if s.text.Len() == 0 || line == "" || strings.IndexByte(blank+"()=", line[0]) >= 0 {
		return false
	}
	if s.place == inName {
		return s.last != ','
	}
	end := strings.IndexAny(line, "=()")
	if end < 0 {
		return strings.HasSuffix(strings.TrimRight(line, blank), ",")
	}
	return line[end] != ')' && !strings.ContainsAny(line[:end], `/:?"'`)
}

// take adds one character of the line.
func (s *splitter) take(c byte) {
	if s.place == done && strings.IndexByte(blank+"()", c) < 0 {
		s.flush()
	}
	isBlank := strings.IndexByte(blank, c) >= 0
	if s.text.Len() == 0 {
		if isBlank {
			return
		}
		s.start = s.line
	}
	s.text.WriteByte(c)
	switch {
	case s.quote != 0:
		if c == s.quote {
			s.quote = 0
		}
	case isQuote(c) && s.last == '=':
		s.quote = c
		if s.place == atValue {
			s.place = inWord
		}
	default:
		s.move(c)
	}
	if !isBlank {
		s.last = c
	}
}

// move goes to the place behind a character that is not quoted.
func (s *splitter) move(c byte) {
	switch {
	case c == '(':
		if s.place != inWord {
			s.place = inTree
			s.depth++
		}
	case c == ')':
		if s.place == inTree {
			if s.depth--; s.depth <= 0 {
				s.place = done
			}
		}
	case c == '=' && s.place == inName:
		s.place = atValue
	case s.place == atValue && strings.IndexByte(blank, c) < 0:
		s.place = inWord
	}
}

// flush ends the entry.
func (s *splitter) flush() {
	if s.text.Len() > 0 {
		s.entries = append(s.entries, entry{path: s.path, line: s.start, text: s.text.String()})
	}
	s.text.Reset()
	s.place, s.depth, s.quote, s.last = inName, 0, 0, 0
}
