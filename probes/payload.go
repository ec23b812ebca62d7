// The rows that a fetch moves: no table, no grant, nothing that repeats or
// compresses.

package probes

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"strings"
)

const (
	hashBytes  = 64   // one SHA-512 per column
	maxColumns = 1000 // of an Oracle query, its first is the row number
)

// payloadQuery returns a query that yields rows of about rowBytes bytes from
// DUAL. Every column of every row differs from the row before, because a
// column equal to the previous row's is not sent again; and hashes do not
// compress. The text is constant for a given size, so that the server parses
// it once.
func payloadQuery(rowBytes int) string {
	columns := max(1, rowBytes/hashBytes)
	var b strings.Builder
	b.WriteString("select level")
	for i := range columns {
		fmt.Fprintf(&b, ", standard_hash(:%d || level, 'SHA512')", i+1)
	}
	fmt.Fprintf(&b, " from dual connect by level <= :%d", columns+1)
	return b.String()
}

// payloadBinds returns the query's binds: a fresh seed for each column, and
// the number of rows.
func payloadBinds(rowBytes, rows int) []any {
	columns := max(1, rowBytes/hashBytes)
	binds := make([]any, 0, columns+1)
	for range columns {
		seed := make([]byte, 8)
		_, _ = rand.Read(seed) // never fails, see crypto/rand
		binds = append(binds, hex.EncodeToString(seed))
	}
	return append(binds, rows)
}
