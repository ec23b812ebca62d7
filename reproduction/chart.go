// Charts as SVG: a scatter of what was measured and published, and lines. They
// read on white and on black, because they ask which it is.

package main

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// chart has a linear x axis and y axis, both from 0.
type chart struct {
	file, title    string
	xLabel, yLabel string
	series         []series
}

// series is a set of points, joined or not.
type series struct {
	name   string
	style  style
	points []point
}

type point struct{ x, y float64 }

// style is how a series looks; its number is its colour.
type style struct {
	colour int
	form   form
}

type form int

const (
	joined form = iota // filled dots with lines between
	hollow             // dots alone
	dashed             // a line alone
)

// The drawing, and the area of the plot in it; the names of the series are at
// the right of the plot.
const (
	chartWidth, chartHeight          = 840, 400
	plotLeft, plotTop                = 64, 48
	plotRight, plotBottom            = 560, 340
	plotWidth, plotHeight            = plotRight - plotLeft, plotBottom - plotTop
	ticks                            = 5
	legendLeft, legendTop, legendRow = plotRight + 24, plotTop + 8, 22
)

const chartStyle = `<style>
text{font:13px system-ui,sans-serif;fill:#24292f}.title{font-size:16px;font-weight:600}.muted{fill:#57606a}
.grid{stroke:#d0d7de}.s0{--c:#0969da}.s1{--c:#bc4c00}.s2{--c:#1a7f37}
.line{fill:none;stroke:var(--c);stroke-width:2}.dash{stroke-dasharray:6 4}.dot{fill:var(--c)}.ring{fill:none;stroke:var(--c);stroke-width:2}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.muted{fill:#9198a1}.grid{stroke:#3d444d}.s0{--c:#58a6ff}.s1{--c:#f0883e}.s2{--c:#3fb950}}
</style>`

// svg draws the chart.
func (c *chart) svg() string {
	xMax, yMax := c.bounds()
	at := func(p point) (x, y float64) {
		return plotLeft + p.x/xMax*plotWidth, plotBottom - p.y/yMax*plotHeight
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-label="%s">`+"\n%s\n",
		chartWidth, chartHeight, html.EscapeString(c.title), chartStyle)
	fmt.Fprintf(&b, `<text class="title" x="%d" y="24">%s</text>`+"\n", plotLeft, html.EscapeString(c.title))
	c.axes(&b, xMax, yMax)
	for _, s := range c.series {
		s.draw(&b, at)
	}
	c.legend(&b)
	b.WriteString("</svg>\n")
	return b.String()
}

// bounds are where the axes end: at a multiple of a round step.
func (c *chart) bounds() (xMax, yMax float64) {
	for _, s := range c.series {
		for _, p := range s.points {
			xMax, yMax = max(xMax, p.x), max(yMax, p.y)
		}
	}
	return roundUp(xMax), roundUp(yMax)
}

// roundUp is the least of ticks × 1, 2, 3, 4 or 5 × a power of ten that is not below v.
func roundUp(v float64) float64 {
	if v <= 0 {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(v/ticks)))
	for _, step := range []float64{1, 2, 3, 4, 5} {
		if end := ticks * step * power; end >= v {
			return end
		}
	}
	return ticks * 10 * power
}

func (c *chart) axes(b *strings.Builder, xMax, yMax float64) {
	for i := range ticks + 1 {
		share := float64(i) / ticks
		x, y := plotLeft+share*plotWidth, plotBottom-share*plotHeight
		fmt.Fprintf(b, `<line class="grid" x1="%d" x2="%d" y1="%.1f" y2="%.1f"/>`, plotLeft, plotRight, y, y)
		fmt.Fprintf(b, `<text class="muted" x="%d" y="%.1f" text-anchor="end">%g</text>`, plotLeft-8, y+4, share*yMax)
		fmt.Fprintf(b, `<text class="muted" x="%.1f" y="%d" text-anchor="middle">%g</text>`+"\n", x, plotBottom+20, share*xMax)
	}
	fmt.Fprintf(b, `<text class="muted" x="%d" y="%d" text-anchor="middle">%s</text>`, (plotLeft+plotRight)/2, plotBottom+44, html.EscapeString(c.xLabel))
	fmt.Fprintf(b, `<text class="muted" transform="translate(18 %d) rotate(-90)" text-anchor="middle">%s</text>`+"\n",
		(plotTop+plotBottom)/2, html.EscapeString(c.yLabel))
}

func (s series) draw(b *strings.Builder, at func(point) (x, y float64)) {
	fmt.Fprintf(b, `<g class="s%d">`, s.style.colour)
	if s.style.form != hollow {
		var path []string
		for _, p := range s.points {
			x, y := at(p)
			path = append(path, fmt.Sprintf("%.1f,%.1f", x, y))
		}
		fmt.Fprintf(b, `<polyline class="%s" points="%s"/>`, s.style.line(), strings.Join(path, " "))
	}
	if s.style.form != dashed {
		for _, p := range s.points {
			x, y := at(p)
			fmt.Fprintf(b, `<circle class="%s" cx="%.1f" cy="%.1f" r="4"/>`, s.style.dot(), x, y)
		}
	}
	b.WriteString("</g>\n")
}

func (c *chart) legend(b *strings.Builder) {
	for i, s := range c.series {
		y := legendTop + i*legendRow
		fmt.Fprintf(b, `<g class="s%d">`, s.style.colour)
		if s.style.form == dashed {
			fmt.Fprintf(b, `<path class="%s" d="M%d %dh20"/>`, s.style.line(), legendLeft-10, y)
		} else {
			fmt.Fprintf(b, `<circle class="%s" cx="%d" cy="%d" r="4"/>`, s.style.dot(), legendLeft, y)
		}
		fmt.Fprintf(b, `<text x="%d" y="%d">%s</text></g>`+"\n", legendLeft+16, y+4, html.EscapeString(s.name))
	}
}

func (s style) line() string {
	if s.form == dashed {
		return "line dash"
	}
	return "line"
}

func (s style) dot() string {
	if s.form == hollow {
		return "ring"
	}
	return "dot"
}
