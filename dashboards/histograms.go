// Queries of histograms, whichever form Prometheus holds them in.
//
// The exporter serves each histogram in two forms. A Prometheus that scrapes
// the classic one has NAME_bucket, NAME_sum and NAME_count; one that scrapes the
// native one has NAME; one that scrapes both has all of them. Every query asks
// for one form "or" the other, so that each panel is right with any of the three:
//   - quantiles and means ask for the native form first: it resolves 10 %
//     anywhere, where a classic bucket is 2 to 2.5 times as wide as its start;
//     One quantile of the classic form can therefore be half as long again as
//     it should be, so what is held against another figure is a mean, which is
//     exact in both;
//   - heat maps ask for the classic form first: its limits are exact, and every
//     Grafana can draw it.

package main

import "fmt"

// histogram is the observations of a metric over a window.
type histogram struct {
	name   string // without the suffix of a form
	where  string // label matchers
	by     string // the labels that are kept, with commas between; may be empty
	window string
}

// quantile is the one below which that share of the observations is.
func (h histogram) quantile(q float64) string {
	return fmt.Sprintf("histogram_quantile(%g, %s) or histogram_quantile(%g, %s)", q, h.native("rate"), q, h.buckets("rate"))
}

// mean is their sum by their count.
func (h histogram) mean() string {
	return fmt.Sprintf("histogram_sum(%[1]s) / histogram_count(%[1]s) or %s / %s", h.native("rate"), h.classic("_sum"), h.classic("_count"))
}

// perSecond is the sum of the observations in a second.
func (h histogram) perSecond() string {
	return fmt.Sprintf("histogram_sum(%s) or %s", h.native("rate"), h.classic("_sum"))
}

// density is how many observations each bucket got. The two forms have
// different labels, so "on ()": all of one form or all of the other.
func (h histogram) density() string {
	return fmt.Sprintf("%s or on () %s", h.buckets("increase"), h.native("increase"))
}

func (h histogram) native(function string) string {
	return fmt.Sprintf("sum by (%s) (%s(%s{%s}[%s]))", h.by, function, h.name, h.where, h.window)
}

func (h histogram) classic(suffix string) string {
	return fmt.Sprintf("sum by (%s) (rate(%s%s{%s}[%s]))", h.by, h.name, suffix, h.where, h.window)
}

func (h histogram) buckets(function string) string {
	by := "le"
	if h.by != "" {
		by += ", " + h.by
	}
	return fmt.Sprintf("sum by (%s) (%s(%s_bucket{%s}[%s]))", by, function, h.name, h.where, h.window)
}
