// Distinguished names as people write them in SSL_SERVER_CERT_DN.

package wallet

import (
	"crypto/x509/pkix"
	"fmt"
	"slices"
	"strings"
)

// attributeOIDs knows the attributes by each of their names (RFC 4514, and what
// Oracle's tools print).
var attributeOIDs = map[string]string{
	"CN":           "2.5.4.3",
	"SN":           "2.5.4.4",
	"SERIALNUMBER": "2.5.4.5",
	"C":            "2.5.4.6",
	"L":            "2.5.4.7",
	"ST":           "2.5.4.8",
	"S":            "2.5.4.8",
	"STREET":       "2.5.4.9",
	"O":            "2.5.4.10",
	"OU":           "2.5.4.11",
	"T":            "2.5.4.12",
	"TITLE":        "2.5.4.12",
	"POSTALCODE":   "2.5.4.17",
	"GIVENNAME":    "2.5.4.42",
	"DNQ":          "2.5.4.46",
	"UID":          "0.9.2342.19200300.100.1.1",
	"DC":           "0.9.2342.19200300.100.1.25",
	"E":            "1.2.840.113549.1.9.1",
	"EMAIL":        "1.2.840.113549.1.9.1",
	"EMAILADDRESS": "1.2.840.113549.1.9.1",
}

// sameDN compares as the thin drivers do: the attributes of one are the
// attributes of the other, in whatever order. Names of attributes may be in
// either case, values may not (node-oracledb lib/thin/sqlnet/ntTcp.js,
// python-oracledb impl/thin/crypto.pyx).
func sameDN(text string, subject pkix.Name) bool {
	var actual []string
	for _, attribute := range subject.Names {
		actual = append(actual, fmt.Sprintf("%s=%v", attribute.Type, attribute.Value))
	}
	expected := parseDN(text)
	slices.Sort(actual)
	slices.Sort(expected)
	return slices.Equal(actual, expected)
}

// parseDN splits "CN=db, O=Example" into "OID=value" items. A value may be in
// quotes and hold a comma; what has no name belongs to the value before it.
func parseDN(text string) []string {
	var items []string
	for _, part := range splitUnquoted(text) {
		name, value, named := strings.Cut(part, "=")
		if !named {
			if len(items) > 0 {
				items[len(items)-1] += "," + part
			}
			continue
		}
		name = strings.ToUpper(strings.TrimSpace(name))
		oid, known := attributeOIDs[name]
		if !known {
			oid = strings.TrimPrefix(name, "OID.")
		}
		items = append(items, oid+"="+strings.TrimLeft(value, " "))
	}
	for i := range items {
		items[i] = strings.TrimRight(items[i], " ")
	}
	return items
}

// splitUnquoted splits at commas, except in quotes and after a backslash, and
// takes off quotes and backslashes.
func splitUnquoted(text string) []string {
	var (
		parts           []string
		part            strings.Builder
		quoted, escaped bool
	)
	for _, r := range text {
		switch {
		case escaped:
			part.WriteRune(r)
			escaped = false
		case r == '\\':
			escaped = true
		case r == '"':
			quoted = !quoted
		case r == ',' && !quoted:
			parts = append(parts, part.String())
			part.Reset()
		default:
			part.WriteRune(r)
		}
	}
	return append(parts, part.String())
}
