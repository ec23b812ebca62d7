// Secrets: where they are, never what they are.

package link

import (
	"fmt"
	"os"
	"strings"
)

// Secret is the place of a password: a file or an environment variable. It is
// read again at every use, so that a rotated secret needs no restart, and
// prints as its place.
type Secret struct {
	File string
	Env  string
}

// IsZero tells whether no place was given.
func (s Secret) IsZero() bool { return s == Secret{} }

// String names the place.
func (s Secret) String() string {
	switch {
	case s.File != "":
		return "file " + s.File
	case s.Env != "":
		return "environment variable " + s.Env
	}
	return "none"
}

// Reveal reads the secret. One line break at a file's end is not part of it.
func (s Secret) Reveal() (string, error) {
	switch {
	case s.File != "":
		text, err := os.ReadFile(s.File)
		if err != nil {
			return "", fmt.Errorf("cannot read the secret: %w", err)
		}
		return strings.TrimSuffix(strings.TrimSuffix(string(text), "\n"), "\r"), nil
	case s.Env != "":
		text, ok := os.LookupEnv(s.Env)
		if !ok {
			return "", fmt.Errorf("environment variable %s is not set", s.Env)
		}
		return text, nil
	}
	return "", nil
}
