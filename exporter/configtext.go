// What the bytes of a configuration must be before the YAML parser sees them.

package exporter

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// deepestNesting is far more than any configuration has. The parser's time and
// memory grow with the square of what stands open in each other.
const deepestNesting = 100

// deepList is what follows the first dash of lists in lists on one line.
var deepList = bytes.Repeat([]byte(" -"), deepestNesting)

// readable returns the text without the byte order mark that some editors
// write. It refuses what YAML does not hold, which the parser would let
// through as other characters: bytes that are not UTF-8, and control characters.
func readable(text []byte) ([]byte, error) {
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	line, open := 1, 0
	for rest := text; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		rest = rest[size:]
		switch {
		case r == utf8.RuneError && size == 1, r < ' ' && r != '\t' && r != '\n' && r != '\r':
			return nil, &ConfigError{Line: line, Problem: "not text in UTF-8; save the file in that encoding"}
		case r == '\n':
			line++
		case r == '[', r == '{':
			open++
		case r == '-' && bytes.HasPrefix(rest, deepList):
			open += deepestNesting + 1
		case r == ']', r == '}':
			open--
		}
		if open > deepestNesting {
			return nil, &ConfigError{Line: line, Problem: fmt.Sprintf("more than %d lists or mappings are open in each other; close them", deepestNesting)}
		}
	}
	return text, nil
}
