// The page: every figure, published and ours.

package main

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed introduction.md
var introduction string

// section is what was published under one heading.
type section struct {
	title, text string
	figures     []figure
	chart       *chart // nil: none
}

func (s *section) add(figures ...figure) { s.figures = append(s.figures, figures...) }

// page is all sections, in whatever order they were measured.
type page []section

func (p page) text() string {
	var b strings.Builder
	b.WriteString(introduction)
	fmt.Fprintf(&b, "\n%d figures are compared, %d are outside their tolerance.\n", p.compared(), p.outside())
	sorted := slices.SortedFunc(slices.Values(p), func(a, b section) int { return strings.Compare(a.title, b.title) })
	for _, s := range sorted {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", s.title, s.text)
		if s.chart != nil {
			fmt.Fprintf(&b, "\n![%s](%s/%s)\n", s.chart.title, filepath.Base(chartDir), s.chart.file)
		}
		b.WriteString("\n| figure | published | ours | ratio | tolerance |\n|---|---|---|---|---|\n")
		for _, f := range s.figures {
			b.WriteString(f.row() + "\n")
		}
	}
	return b.String()
}

// compared counts the figures that have a tolerance.
func (p page) compared() int { return p.count(func(f figure) bool { return f.allowed != shown }) }

// outside counts those that are not within it.
func (p page) outside() int { return p.count(func(f figure) bool { return !f.holds() }) }

func (p page) count(is func(figure) bool) (n int) {
	for _, s := range p {
		for _, f := range s.figures {
			if is(f) {
				n++
			}
		}
	}
	return n
}

// write writes the page and its charts.
func (p page) write(file, charts string) error {
	if err := os.MkdirAll(charts, 0o755); err != nil {
		return err
	}
	for _, s := range p {
		if s.chart == nil {
			continue
		}
		if err := os.WriteFile(filepath.Join(charts, s.chart.file), []byte(s.chart.svg()), 0o644); err != nil {
			return err
		}
	}
	return os.WriteFile(file, []byte(p.text()), 0o644)
}
