// Command dashboards writes the Grafana dashboards, one JSON file each, into
// the working directory. They are a module of their own, so that the exporter
// does not depend on Grafana.
package main

//lint:file-ignore SA1019 the second schema of dashboards is not what every Grafana in use imports; the first is

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
)

//go:generate go run .

// all maps each file to its dashboard.
var all = map[string]func() *dashboard.DashboardBuilder{
	"fleet.json":   fleet,
	"link.json":    link,
	"budgets.json": budgets,
}

func main() {
	for file, build := range all {
		text, err := render(build())
		if err == nil {
			err = os.WriteFile(file, text, 0o644)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", file, err)
			os.Exit(1)
		}
	}
}

// render returns a dashboard as Grafana imports it.
func render(b *dashboard.DashboardBuilder) ([]byte, error) {
	d, err := b.Build()
	if err != nil {
		return nil, err
	}
	number(d.Panels)
	text, err := json.MarshalIndent(d, "", "  ")
	return append(text, '\n'), err
}

// number gives panels and rows the identifiers by which an address shows one
// of them alone; without, Grafana gives its own.
func number(panels []dashboard.PanelOrRowPanel) {
	for i, p := range panels {
		id := uint32(i + 1)
		if p.RowPanel != nil {
			p.RowPanel.Id = id
		} else {
			p.Panel.Id = &id
		}
	}
}
