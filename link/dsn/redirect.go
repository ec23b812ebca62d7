// Where a listener's REDIRECT leads.

package dsn

import "strings"

// ParseRedirect reads the address of a REDIRECT: the text before its NUL, which
// is an (ADDRESS=…), alone or within a (DESCRIPTION=…) that names no service.
// The first address counts.
func ParseRedirect(text string) (Address, error) {
	text, _, _ = strings.Cut(text, "\x00")
	root, err := parseTree(text)
	if err != nil {
		return Address{}, failf("the address of the redirect is malformed: %v", err)
	}
	n := root.find("ADDRESS")
	if n == nil {
		return Address{}, failf("the redirect names no ADDRESS")
	}
	if protocol := n.value("PROTOCOL"); protocol != "" && parseProtocol(protocol) == "" {
		return Address{}, failf("the redirect leads to PROTOCOL=%s, which is not supported", quote(protocol))
	}
	a, err := readAddress(n)
	if err != nil {
		return Address{}, failf("the address of the redirect is malformed: %v", err)
	}
	return a, nil
}
