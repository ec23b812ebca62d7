// What the tests read of a dashboard's JSON: what Grafana reads, not what the
// builders hold.

package main

import (
	"encoding/json"
	"os"
	"testing"
)

type dashboardJSON struct {
	UID         string
	Title       string
	Description string
	Panels      []panel
	Links       []struct {
		Type        string
		Tags        []string
		IncludeVars bool
		KeepTime    bool
	}
	Templating  struct{ List []variable }
	Annotations struct {
		List []struct {
			Name string
			Expr string
		}
	}
}

type panel struct {
	Type        string
	Title       string
	Description string
	Repeat      string
	GridPos     struct{ W, X int }
	FieldConfig struct {
		Defaults struct{ Unit string }
	}
	Targets         []query
	Transformations []struct {
		ID      string
		Options struct {
			ConfigRefID string
			Mappings    []struct{ FieldName string }
		}
	}
}

type query struct {
	RefID        string
	Expr         string
	LegendFormat string
	Instant      bool
	Range        bool
}

type variable struct {
	Name       string
	Type       string
	Query      string
	Regex      string
	Multi      bool
	IncludeAll bool
	AllValue   string
	Current    struct{ Value any }
}

// committed reads every dashboard as it is committed.
func committed(t *testing.T) map[string]dashboardJSON {
	t.Helper()
	read := map[string]dashboardJSON{}
	for file := range all {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var d dashboardJSON
		if err := json.Unmarshal(text, &d); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		read[file] = d
	}
	return read
}

// forEachPanel runs a test for each panel of each dashboard, rows left out.
func forEachPanel(t *testing.T, test func(*testing.T, dashboardJSON, panel)) {
	for file, d := range committed(t) {
		for _, p := range d.Panels {
			if p.Type != "row" {
				t.Run(file+"/"+p.Title, func(t *testing.T) { test(t, d, p) })
			}
		}
	}
}
