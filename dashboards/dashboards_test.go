package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/cog/plugins"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
)

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

// The types that Grafana publishes refuse a key that they do not know and a
// value of another type, in panels, queries and variables alike.
func TestJSONIsOfGrafanasSchema(t *testing.T) {
	plugins.RegisterDefaultPlugins()
	for file := range all {
		t.Run(file, func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			//lint:ignore SA1019 it is the schema that provisioning reads; v2 is for Grafana's API
			var d dashboard.Dashboard
			for _, err := range []error{d.UnmarshalJSONStrict(text), d.Validate()} {
				if found := (cog.BuildErrors{}); err != nil && (!errors.As(err, &found) || len(found) > 0) { // an empty list is none
					t.Error(err)
				}
			}
		})
	}
}

func TestEveryPanelSaysWhatItShowsAndInWhichUnit(t *testing.T) {
	forEachPanel(t, func(t *testing.T, _ dashboardJSON, p panel) {
		if len(p.Description) < 60 {
			t.Errorf("the description %q says too little", p.Description)
		}
		if p.FieldConfig.Defaults.Unit == "" {
			t.Error("the panel has no unit")
		}
		if len(p.Targets) == 0 {
			t.Error("the panel has no query")
		}
		if p.GridPos.X+p.GridPos.W > whole {
			t.Errorf("the panel reaches from %d over %d columns, Grafana has %d", p.GridPos.X, p.GridPos.W, whole)
		}
	})
}

func TestTitlesAreUnique(t *testing.T) {
	for file, d := range committed(t) {
		seen := map[string]bool{}
		for _, p := range d.Panels {
			if seen[p.Title] {
				t.Errorf("%s has %q twice", file, p.Title)
			}
			seen[p.Title] = true
		}
	}
}

// A dashboard that is imported elsewhere finds no data source of a fixed name.
func TestEveryDataSourceIsTheVariable(t *testing.T) {
	for file := range all {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var d any
		if err := json.Unmarshal(text, &d); err != nil {
			t.Fatal(err)
		}
		count := 0
		eachDataSource(d, func(uid any) {
			count++
			if uid != "${datasource}" {
				t.Errorf("%s: the data source %v is not the variable", file, uid)
			}
		})
		if count == 0 {
			t.Errorf("%s names no data source", file)
		}
	}
}

func eachDataSource(node any, see func(uid any)) {
	switch node := node.(type) {
	case []any:
		for _, one := range node {
			eachDataSource(one, see)
		}
	case map[string]any:
		for key, one := range node {
			if source, ok := one.(map[string]any); ok && key == "datasource" {
				see(source["uid"])
			}
			eachDataSource(one, see)
		}
	}
}

func TestDashboardsLeadToEachOther(t *testing.T) {
	for file, d := range committed(t) {
		if !slices.ContainsFunc(d.Links, func(l struct {
			Type        string
			Tags        []string
			IncludeVars bool
			KeepTime    bool
		}) bool {
			return l.Type == "dashboards" && slices.Equal(l.Tags, []string{tag}) && l.IncludeVars && l.KeepTime
		}) {
			t.Errorf("%s has no links to the other dashboards that keep time and variables", file)
		}
		if d.UID == "" || !strings.HasPrefix(d.Title, "Oracle Net") {
			t.Errorf("%s has the uid %q and the title %q", file, d.UID, d.Title)
		}
	}
}

// A latency panel is silent in an outage, so each dashboard marks them.
func TestOutagesAreMarked(t *testing.T) {
	for file, d := range committed(t) {
		if !slices.ContainsFunc(d.Annotations.List, func(a struct{ Name, Expr string }) bool {
			return strings.Contains(a.Expr, "oranet_probe_success")
		}) {
			t.Errorf("%s does not mark outages", file)
		}
	}
}

