// The kinds of panels, each with the look that all of that kind share.

package main

import (
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
	height = 8
	half   = 12
	third  = 8
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
func density(title, description, unit string, buckets *prometheus.DataqueryBuilder) *heatmap.PanelBuilder {
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
		Targets(targets([]*prometheus.DataqueryBuilder{buckets.Format(prometheus.PromQueryFormatHeatmap)}))
}

// states draws the course of values that are 1 or 0.
func states(title, description, one, zero string, query *prometheus.DataqueryBuilder) *statetimeline.PanelBuilder {
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
		Targets(targets([]*prometheus.DataqueryBuilder{query}))
}

// numbers shows the last value of each series, coloured by thresholds.
func numbers(title, description, unit string, thresholds []dashboard.Threshold, query *prometheus.DataqueryBuilder) *stat.PanelBuilder {
	return stat.NewPanelBuilder().
		Title(title).
		Description(description).
		Unit(unit).
		Datasource(source).
		Height(height).
		Span(third).
		TextMode(common.BigValueTextModeValueAndName).
		Thresholds(dashboard.NewThresholdsConfigBuilder().
			Mode(dashboard.ThresholdsModeAbsolute).
			Steps(thresholds)).
		Targets(targets([]*prometheus.DataqueryBuilder{query}))
}

// bars shows the last value of each series as a bar.
func bars(title, description, unit string, query *prometheus.DataqueryBuilder) *bargauge.PanelBuilder {
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
		Targets(targets([]*prometheus.DataqueryBuilder{query}))
}
