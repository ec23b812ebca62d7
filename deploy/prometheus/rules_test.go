// Package prometheus tests what promtool does not: that each alert has its
// runbook, its unit tests and its place in Alertmanager's routing. Whether the
// metrics exist is tested beside their declarations, in package exporter.
package prometheus

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

const runbooks = "../../docs/runbooks"

// sections are those of every runbook page, in this order.
var sections = []string{"Meaning", "Impact", "First three minutes", "Decide", "Mend", "Silence"}

func TestEachAlertSaysWhoWhatAndWhere(t *testing.T) {
	for _, a := range alerts(t) {
		if s := a.Labels["severity"]; s != "page" && s != "ticket" {
			t.Errorf("%s: its severity is %q instead of page or ticket", a.Alert, s)
		}
		if a.Annotations["summary"] == "" || strings.Contains(a.Annotations["summary"], "{{") {
			t.Errorf("%s: a summary is a fixed text, so that notifications can be grouped by it", a.Alert)
		}
		if !strings.Contains(a.Annotations["description"], "{{") {
			t.Errorf("%s: a description tells values", a.Alert)
		}
		if want := "docs/runbooks/" + a.Alert + ".md"; a.Annotations["runbook_url"] != want {
			t.Errorf("%s: its runbook_url is %q instead of %q", a.Alert, a.Annotations["runbook_url"], want)
		}
	}
}

func TestEachAlertHasItsRunbookAndEachRunbookItsAlert(t *testing.T) {
	want := []string{"README"}
	for _, a := range alerts(t) {
		want = append(want, a.Alert)
	}
	slices.Sort(want)
	if got := names(t, filepath.Join(runbooks, "*.md")); !slices.Equal(got, slices.Compact(want)) {
		t.Errorf("the runbooks are %v, the alerts %v", got, want)
	}
}

func TestEachRunbookHasTheOneForm(t *testing.T) {
	heading := regexp.MustCompile(`(?m)^## (.*)$`)
	for _, name := range names(t, filepath.Join(runbooks, "Oranet*.md")) {
		page := read(t, filepath.Join(runbooks, name+".md"))
		var got []string
		for _, found := range heading.FindAllStringSubmatch(page, -1) {
			got = append(got, found[1])
		}
		if !strings.HasPrefix(page, "# "+name+"\n") || !slices.Equal(got, sections) {
			t.Errorf("%s: its sections are %q instead of %q", name, got, sections)
		}
		if !strings.Contains(page, "|---|") || !strings.Contains(page, "alertname="+name) {
			t.Errorf("%s: it has no table to decide by, or no command that silences it", name)
		}
	}
}

func TestTheIndexOfTheRunbooksHasEach(t *testing.T) {
	index := read(t, filepath.Join(runbooks, "README.md"))
	for _, a := range alerts(t) {
		if !strings.Contains(index, "["+a.Alert+"]("+a.Alert+".md)") {
			t.Errorf("%s is not in the index of the runbooks", a.Alert)
		}
	}
}

// unitTests is a file of promtool's, as far as it matters here.
type unitTests struct {
	Tests []struct {
		Name           string
		AlertRuleTests []struct {
			Alertname string
			ExpAlerts []any `yaml:"exp_alerts"`
		} `yaml:"alert_rule_test"`
		PromqlExprTests []struct {
			Expr       string
			ExpSamples []any `yaml:"exp_samples"`
		} `yaml:"promql_expr_test"`
	}
}

func TestEachAlertIsTestedToFireToStayQuietAndInAnOutage(t *testing.T) {
	for _, a := range alerts(t) {
		var file unitTests
		decode(t, filepath.Join("tests", a.Alert+".yml"), &file)
		asserted, fired := map[string]bool{}, false
		for _, test := range file.Tests {
			kind, _, _ := strings.Cut(test.Name, ": ")
			for _, one := range test.AlertRuleTests {
				if one.Alertname == a.Alert {
					asserted[kind] = true
					fired = fired || kind == "fires" && len(one.ExpAlerts) > 0
				}
			}
			for _, one := range test.PromqlExprTests {
				asserted[kind] = asserted[kind] || strings.Contains(one.Expr, a.Alert)
			}
		}
		for _, kind := range []string{"fires", "quiet", "outage"} {
			if !asserted[kind] {
				t.Errorf("%s: no test whose name begins with %q asserts it", a.Alert, kind+":")
			}
		}
		if !fired {
			t.Errorf("%s: no test shows it firing with its labels and annotations", a.Alert)
		}
	}
}

func TestEveryRecordedSeriesThatIsAskedForIsRecorded(t *testing.T) {
	recorded := map[string]bool{}
	for _, r := range rules(t) {
		recorded[r.Record] = true
	}
	series := regexp.MustCompile(`[a-z_]+:oranet_[a-z_]+:[a-z0-9_]+`)
	files := append(paths(t, "rules/*.yml"), paths(t, filepath.Join(runbooks, "*.md"))...)
	for _, file := range files {
		for _, name := range series.FindAllString(read(t, file), -1) {
			if !recorded[name] {
				t.Errorf("%s asks for %s, which no rule records", file, name)
			}
		}
	}
}

func TestAlertmanagerKnowsNoAlertThatIsNone(t *testing.T) {
	known := map[string]bool{}
	for _, a := range alerts(t) {
		known[a.Alert] = true
	}
	for _, name := range regexp.MustCompile(`Oranet[A-Za-z]+`).FindAllString(read(t, "alertmanager.yml"), -1) {
		if !known[name] {
			t.Errorf("alertmanager.yml names %s, which is no alert", name)
		}
	}
}

type rule struct {
	Record, Alert       string
	Labels, Annotations map[string]string
}

func rules(t *testing.T) (list []rule) {
	t.Helper()
	for _, file := range paths(t, "rules/*.yml") {
		var content struct{ Groups []struct{ Rules []rule } }
		decode(t, file, &content)
		for _, g := range content.Groups {
			list = append(list, g.Rules...)
		}
	}
	return list
}

func alerts(t *testing.T) []rule {
	t.Helper()
	return slices.DeleteFunc(rules(t), func(r rule) bool { return r.Alert == "" })
}

func decode(t *testing.T, file string, into any) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(read(t, file)), into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func paths(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no files %s", pattern)
	}
	return files
}

// names are those files' names without their extension, in order.
func names(t *testing.T, pattern string) (list []string) {
	t.Helper()
	for _, file := range paths(t, pattern) {
		base := filepath.Base(file)
		list = append(list, strings.TrimSuffix(base, filepath.Ext(base)))
	}
	slices.Sort(list)
	return list
}
