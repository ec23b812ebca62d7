// Variables in queries, filled in as Grafana does.

package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What Grafana derives from the scrape interval and the time range, for a
// range of minutes.
const (
	rateInterval = "30s"
	timeRange    = "5m"
)

// choices are what each variable of a dashboard offers, in the dashboard's
// order, and what of it is chosen.
type choices struct {
	offered map[string][]string
	chosen  map[string]string
}

// choose asks the variables of a dashboard as Grafana does when it is opened:
// one after the other, each with the values of those before it. Where one
// value must be chosen, it is the wanted one; else all are.
func choose(t *testing.T, s *server, d dashboardJSON, wanted map[string]string) choices {
	t.Helper()
	c := choices{map[string][]string{}, map[string]string{}}
	labelValues := regexp.MustCompile(`^label_values\((.+), (\w+)\)$`)
	for _, v := range d.Templating.List {
		switch v.Type {
		case "query":
			found := labelValues.FindStringSubmatch(v.Query)
			if found == nil {
				t.Fatalf("$%s asks %q, which is no label_values", v.Name, v.Query)
			}
			offered := s.labelValues(t, c.fill(found[1]), found[2])
			if v.Regex != "" {
				keep := regexp.MustCompile(strings.Trim(v.Regex, "/"))
				offered = slices.DeleteFunc(offered, func(value string) bool { return !keep.MatchString(value) })
			}
			if len(offered) == 0 {
				t.Errorf("$%s offers nothing", v.Name)
			}
			c.offered[v.Name], c.chosen[v.Name] = offered, v.AllValue
			if !v.IncludeAll {
				c.chosen[v.Name] = wanted[v.Name]
				if wanted[v.Name] == "" && len(offered) > 0 {
					c.chosen[v.Name] = offered[0]
				}
				if !slices.Contains(offered, c.chosen[v.Name]) {
					t.Errorf("$%s offers %v and not %q", v.Name, offered, c.chosen[v.Name])
				}
			}
		case "custom":
			c.chosen[v.Name] = v.Current.Value.(string)
		}
	}
	return c
}

// with are the same choices and one value for the variable by which a panel or
// a row is repeated.
func (c choices) with(name, value string) choices {
	chosen := map[string]string{}
	for k, v := range c.chosen {
		chosen[k] = v
	}
	chosen[name] = value
	return choices{c.offered, chosen}
}

// fill puts the chosen values into a query.
func (c choices) fill(query string) string {
	query = strings.NewReplacer("$__rate_interval", rateInterval, "$__range", timeRange).Replace(query)
	return regexp.MustCompile(`\$(\w+)`).ReplaceAllStringFunc(query, func(name string) string {
		if value, ok := c.chosen[name[1:]]; ok {
			return value
		}
		return name
	})
}
