// Package text makes what people and peers wrote fit for one line of a message.
package text

import (
	"strconv"
	"strings"
	"unicode"
)

// Printable returns s with every character that does not print, such as a line
// break or the escape that steers a terminal, written as Go writes it: \n, \x1b.
// A byte that is not UTF-8 becomes U+FFFD.
func Printable(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
	}
	return b.String()
}
