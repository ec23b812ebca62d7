package prometheus

import (
	"os/exec"
	"strings"
	"testing"
)

// As amtool routes them, which comes with Alertmanager.
func TestEachAlertReachesTheTeamThatCanMendIt(t *testing.T) {
	amtool, err := exec.LookPath("amtool")
	if err != nil {
		t.Skip("amtool is not installed (Debian's package: prometheus-alertmanager); the routes are not tested")
	}
	for _, test := range []struct{ labels, receiver string }{
		{"alertname=OranetLinkDown severity=page class=network", "page-network"},
		{"alertname=OranetLinkDown severity=page class=listener", "page-database"},
		{"alertname=OranetLinkDown severity=page class=database", "page-database"},
		{"alertname=OranetLinkDown severity=page class=credentials", "page-database"},
		{"alertname=OranetLinkDown severity=page class=tls", "page-certificates"},
		{"alertname=OranetLinkDown severity=page class=config", "page-monitoring"},
		{"alertname=OranetLinkDown severity=page class=unknown", "page-monitoring"},
		{"alertname=OranetBudgetBurn severity=page window=1h", "page-database"},
		{"alertname=OranetBudgetBurn severity=ticket window=3d", "tickets"},
		{"alertname=OranetCertificateExpiring severity=page side=client", "page-certificates"},
		{"alertname=OranetCertificateExpiring severity=ticket side=client", "tickets"},
		{"alertname=OranetPasswordExpiring severity=page", "page-database"},
		{"alertname=OranetExporterGone severity=page", "page-monitoring"},
		{"alertname=OranetRegionSilent severity=page from_region=osaka", "page-monitoring"},
		{"alertname=OranetRoundTripSlow severity=ticket", "tickets"},
	} {
		args := append([]string{"config", "routes", "test", "--config.file=alertmanager.yml"}, strings.Fields(test.labels)...)
		out, err := exec.Command(amtool, args...).Output()
		if got := strings.TrimSpace(string(out)); err != nil || got != test.receiver {
			t.Errorf("%s: goes to %s instead of %s (%v)", test.labels, got, test.receiver, err)
		}
	}
}