func TestEveryVariableThatIsAskedForIsThere(t *testing.T) {
	used := regexp.MustCompile(`\$\{?([a-z_]+)`)
	for file, d := range committed(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range used.FindAllStringSubmatch(string(text), -1) {
			name := found[1]
			if !strings.HasPrefix(name, "__") && !slices.ContainsFunc(d.Templating.List, func(v variable) bool { return v.Name == name }) {
				t.Errorf("%s asks for $%s, which is none of its variables", file, name)
			}
		}
	}
}

// A limit that a query gives is lost where the name of its field is another.
func TestLimitsFromQueriesNameAQueryAndItsLegend(t *testing.T) {
	found := 0
	forEachPanel(t, func(t *testing.T, _ dashboardJSON, p panel) {
		for _, tr := range p.Transformations {
			if tr.ID != "configFromData" {
				continue
			}
			found++
			if !slices.ContainsFunc(p.Targets, func(q query) bool {
				return q.RefID == tr.Options.ConfigRefID && q.LegendFormat == tr.Options.Mappings[0].FieldName
			}) {
				t.Errorf("no query %s has the legend %s", tr.Options.ConfigRefID, tr.Options.Mappings[0].FieldName)
			}
		}
	})
	if found == 0 {
		t.Error("no panel takes its limit from a query")
	}
}

// scopes are the matchers that each selector of a dashboard has.
var scopes = map[string]map[string]string{
	fleetUID:   {"from_region": "$from_region", "to_region": "$to_region"},
	linkUID:    {"target": "$target", "instance": "$instance"},
	budgetsUID: {"target": "$target", "instance": "$instance"},
}

func TestEveryQueryIsPromQLOverTheChosenLinks(t *testing.T) {
	forEachPanel(t, func(t *testing.T, d dashboardJSON, p panel) {
		refs := map[string]bool{}
		for _, query := range p.Targets {
			if query.RefID == "" || refs[query.RefID] {
				t.Errorf("query %q has the name %q, which is empty or another query's", query.Expr, query.RefID)
			}
			refs[query.RefID] = true
			if query.Instant == query.Range {
				t.Errorf("query %q is neither one over time nor one of now", query.Expr)
			}
			wantScope(t, query.Expr, scopes[d.UID])
		}
	})
}

func TestEveryOutageQueryIsPromQLOverTheChosenLinks(t *testing.T) {
	for _, d := range committed(t) {
		for _, a := range d.Annotations.List {
			wantScope(t, a.Expr, scopes[d.UID])
		}
	}
}

func wantScope(t *testing.T, query string, scope map[string]string) {
	t.Helper()
	selectors := parse(t, query)
	if len(selectors) == 0 {
		t.Errorf("query %q selects no series", query)
	}
	for _, s := range selectors {
		if s.Name == "up" { // Prometheus's own, of the exporter and no target
			if !matches(s, "instance", "$instance") {
				t.Errorf("query %q: up is not limited to the chosen instance", query)
			}
			continue
		}
		for label, want := range scope {
			if !matches(s, label, want) {
				t.Errorf("query %q: %s is not limited to the chosen %s", query, s.Name, label)
			}
		}
		if !strings.HasPrefix(s.Name, "oranet_") {
			t.Errorf("query %q: %s is not one of the exporter's metrics", query, s.Name)
		}
	}
}

// parse returns the selectors of a query, after doing what Grafana does to the
// variables that are no label values.
func parse(t *testing.T, query string) []*parser.VectorSelector {
	t.Helper()
	filled := strings.NewReplacer("$__rate_interval", "1m", "$__range", "1h", "/ $arraysize", "/ 100", "$objective", "99.9").Replace(query)
	expr, err := parser.NewParser(parser.Options{}).ParseExpr(filled)
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
	return slices.ContainsFunc(s.LabelMatchers, func(m *labels.Matcher) bool {
		return m.Name == label && (m.Type == labels.MatchEqual || m.Type == labels.MatchRegexp) && m.Value == value
	})
}
