// tnsnames.ora: aliases and what they stand for.

package dsn

import (
	"fmt"
	"slices"
	"strings"
)

// Names are the aliases of a tnsnames.ora and of the files it includes.
type Names struct {
	path     string
	entries  map[string]entry // by alias in upper case; of two with one alias the later
	aliases  []string         // as written, sorted
	problems []string
}

// LoadNames reads a tnsnames.ora. An entry that is broken, or an included file
// that cannot be read, is reported by the Lookup that needs it. The error is an
// *Error, and wraps fs.ErrNotExist if there is no such file.
func LoadNames(path string) (*Names, error) {
	file, err := loadOraFile(path)
	if err != nil {
		return nil, err
	}
	n := &Names{path: path, entries: make(map[string]entry), problems: file.problems}
	for _, e := range file.entries {
		for _, alias := range e.names() {
			key := strings.ToUpper(alias)
			if _, known := n.entries[key]; !known {
				n.aliases = append(n.aliases, alias)
			}
			n.entries[key] = e
		}
	}
	slices.SortFunc(n.aliases, func(a, b string) int {
		return strings.Compare(strings.ToUpper(a), strings.ToUpper(b))
	})
	return n, nil
}

// Aliases are all aliases as they are written, sorted without regard to case.
func (n *Names) Aliases() []string { return slices.Clone(n.aliases) }

// Lookup gives what an alias stands for; upper and lower case are the same.
// Its errors are *Error.
func (n *Names) Lookup(alias string) (*Descriptor, error) {
	e, ok := n.entries[strings.ToUpper(strings.TrimSpace(alias))]
	if !ok {
		return nil, n.unknown(alias)
	}
	value, err := e.value()
	if err != nil {
		return nil, err
	}
	d, err := parseValue(value)
	if err != nil {
		return nil, e.located(err)
	}
	d.WalletLocation = e.directory(d.WalletLocation)
	for i := range d.descriptions {
		d.descriptions[i].WalletLocation = e.directory(d.descriptions[i].WalletLocation)
	}
	return d, nil
}

// parseValue keeps the blanks before a descriptor: its lines count from there.
func parseValue(value string) (*Descriptor, error) {
	if trimmed := strings.TrimLeft(value, blank); trimmed[0] != '(' {
		return parseEasyConnect(trimmed)
	}
	return parseDescriptor(value)
}

// unknown says what there is instead.
func (n *Names) unknown(alias string) error {
	const shown = 10
	msg := "alias " + quote(alias) + " is not in this file, which has "
	switch more := len(n.aliases) - shown; {
	case len(n.aliases) == 0:
		msg += "none"
	case more > 0:
		msg += fmt.Sprintf("%s and %d more", strings.Join(n.aliases[:shown], ", "), more)
	default:
		msg += strings.Join(n.aliases, ", ")
	}
	for _, problem := range n.problems {
		msg += "; " + problem
	}
	return &Error{Path: n.path, Msg: msg}
}
