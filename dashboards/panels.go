// The kinds of panels, each with the look that all of that kind share.

package main

import (
	"github.com/grafana/grafana-foundation-sdk/go/barchart"
	"github.com/grafana/grafana-foundation-sdk/go/bargauge"
	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/common"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/heatmap"
	"github.com/grafana/grafana-foundation-sdk/go/prometheus"
	"github.com/grafana/grafana-foundation-sdk/go/stat"
	"github.com/grafana/grafana-foundation-sdk/go/statetimeline"
	"github.com/grafana/grafana-foundation-sdk/go/timeseries"
)

// Sizes on Grafana's grid, which is 24 wide.
const (
	height  = 8
	low     = 4
	medium  = 6
	whole   = 24
	half    = 12
	third   = 8
	quarter = 6
)

// lines draws each series as a line.
func lines(title, description, unit string, queries ...*prometheus.DataqueryBuilder) *timeseries.PanelBuilder {
	return timeseries.NewPanelBuilder().
		Title(title).
		Description(description).
		Unit(unit).
		Min(0).
		Datasource(source).
		Height(height).
		Span(half).
		FillOpacity(5).
		ShowPoints(common.VisibilityModeNever).
		Legend(common.NewVizLegendOptionsBuilder().
			ShowLegend(true).
			DisplayMode(common.LegendDisplayModeTable).
			Placement(common.LegendPlacementBottom).
			Calcs([]string{"lastNotNull", "max"})).
		Tooltip(common.NewVizTooltipOptionsBuilder().
			Mode(common.TooltipDisplayModeMulti).
			Sort(common.SortOrderDescending)).
		Targets(targets(queries))
}

// stacked draws series whose sum means something.
func stacked(title, description, unit string, queries ...*prometheus.DataqueryBuilder) *timeseries.PanelBuilder {
	return lines(title, description, unit, queries...).
		FillOpacity(40).
		Stacking(common.NewStackingConfigBuilder().Mode(common.StackingModeNormal))
}

// density draws how the observations of a histogram are spread.
func density(title, description, unit string, of histogram) *heatmap.PanelBuilder {
	return heatmap.NewPanelBuilder().
		Title(title).
		Description(description).
		Unit(unit).
		Datasource(source).
		Height(height).
		Span(half).
		YAxis(heatmap.NewYAxisConfigBuilder().Unit(unit)).
		Color(heatmap.NewHeatmapColorOptionsBuilder().
			Mode(heatmap.HeatmapColorModeScheme).
			Scheme("Oranges").
			Scale(heatmap.HeatmapColorScaleExponential).
			Exponent(0.5).
			Steps(64)).
		Targets(targets([]*prometheus.DataqueryBuilder{series("{{le}}", of.density()).Format(prometheus.PromQueryFormatHeatmap)}))
}

// states draws the course of values that are 1 or 0.
func states(title, description, one, zero string, queries ...*prometheus.DataqueryBuilder) *statetimeline.PanelBuilder {
	return statetimeline.NewPanelBuilder().
		Title(title).
		Description(description).
		Unit("none").
		Datasource(source).
		Height(height).
		Span(third).
		ShowValue(common.VisibilityModeNever).
		Mappings([]dashboard.ValueMapping{{ValueMap: &dashboard.ValueMap{
			Type: dashboard.MappingTypeValueToText,
			Options: map[string]dashboard.ValueMappingResult{
				"1": {Text: cog.ToPtr(one), Color: cog.ToPtr("green")},
				"0": {Text: cog.ToPtr(zero), Color: cog.ToPtr("red")},
			},
		}}}).
		Targets(targets(queries))
}

// numbers shows the last value of each series, coloured by limits.
func numbers(title, description, unit string, limits *dashboard.ThresholdsConfigBuilder, queries ...*prometheus.DataqueryBuilder) *stat.PanelBuilder {
	return stat.NewPanelBuilder().
		Title(title).
		Description(description).
		Unit(unit).
		Datasource(source).
		Height(height).
		Span(third).
		TextMode(common.BigValueTextModeValueAndName).
		GraphMode(common.BigValueGraphModeNone).
		Thresholds(limits).
		Targets(targets(queries))
}

// headline is one number across the top of a dashboard.
func headline(title, description, unit string, limits *dashboard.ThresholdsConfigBuilder, query *prometheus.DataqueryBuilder) *stat.PanelBuilder {
	return numbers(title, description, unit, limits, query).
		TextMode(common.BigValueTextModeValue).
		Height(low).
		Span(quarter)
}

// bars shows the last value of each series as a bar, coloured by limits.
func bars(title, description, unit string, limits *dashboard.ThresholdsConfigBuilder, queries ...*prometheus.DataqueryBuilder) *bargauge.PanelBuilder {
	return bargauge.NewPanelBuilder().
		Title(title).
		Description(description).
		Unit(unit).
		Min(0).
		Datasource(source).
		Height(height).
		Span(third).
		Orientation(common.VizOrientationHorizontal).
		DisplayMode(common.BarGaugeDisplayModeBasic).
		Thresholds(limits).
		Targets(targets(queries))
}

// composition stacks the values of one label upon each other, for each value
// of another one along the axis.
func composition(title, description, unit, along, stacked string, query *prometheus.DataqueryBuilder) *barchart.PanelBuilder {
	return barchart.NewPanelBuilder().
		Title(title).
		Description(description).
		Unit(unit).
		Datasource(source).
		Height(height).
		Span(half).
		Stacking(common.StackingModeNormal).
		FillOpacity(80).
		ShowValue(common.VisibilityModeNever).
		Legend(common.NewVizLegendOptionsBuilder().
			ShowLegend(true).
			DisplayMode(common.LegendDisplayModeList).
			Placement(common.LegendPlacementBottom)).
		WithTransformation(dashboard.DataTransformerConfig{
			Id:      "groupingToMatrix",
			Options: map[string]any{"rowField": along, "columnField": stacked, "valueField": "Value"},
		}).
		Targets(targets([]*prometheus.DataqueryBuilder{query.Format(prometheus.PromQueryFormatTable)}))
}
