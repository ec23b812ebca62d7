// What the dashboards have in common: their look, the way from one to the
// other, and the outages drawn into every panel.

package main

//lint:file-ignore SA1019 the second schema of dashboards is not what every Grafana in use imports; the first is

import (
	"fmt"

	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
)

// The dashboards' own identifiers, by which they point to each other.
const (
	fleetUID   = "oranet-fleet"
	linkUID    = "oranet-link"
	budgetsUID = "oranet-budgets"
	tag        = "oranet"
)

// frame is a dashboard without variables and panels.
func frame(title, uid, description string) *dashboard.DashboardBuilder {
	return dashboard.NewDashboardBuilder(title).
		Uid(uid).
		Description(description).
		Tags([]string{tag}).
		Readonly().
		Tooltip(dashboard.DashboardCursorSyncCrosshair).
		Time("now-3h", "now").
		Refresh("30s").
		Link(dashboard.NewDashboardLinkBuilder("Oracle Net").
			Type(dashboard.DashboardLinkTypeDashboards).
			Tags([]string{tag}).
			IncludeVars(true).
			KeepTime(true)).
		WithVariable(datasourceVariable())
}

// outages marks the time in which a probe failed in every panel over time: a
// failed run adds nothing to a latency histogram, so its panel alone would look
// as if nothing had happened. The value is 1 or there is none, as Grafana marks
// where it is 1; a minute is the step of an annotation.
func outages(scope, by, title string) *dashboard.AnnotationQueryBuilder {
	return dashboard.NewAnnotationQueryBuilder().
		Name("Outages").
		Datasource(source).
		Enable(true).
		IconColor("red").
		Expr(fmt.Sprintf("max by (%s) (1 - min_over_time(oranet_probe_success{%s}[1m])) == 1", by, scope)).
		Step("60s").
		TitleFormat(title).
		TextFormat("")
}

// linkPage is the address of another dashboard for a link, at the same time
// and data source; the arguments say where the link's labels come from.
func linkPage(uid, target, instance string) string {
	return fmt.Sprintf("/d/%s?${__url_time_range}&var-datasource=${datasource}&var-target=%s&var-instance=%s", uid, target, instance)
}
