// A figure: what was published, what was measured here, and how far apart the
// two may be.

package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// printed is a number as it was published. Its last digit says how precisely.
type printed string

// value is the number.
func (p printed) value() float64 {
	v, err := strconv.ParseFloat(strings.ReplaceAll(string(p), ",", ""), 64)
	if err != nil {
		return math.NaN() // holds for nothing
	}
	return v
}

// half is half a unit of the last digit: what rounding may have hidden.
func (p printed) half() float64 {
	_, decimals, fraction := strings.Cut(string(p), ".")
	if !fraction {
		return 0.5
	}
	return 0.5 * math.Pow(10, -float64(len(decimals)))
}

// over is the quotient of two published numbers, and the range in which
// rounding leaves it.
func (p printed) over(q printed) span {
	return span{
		value: p.value() / q.value(),
		low:   (p.value() - p.half()) / (q.value() + q.half()),
		high:  (p.value() + p.half()) / (q.value() - q.half()),
	}
}

func (p printed) span() span { return span{p.value(), p.value() - p.half(), p.value() + p.half()} }

func (s span) times(factor float64) span {
	return span{s.value * factor, s.low * factor, s.high * factor}
}

// count is a number that was not rounded.
func count(n int) span { return span{float64(n), float64(n), float64(n)} }

// span is a published value, and between which bounds it was before rounding.
type span struct{ value, low, high float64 }

// allowance is how far ours may be from what was published, as a share of it;
// shown is no comparison at all.
type allowance float64

const (
	exact allowance = 0
	shown allowance = -1
)

// figure compares one number.
type figure struct {
	name      string
	unit      string
	decimals  int
	published span
	ours      float64
	allowed   allowance
}

// ratio is ours ÷ published.
func (f figure) ratio() float64 { return f.ours / f.published.value }

// holds tells whether ours is what was published, within what is allowed and
// what rounding had hidden.
func (f figure) holds() bool {
	if f.allowed == shown {
		return true
	}
	off := float64(f.allowed) * math.Abs(f.published.value)
	return f.published.low-off <= f.ours && f.ours <= f.published.high+off
}

// row is the figure's line of a table.
func (f figure) row() string {
	tolerance := "–"
	switch {
	case f.allowed == exact:
		tolerance = "exact"
	case f.allowed > 0:
		tolerance = fmt.Sprintf("%.0f %%", 100*f.allowed)
	}
	if !f.holds() {
		tolerance += ", **not held**"
	}
	ratio := "–"
	if f.published.value != 0 {
		ratio = fmt.Sprintf("%.2f", f.ratio())
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s |", f.name, f.number(f.published.value), f.number(f.ours), ratio, tolerance)
}

func (f figure) number(v float64) string {
	text := groups(strconv.FormatFloat(v, 'f', f.decimals, 64))
	if f.unit != "" {
		text += " " + f.unit
	}
	return text
}

// groups puts commas between thousands.
func groups(number string) string {
	whole, fraction, _ := strings.Cut(number, ".")
	for i := len(whole) - 3; i > 0 && whole[i-1] != '-'; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if fraction != "" {
		whole += "." + fraction
	}
	return whole
}
