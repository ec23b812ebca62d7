package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	sqlComment  = regexp.MustCompile(`(?m)^\s*--.*$`)
	sqlAccept   = regexp.MustCompile(`(?m)^accept (\w+)`)
	sqlVariable = regexp.MustCompile(`&(\w+)`)
	sqlGrant    = regexp.MustCompile(`(?m)^grant (.+) to &probe_user;$`)
)

// No database here can run the scripts. What can be held against them is that
// they ask for what they use, end at the first error, and grant what they say.
func TestTheSQLScriptsGrantTheLeastThatIsNeeded(t *testing.T) {
	for script, grants := range map[string][]string{
		"create_user.sql": {"create session"},
		"grant_views.sql": {"read on sys.v_$mystat", "read on sys.v_$statname", "read on sys.v_$session", "read on sys.v_$sql"},
		"drop_user.sql":   nil,
	} {
		text, err := os.ReadFile(filepath.Join("..", "deploy", "sql", script))
		if err != nil {
			t.Fatal(err)
		}
		sql := sqlComment.ReplaceAllString(string(text), "")
		if !strings.Contains(sql, "whenever sqlerror exit failure") {
			t.Errorf("%s goes on after an error", script)
		}
		var asked []string
		for _, m := range sqlAccept.FindAllStringSubmatch(sql, -1) {
			asked = append(asked, m[1])
		}
		for _, m := range sqlVariable.FindAllStringSubmatch(sql, -1) {
			if !slices.Contains(asked, m[1]) {
				t.Errorf("%s uses %s, which it did not ask for", script, m[1])
			}
		}
		var granted []string
		statements := 0
		for line := range strings.Lines(sql) {
			if strings.HasPrefix(line, "grant ") {
				statements++
			}
			if m := sqlGrant.FindStringSubmatch(strings.Join(strings.Fields(line), " ")); m != nil {
				granted = append(granted, m[1])
			}
		}
		if !slices.Equal(granted, grants) || statements != len(grants) {
			t.Errorf("%s grants %q, want %q", script, granted, grants)
		}
	}
}
