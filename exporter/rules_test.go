// Whether the alerting rules and their runbooks ask for what the code exports.

package exporter

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/goccy/go-yaml"
)

const (
	ruleFiles    = "../deploy/prometheus/rules/*.yml"
	runbookFiles = "../docs/runbooks/*.md"
)

// A metric, a label or a label's value that is renamed in the code and not in a
// rule makes an alert that never fires.
func TestRulesAndRunbooksAskForWhatIsDeclared(t *testing.T) {
	known := declared(t)
	for _, text := range append(ruleTexts(t), texts(t, runbookFiles)...) {
		for _, s := range selectors(text.content) {
			if problem := known.judge(s); problem != "" {
				t.Errorf("%s: %s", text.from, problem)
			}
		}
	}
}

// Each failure calls one team: no phase and reason is in two classes, or none.
func TestEachFailureIsInOneClass(t *testing.T) {
	const record = "target_probe_class:oranet_probe_failures:increase10m"
	classes := map[string][]selector{}
	for _, r := range rules(t) {
		if r.Record == record {
			classes[r.Labels["class"]] = append(classes[r.Labels["class"]], selectors(r.Expr)...)
		}
	}
	for _, phase := range constants(t, "../link/failure.go", "Phase") {
		for _, reason := range constants(t, "../link/failure.go", "Reason") {
			var in []string
			for class, list := range classes {
				for _, s := range list {
					if s.matches(map[string]string{"phase": phase, "reason": reason}) {
						in = append(in, class)
					}
				}
			}
			if len(in) != 1 {
				t.Errorf("phase %s, reason %s: in the classes %v instead of one", phase, reason, in)
			}
		}
	}
}

type text struct{ from, content string }

// ruleTexts are the queries of the rules, those in descriptions as well.
func ruleTexts(t *testing.T) (list []text) {
	for _, r := range rules(t) {
		for _, query := range append(quotedQueries(r.Annotations["description"]), r.Expr) {
			list = append(list, text{r.Record + r.Alert, query})
		}
	}
	return list
}

// quotedQueries are what a template's printf makes a query of.
func quotedQueries(template string) (list []string) {
	for _, found := range regexp.MustCompile(`printf ("(?:[^"\\]|\\.)*")`).FindAllStringSubmatch(template, -1) {
		if query, err := strconv.Unquote(found[1]); err == nil {
			list = append(list, query)
		}
	}
	return list
}

func texts(t *testing.T, pattern string) (list []text) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no files %s: %v", pattern, err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, text{filepath.Base(file), string(content)})
	}
	return list
}

type rule struct {
	Record, Alert, Expr string
	Labels, Annotations map[string]string
}

func rules(t *testing.T) (list []rule) {
	t.Helper()
	for _, file := range texts(t, ruleFiles) {
		var content struct{ Groups []struct{ Rules []rule } }
		if err := yaml.Unmarshal([]byte(file.content), &content); err != nil {
			t.Fatalf("%s: %v", file.from, err)
		}
		for _, g := range content.Groups {
			list = append(list, g.Rules...)
		}
	}
	return list
}
