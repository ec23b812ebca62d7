package exporter

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"oranet_exporter/probes"
)

var update = flag.Bool("update", false, "write docs/metrics.md anew")

const referenceFile = "../docs/metrics.md"

// The reference is made from the declarations, so that it cannot differ from
// what is exported.
func TestMetricReferenceIsInStep(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the kernel's metrics are there on Linux alone, and the reference has them")
	}
	want := reference(t)
	if *update {
		if err := os.WriteFile(referenceFile, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(referenceFile)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("docs/metrics.md is not what the code declares; run `make reference`")
	}
}

const referenceHead = `# Metrics

Made from the code by ` + "`make reference`" + `. Every series of a target has the label ` + "`target`" + ` and the target's own labels beside those
listed. Histograms come in classic and native form. A run that fails adds nothing to a latency histogram: success, failures and staleness are the
metrics of every run.
`

func reference(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(referenceHead)
	chapter(&b, "Every run of every probe", runMetrics)
	chapter(&b, "Every attempt to open the link, whichever probe's", probes.AttemptMetrics)
	for _, d := range probes.All {
		chapter(&b, fmt.Sprintf("Probe `%s`: %s", d.Name, d.Help), d.Metrics)
	}
	chapter(&b, "Every budget", budgetMetrics)
	b.WriteString("\n## The exporter itself\n\n| metric | type | meaning |\n|---|---|---|\n")
	families, err := newRegistry(new(fleet), newReloads()).Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if strings.HasPrefix(f.GetName(), Namespace) {
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f.GetName(), strings.ToLower(f.GetType().String()), f.GetHelp())
		}
	}
	b.WriteString("| `go_*`, `process_*` | | The Go runtime's and the process's, as of every Go program. |\n")
	return b.String()
}

func chapter(b *strings.Builder, title string, metrics []*probes.Metric) {
	fmt.Fprintf(b, "\n## %s\n\n| metric | type | labels | meaning |\n|---|---|---|---|\n", title)
	for _, m := range metrics {
		var labels []string
		for _, l := range m.Labels {
			labels = append(labels, "`"+l+"`")
		}
		fmt.Fprintf(b, "| `%s%s` | %s | %s | %s |\n", Namespace, m.Name, typeNames[m.Kind], strings.Join(labels, ", "), strings.ReplaceAll(m.Help, "|", `\|`))
	}
}

var typeNames = map[probes.Kind]string{probes.Histogram: "histogram", probes.Gauge: "gauge", probes.Counter: "counter", probes.Info: "gauge"}
