package exporter

import (
	"slices"
	"testing"

	"oranet_exporter/exporter/status"
	"oranet_exporter/probes"
)

// What a page shows somebody can alert on.
func TestEveryMetricOfThePagesIsExported(t *testing.T) {
	declared := slices.Concat(runMetrics, probes.AttemptMetrics, budgetMetrics)
	for _, d := range probes.All {
		declared = append(declared, d.Metrics...)
	}
	for _, name := range status.Metrics {
		if !slices.ContainsFunc(declared, func(m *probes.Metric) bool { return m.Name == string(name) }) {
			t.Errorf("the pages show %s, which nothing exports", name)
		}
	}
}
