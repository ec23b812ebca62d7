// The metrics, labels and label values that the code declares.

package exporter

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"oranet_exporter/probes"
)

// declarations are what the code says it exports.
type declarations struct {
	metrics map[string]*probes.Metric // nil: one of the exporter's own, without labels
	values  map[string][]string       // of labels whose values are a closed list
	words   map[string]bool           // string literals of the probes: the values of the other labels
}

func declared(t *testing.T) declarations {
	t.Helper()
	d := declarations{metrics: map[string]*probes.Metric{}, words: literals(t, "../probes"), values: map[string][]string{
		"phase":    constants(t, "../link/failure.go", "Phase"),
		"reason":   constants(t, "../link/failure.go", "Reason"),
		"resource": {string(ResourceBytes), string(ResourceLogons)},
		"cause":    {string(CauseScheduler), string(CauseGC)},
	}}
	lists := [][]*probes.Metric{runMetrics, probes.AttemptMetrics, budgetMetrics}
	for _, p := range probes.All {
		lists = append(lists, p.Metrics)
		d.values["probe"] = append(d.values["probe"], p.Name)
	}
	for _, m := range slices.Concat(lists...) {
		d.metrics[m.Name] = m
	}
	families, err := newRegistry(new(fleet), newReloads()).Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if name, ours := strings.CutPrefix(f.GetName(), Namespace); ours {
			d.metrics[name] = nil
		}
	}
	return d
}

// judge says what is wrong with a selector, if anything.
func (d declarations) judge(s selector) string {
	name, suffix := s.name, ""
	if name == "exporter" {
		return "" // the program
	}
	if _, ok := d.metrics[name]; !ok {
		at := strings.LastIndexByte(name, '_')
		name, suffix = name[:max(at, 0)], name[max(at, 0):]
	}
	m, ok := d.metrics[name]
	histogram := m != nil && m.Kind == probes.Histogram
	switch {
	case !ok:
		return "there is no metric " + Namespace + s.name
	case histogram && suffix != "_bucket" && suffix != "_sum" && suffix != "_count":
		return Namespace + s.name + " is a native histogram; the rules read the classic series, so that they work without and count none twice"
	case !histogram && suffix != "":
		return "there is no metric " + Namespace + s.name
	}
	for _, x := range s.matchers {
		if problem := d.judgeMatcher(m, suffix, x); problem != "" {
			return Namespace + s.name + ": " + problem
		}
	}
	return ""
}

func (d declarations) judgeMatcher(m *probes.Metric, suffix string, x matcher) string {
	switch {
	case x.label == "job", x.label == "instance", x.label == "target":
		return ""
	case x.value == strings.ToUpper(x.label):
		return "" // a runbook's PROBE or PHASE, for its reader to fill in
	case x.label == "le" && suffix == "_bucket":
		bound, err := strconv.ParseFloat(x.value, 64)
		if err != nil || !slices.Contains(m.Buckets, bound) || bound == float64(int64(bound)) {
			return "le=" + x.value + " is no bucket, or one that Prometheus 3 writes in another way than Prometheus 2"
		}
		return ""
	case m == nil || !slices.Contains(m.Labels, x.label):
		return "it has no label " + x.label
	}
	for _, value := range strings.Split(x.value, "|") {
		list, closed := d.values[x.label]
		if value != "" && (closed && !slices.Contains(list, value) || !closed && !d.words[value]) {
			return x.label + " is never " + value
		}
	}
	return ""
}

// constants are the values of the string constants of a type in a file.
func constants(t *testing.T, file, typeName string) (list []string) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok {
			if id, ok := spec.Type.(*ast.Ident); ok && id.Name == typeName {
				list = slices.AppendSeq(list, maps.Keys(wordsIn(spec)))
			}
		}
		return true
	})
	if len(list) == 0 {
		t.Fatalf("%s has no constants of type %s", file, typeName)
	}
	return list
}

// literals are the string literals of a package, its tests not included.
func literals(t *testing.T, dir string) map[string]bool {
	t.Helper()
	words := map[string]bool{}
	for _, file := range texts(t, filepath.Join(dir, "*.go")) {
		if strings.HasSuffix(file.from, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file.from, file.content, 0)
		if err != nil {
			t.Fatal(err)
		}
		maps.Copy(words, wordsIn(parsed))
	}
	return words
}

func wordsIn(node ast.Node) map[string]bool {
	words := map[string]bool{}
	ast.Inspect(node, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if word, err := strconv.Unquote(lit.Value); err == nil {
				words[word] = true
			}
		}
		return true
	})
	return words
}
