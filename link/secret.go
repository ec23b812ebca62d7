// Secrets: where they are, never what they are.

package link

import (
	"fmt"
	"os"
	"strings"

	"oranet_exporter/link/file"
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
		text, err := file.Read(s.File, maxSecretSize)
		if err != nil {
			return "", fmt.Errorf("cannot read the secret: %w", err)
		}
		return s.notEmpty(strings.TrimSuffix(strings.TrimSuffix(string(text), "\n"), "\r"))
	case s.Env != "":
		text, ok := os.LookupEnv(s.Env)
		if !ok {
			return "", fmt.Errorf("environment variable %s is not set", s.Env)
		}
		return s.notEmpty(text)
	}
	return "", nil
}

// maxSecretSize is far above any password's.
const maxSecretSize = 64 << 10

// notEmpty refuses an empty secret: trying it would cost the account a refused
// logon.
func (s Secret) notEmpty(text string) (string, error) {
	if text == "" {
		return "", fmt.Errorf("the secret in %s is empty", s)
	}
	return text, nil
}
