// Oracle's parameter files, tnsnames.ora and sqlnet.ora: entries "name = value"
// over many lines, comments, and other files included by IFILE.

package dsn

import (
	"fmt"
	"path/filepath"
	"strings"

	"oranet_exporter/link/file"
)

// Limits against hostile files; a large company's tnsnames.ora has 1 or 2 MB.
const (
	maxFileSize = 8 << 20
	maxFiles    = 32
)

// entry is one "name = value", without its comments, as its file has it.
type entry struct {
	path string
	line int // of its first character
	text string
}

// names are the names left of the equals sign.
func (e entry) names() []string {
	head := e.text
	if end := strings.IndexAny(head, "=("); end >= 0 {
		head = head[:end]
	}
	var names []string
	for name := range strings.SplitSeq(head, ",") {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// value is the text right of the equals sign, after as many line breaks as
// stand left of it, so that its lines count from the entry's first.
func (e entry) value() (string, error) {
	end := strings.IndexAny(e.text, "=(")
	if end < 0 || e.text[end] != '=' {
		return "", e.located(failf("an equals sign is missing after the name: write name = value"))
	}
	value := strings.TrimRight(e.text[end+1:], blank)
	if strings.Trim(value, blank) == "" {
		return "", e.located(failf("a value is missing after the equals sign"))
	}
	return strings.Repeat("\n", strings.Count(e.text[:end], "\n")) + value, nil
}

// located places an error about the entry's value.
func (e entry) located(err error) error { return located(err, e.path, e.line) }

// directory is a directory that the entry names. "?/network/admin" and
// TNS_ADMIN stand for the one that the entry's file is in, as for a client
// without ORACLE_HOME; other relative paths begin there.
func (e entry) directory(s string) string {
	here := filepath.Dir(e.path)
	for _, prefix := range []string{"?/network/admin", "${TNS_ADMIN}", "$TNS_ADMIN", "%TNS_ADMIN%"} {
		if rest, ok := strings.CutPrefix(s, prefix); ok {
			return filepath.Join(here, rest)
		}
	}
	if s == "" || filepath.IsAbs(s) || strings.HasPrefix(s, "?") {
		return s
	}
	return filepath.Join(here, s)
}

// oraFile is a file's entries with those of the files it includes, in order.
type oraFile struct {
	entries  []entry
	problems []string // included files that could not be read

	read map[string]bool // paths that were opened, or tried
}

// loadOraFile reads a file and what it includes. Only the file's own absence
// or unreadability is an error.
func loadOraFile(path string) (*oraFile, error) {
	f := &oraFile{read: make(map[string]bool)}
	return f, f.load(path)
}

func (f *oraFile) load(path string) error {
	f.read[filepath.Clean(path)] = true
	text, err := readOraFile(path)
	if err != nil {
		return err
	}
	for _, e := range splitEntries(path, text) {
		if names := e.names(); len(names) == 1 && strings.EqualFold(names[0], "IFILE") {
			f.include(e)
			continue
		}
		f.entries = append(f.entries, e)
	}
	return nil
}

// include reads the file of an IFILE entry, unless it was read before: cycles end.
func (f *oraFile) include(e entry) {
	value, err := e.value()
	path := filepath.Clean(e.directory(strings.Trim(value, blank+`"'`)))
	if f.read[path] || len(f.read) > maxFiles {
		return
	}
	if len(f.read) == maxFiles {
		f.read[path] = true
		err = e.located(failf("the rest is not read: more than %d files are included", maxFiles))
	}
	if err == nil {
		err = f.load(path)
	}
	if err != nil {
		f.problems = append(f.problems, fmt.Sprintf("IFILE in line %d of %s: %v", e.line, e.path, err))
	}
}

func readOraFile(path string) (string, error) {
	text, err := file.Read(path, maxFileSize)
	if err != nil {
		return "", unreadable(path, err)
	}
	return string(text), nil
}
