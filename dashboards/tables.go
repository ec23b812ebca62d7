// Tables of links: a row a link, a column a query.

package main

//lint:file-ignore SA1019 the second schema of dashboards is not what every Grafana in use imports; the first is

import (
	"fmt"

	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/common"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/prometheus"
	"github.com/grafana/grafana-foundation-sdk/go/table"
	"github.com/grafana/grafana-foundation-sdk/go/units"
)

// field is a column of values.
type field struct {
	name   string
	unit   string
	limits *dashboard.ThresholdsConfigBuilder
	expr   string
}

// rows shows the labels that all queries keep and the value of each query
// beside them. The last column is what is sorted by, the greatest first.
func rows(title, description string, fields ...field) *table.PanelBuilder {
	queries := make([]*prometheus.DataqueryBuilder, len(fields))
	p := table.NewPanelBuilder().
		Title(title).
		Description(description).
		Unit(units.Short).
		Datasource(source).
		Height(height).
		Span(whole).
		Footer(common.NewTableFooterOptionsBuilder().Show(false).Reducer([]string{})).
		WithTransformation(dashboard.DataTransformerConfig{Id: "merge", Options: map[string]any{}}).
		OverrideByName("Time", []dashboard.DynamicConfigValue{{Id: "custom.hidden", Value: true}}).
		OverrideByName("target", []dashboard.DynamicConfigValue{{Id: "links", Value: toLink()}})
	for i, f := range fields {
		queries[i] = column(f.expr)
		p.OverrideByName(valueColumn(i, len(fields)), f.properties())
	}
	return p.
		SortBy([]cog.Builder[common.TableSortByFieldState]{
			common.NewTableSortByFieldStateBuilder().DisplayName(fields[len(fields)-1].name).Desc(true),
		}).
		Targets(targets(queries))
}

// valueColumn is what Grafana calls the values of a query after a merge: by the
// query's name, if there are several.
func valueColumn(i, of int) string {
	if of == 1 {
		return "Value"
	}
	return fmt.Sprintf("Value #%c", 'A'+i)
}

func (f field) properties() []dashboard.DynamicConfigValue {
	list := []dashboard.DynamicConfigValue{{Id: "displayName", Value: f.name}, {Id: "unit", Value: f.unit}}
	if f.limits == nil {
		return list
	}
	limits, err := f.limits.Build()
	if err != nil {
		panic(err) // limits are written in this program
	}
	return append(list,
		dashboard.DynamicConfigValue{Id: "thresholds", Value: limits},
		dashboard.DynamicConfigValue{Id: "custom.cellOptions", Value: map[string]string{"type": "color-text"}})
}

// toLink leads from a row to the link's own dashboard.
func toLink() []map[string]any {
	return []map[string]any{{
		"title": "Look into this link",
		"url":   linkPage(linkUID, "${__data.fields.target}", "${__data.fields.instance}"),
	}}
}
