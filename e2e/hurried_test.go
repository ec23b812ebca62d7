// Rules and configurations as they are shipped, at a pace that a test can wait for.

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// faster is by how much a test is quicker than life: every duration in the
// rules, and the interval of the probe, is divided by it.
const faster = 60

const prometheusDir = "../deploy/prometheus"

// hurried writes the rules with every duration divided and returns where.
func hurried(t *testing.T) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(prometheusDir, "rules", "*.yml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no rules: %v", err)
	}
	dir := t.TempDir()
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(file)), []byte(hurry(string(text))), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

var (
	// durations of rules and of what is scraped and sent: ranges, offsets, and
	// the fields that wait.
	durations = regexp.MustCompile(`(\[|offset |for: |interval: |deadline: |keep_firing_for: )(\d+)([smhdw])`)
	units     = map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour, "d": 24 * time.Hour, "w": 7 * 24 * time.Hour}
)

func hurry(text string) string {
	return durations.ReplaceAllStringFunc(text, func(text string) string {
		parts := durations.FindStringSubmatch(text)
		var n time.Duration
		_, _ = fmt.Sscan(parts[2], &n) // digits
		return fmt.Sprintf("%s%dms", parts[1], (n * units[parts[3]] / faster).Milliseconds())
	})
}

// shipped is a configuration as it is shipped, hurried, with other addresses
// and durations (old, new, old, new …), and without what older Prometheus refuse.
func shipped(t *testing.T, name string, others ...string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(prometheusDir, name))
	if err != nil {
		t.Fatal(err)
	}
	text := string(content)
	for i := 0; i < len(others); i += 2 {
		if !strings.Contains(text, others[i]) {
			t.Fatalf("%s does not have %q", name, others[i])
		}
		text = strings.ReplaceAll(text, others[i], others[i+1])
	}
	return hurry(nativeHistograms.ReplaceAllString(text, ""))
}

var nativeHistograms = regexp.MustCompile(`(?m)^.*_histograms: .*\n`)
