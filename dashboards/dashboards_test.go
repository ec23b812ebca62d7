package main

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
)

// panel is what these tests read of a panel in the JSON.
type panel struct {
	Type        string
	Title       string
	Description string
	FieldConfig struct {
		Defaults struct{ Unit string }
	}
	Targets []struct {
		RefID string
		Expr  string
	}
}

func TestCommittedJSONIsWhatTheCodeGenerates(t *testing.T) {
	for file, build := range all {
		t.Run(file, func(t *testing.T) {
			generated, err := render(build())
			if err != nil {
				t.Fatal(err)
			}
			committed, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(generated, committed) {
				t.Errorf("%s is not what the code generates: run go generate", file)
			}
		})
	}
}

func TestEveryPanelSaysWhatItShowsAndInWhichUnit(t *testing.T) {
	forEachPanel(t, func(t *testing.T, p panel) {
		if len(p.Description) < 20 {
			t.Errorf("the description %q explains nothing", p.Description)
		}
		if p.FieldConfig.Defaults.Unit == "" {
			t.Error("the panel has no unit")
		}
		if len(p.Targets) == 0 {
			t.Error("the panel has no query")
		}
	})
}

func TestEveryQueryIsPromQLOverTheChosenLink(t *testing.T) {
	forEachPanel(t, func(t *testing.T, p panel) {
		refs := map[string]bool{}
		for _, query := range p.Targets {
			if query.RefID == "" || refs[query.RefID] {
				t.Errorf("query %q has the name %q, which is empty or another query's", query.Expr, query.RefID)
			}
			refs[query.RefID] = true
			selectors := parse(t, query.Expr)
			if len(selectors) == 0 {
				t.Errorf("query %q selects no series", query.Expr)
			}
			for _, s := range selectors {
				for label, want := range map[string]string{"target": "$target", "instance": "$instance"} {
					if !matches(s, label, want) {
						t.Errorf("query %q: %s is not limited to the chosen %s", query.Expr, s.Name, label)
					}
				}
				if !strings.HasPrefix(s.Name, "oranet_") {
					t.Errorf("query %q: %s is not one of the exporter's metrics", query.Expr, s.Name)
				}
			}
		}
	})
}

// forEachPanel runs a test for each panel of each dashboard, rows left out.
func forEachPanel(t *testing.T, test func(*testing.T, panel)) {
	for file, build := range all {
		text, err := render(build())
		if err != nil {
			t.Fatal(err)
		}
		var d struct{ Panels []panel }
		if err := json.Unmarshal(text, &d); err != nil {
			t.Fatal(err)
		}
		for _, p := range d.Panels {
			if p.Type != "row" {
				t.Run(file+"/"+p.Title, func(t *testing.T) { test(t, p) })
			}
		}
	}
}

// parse returns the selectors of a query, after doing what Grafana does to the
// one variable that is no label value.
func parse(t *testing.T, query string) []*parser.VectorSelector {
	expr, err := parser.NewParser(parser.Options{}).ParseExpr(strings.ReplaceAll(query, "$__rate_interval", "1m"))
	if err != nil {
		t.Fatalf("query %q is not PromQL: %v", query, err)
	}
	var selectors []*parser.VectorSelector
	parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
		if s, ok := node.(*parser.VectorSelector); ok {
			selectors = append(selectors, s)
		}
		return nil
	})
	return selectors
}

func matches(s *parser.VectorSelector, label, value string) bool {
	for _, m := range s.LabelMatchers {
		if m.Name == label && m.Type == labels.MatchEqual && m.Value == value {
			return true
		}
	}
	return false
}
