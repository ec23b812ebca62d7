// Which of the three kinds of data source name a text is.

package dsn

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
)

// Parse reads a descriptor, which begins with a parenthesis, or an easy
// connect string. Its errors are *Error.
func Parse(text string) (*Descriptor, error) {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return nil, failf("dsn is missing: write an alias of tnsnames.ora, host:port/service or (DESCRIPTION=…)")
	case text[0] == '(':
		return parseDescriptor(text)
	}
	return parseEasyConnect(text)
}

// Resolve reads a data source name of any kind. An alias is looked up in
// tnsnames.ora in configDir. As with node-oracledb (lib/impl/parserHelpers.js,
// resolveConnectStr) a text is an alias if it neither begins with a parenthesis
// nor has a slash or a colon: no file is read to tell. Its errors are *Error.
func Resolve(text, configDir string) (*Descriptor, error) {
	text = strings.TrimSpace(text)
	if isWholeEntry(text) {
		return nil, failf("dsn is a whole entry of tnsnames.ora: write its alias, or only what stands behind the equals sign")
	}
	place, _, options := strings.Cut(text, "?")
	if place == "" || place[0] == '(' || strings.ContainsAny(place, "/:") {
		return Parse(text)
	}
	if err := refuseCredentials(text); err != nil {
		return nil, err
	}
	if options {
		return nil, failf("options follow an alias: they go with host:port/service only")
	}
	return resolveAlias(text, configDir)
}

// isWholeEntry recognises "alias = (DESCRIPTION=…)".
func isWholeEntry(text string) bool {
	alias, value, found := strings.Cut(text, "=")
	return found && !strings.ContainsAny(alias, "(?") && strings.HasPrefix(strings.TrimLeft(value, blank), "(")
}

func resolveAlias(alias, configDir string) (*Descriptor, error) {
	const otherwise = "or write host:port/service"
	if configDir == "" {
		return nil, failf("%s is an alias of tnsnames.ora, but there is no config_dir to look for one in: set it, %s", quote(alias), otherwise)
	}
	path := filepath.Join(configDir, "tnsnames.ora")
	names, err := LoadNames(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &Error{Path: path, Msg: "the file does not exist, so alias " + quote(alias) + " cannot be looked up: put it there, " + otherwise}
	}
	if err != nil {
		return nil, err
	}
	return names.Lookup(alias)
}
