// The variables that choose what a dashboard shows.

package main

import (
	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/common"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
)

// What the queries of a dashboard are limited to, as label matchers.
const (
	// manyLinks are all from and to the chosen regions. A label that a series
	// does not have is matched by All, which is ".*".
	manyLinks = `from_region=~"$from_region", to_region=~"$to_region"`
	// oneLink is what one exporter measured of one target. The same database
	// seen from two regions is two links.
	oneLink = `target="$target", instance="$instance"`
	// oneBudget is of one link.
	oneBudget = oneLink + `, budget="$budget"`
)

// source is the data source that the reader chooses.
var source = common.DataSourceRef{Type: cog.ToPtr("prometheus"), Uid: cog.ToPtr("${datasource}")}

func datasourceVariable() *dashboard.DatasourceVariableBuilder {
	return dashboard.NewDatasourceVariableBuilder("datasource").
		Label("Data source").
		Type("prometheus")
}

// regionVariables choose links by where they begin and end; none is a choice
// of all, also where no such label is set.
func regionVariables() []*dashboard.QueryVariableBuilder {
	return []*dashboard.QueryVariableBuilder{
		severalOf(labelVariable("from_region", "From region", `label_values(oranet_probe_runs_total, from_region)`)),
		severalOf(labelVariable("to_region", "To region", `label_values(oranet_probe_runs_total, to_region)`)),
	}
}

func targetVariable() *dashboard.QueryVariableBuilder {
	return labelVariable("target", "Target", `label_values(oranet_probe_runs_total{`+manyLinks+`}, target)`)
}

func instanceVariable() *dashboard.QueryVariableBuilder {
	return labelVariable("instance", "Measured by", `label_values(oranet_probe_runs_total{`+manyLinks+`, target="$target"}, instance)`)
}

func budgetVariable() *dashboard.QueryVariableBuilder {
	return severalOf(labelVariable("budget", "Budget", `label_values(oranet_budget_limit_seconds{`+oneLink+`}, budget)`))
}

// arraysizeVariable are those that the fetch probe measures, the driver's own
// choice left out: the model needs a number.
func arraysizeVariable() *dashboard.QueryVariableBuilder {
	return severalOf(labelVariable("arraysize", "Arraysize", `label_values(oranet_fetch_round_trips{`+oneLink+`}, arraysize)`)).
		Regex(`/^\d+$/`).
		Sort(dashboard.VariableSortNumericalAsc)
}

// objectiveVariable is the share of checks that may not be a breach. Keep it
// at what the alerts of the budgets are computed with.
func objectiveVariable() *dashboard.CustomVariableBuilder {
	return dashboard.NewCustomVariableBuilder("objective").
		Label("Objective, %").
		Values(dashboard.StringOrMap{String: cog.ToPtr("99.9,99.5,99,95")}).
		Current(dashboard.VariableOption{
			Text:  dashboard.StringOrArrayOfString{String: cog.ToPtr("99.9")},
			Value: dashboard.StringOrArrayOfString{String: cog.ToPtr("99.9")},
		})
}

// filters are any further labels; Grafana adds them to every query.
func filters() *dashboard.AdHocVariableBuilder {
	return dashboard.NewAdHocVariableBuilder("filters").
		Label("Filters").
		Datasource(source)
}

func labelVariable(name, label, query string) *dashboard.QueryVariableBuilder {
	return dashboard.NewQueryVariableBuilder(name).
		Label(label).
		Datasource(source).
		Query(dashboard.StringOrMap{String: cog.ToPtr(query)}).
		Refresh(dashboard.VariableRefreshOnTimeRangeChanged).
		Sort(dashboard.VariableSortAlphabeticalAsc)
}

func severalOf(v *dashboard.QueryVariableBuilder) *dashboard.QueryVariableBuilder {
	all := dashboard.StringOrArrayOfString{ArrayOfString: []string{"$__all"}}
	return v.Multi(true).
		IncludeAll(true).
		AllValue(".*").
		Current(dashboard.VariableOption{Text: dashboard.StringOrArrayOfString{ArrayOfString: []string{"All"}}, Value: all})
}
