// From which value on something is bad.

package main

//lint:file-ignore SA1019 the second schema of dashboards is not what every Grafana in use imports; the first is

import (
	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/common"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/timeseries"
)

const (
	green  = "green"
	orange = "orange"
	red    = "red"
)

// noLimit is for what is neither good nor bad by itself.
func noLimit() *dashboard.ThresholdsConfigBuilder {
	return steps(dashboard.Threshold{Color: "blue"})
}

// badFrom is red from that value on.
func badFrom(bad float64) *dashboard.ThresholdsConfigBuilder {
	return steps(dashboard.Threshold{Color: green}, at(red, bad))
}

// worseFrom is orange from the first value on and red from the second.
func worseFrom(poor, bad float64) *dashboard.ThresholdsConfigBuilder {
	return steps(dashboard.Threshold{Color: green}, at(orange, poor), at(red, bad))
}

// badBelow is red below the first value and orange below the second.
func badBelow(bad, poor float64) *dashboard.ThresholdsConfigBuilder {
	return steps(dashboard.Threshold{Color: red}, at(orange, bad), at(green, poor))
}

func at(color string, value float64) dashboard.Threshold {
	return dashboard.Threshold{Color: color, Value: cog.ToPtr(value)}
}

func steps(list ...dashboard.Threshold) *dashboard.ThresholdsConfigBuilder {
	return dashboard.NewThresholdsConfigBuilder().Mode(dashboard.ThresholdsModeAbsolute).Steps(list)
}

// withLines draws limits into a panel of lines.
func withLines(p *timeseries.PanelBuilder, limits *dashboard.ThresholdsConfigBuilder) *timeseries.PanelBuilder {
	return p.Thresholds(limits).ThresholdsStyle(common.NewGraphThresholdsStyleConfigBuilder().
		Mode(common.GraphThresholdsStyleModeDashed))
}

// limitFrom makes the value of one of the panel's queries, which has that
// legend, the limit of the others, and takes its own line away.
func limitFrom(p *timeseries.PanelBuilder, query, legend string) *timeseries.PanelBuilder {
	return withLines(p, steps(dashboard.Threshold{Color: green})).
		WithTransformation(dashboard.DataTransformerConfig{
			Id: "configFromData",
			Options: map[string]any{
				"configRefId": query,
				"mappings": []map[string]any{{
					"fieldName":        legend,
					"handlerKey":       "threshold1",
					"handlerArguments": map[string]any{"threshold": map[string]string{"color": red}},
				}},
			},
		})
}
