// What is wrong with a configuration, and where.

package exporter

import (
	"fmt"
	"strings"
)

// ConfigError names the place of a mistake and what would be right. It never
// quotes the file, because someone may have written a password into it.
type ConfigError struct {
	File    string // empty if the configuration did not come from a file
	Line    int    // 0 if unknown
	Key     string // e.g. targets[1].probes.fetch.interval
	Problem string
}

// Error reads as "oranet.yml:12: targets[1].name: missing".
func (e *ConfigError) Error() string {
	var b strings.Builder
	if e.File != "" {
		b.WriteString(e.File)
		if e.Line > 0 {
			fmt.Fprintf(&b, ":%d", e.Line)
		}
		b.WriteString(": ")
	}
	if e.Key != "" {
		b.WriteString(e.Key + ": ")
	}
	b.WriteString(e.Problem)
	return b.String()
}

// wrong makes a ConfigError without a place in a file.
func wrong(key, format string, args ...any) *ConfigError {
	return &ConfigError{Key: key, Problem: fmt.Sprintf(format, args...)}
}
