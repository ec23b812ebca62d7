// The variables that choose what a dashboard shows.

package main

import (
	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/common"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
)

// chosen selects the series of one link: what one exporter measured of one
// target. The same database seen from two regions is two links.
const chosen = `target="$target", instance="$instance"`

// source is the data source that the reader chooses.
var source = common.DataSourceRef{Type: cog.ToPtr("prometheus"), Uid: cog.ToPtr("${datasource}")}

func datasourceVariable() *dashboard.DatasourceVariableBuilder {
	return dashboard.NewDatasourceVariableBuilder("datasource").
		Label("Data source").
		Type("prometheus")
}

func targetVariable() *dashboard.QueryVariableBuilder {
	return labelVariable("target", "Target", `label_values(oranet_probe_runs_total, target)`)
}

func instanceVariable() *dashboard.QueryVariableBuilder {
	return labelVariable("instance", "Measured by", `label_values(oranet_probe_runs_total{target="$target"}, instance)`)
}

func labelVariable(name, label, query string) *dashboard.QueryVariableBuilder {
	return dashboard.NewQueryVariableBuilder(name).
		Label(label).
		Datasource(source).
		Query(dashboard.StringOrMap{String: cog.ToPtr(query)}).
		Refresh(dashboard.VariableRefreshOnTimeRangeChanged).
		Sort(dashboard.VariableSortAlphabeticalAsc)
}
