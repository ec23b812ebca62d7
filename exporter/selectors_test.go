// The series that a PromQL expression selects, as far as a regular expression
// can tell: enough for our own rules, and no query engine among the dependencies.

package exporter

import (
	"regexp"
)

// selector is a metric of ours as PromQL selects it.
type selector struct {
	name     string // without the prefix
	matchers []matcher
}

type matcher struct{ label, op, value string }

var (
	// What stands behind a colon is the middle of a recorded series' name.
	selectorPattern = regexp.MustCompile(`(?:^|[^a-z0-9_:])` + Namespace + `([a-z0-9_]+)(\{[^}]*\})?`)
	matcherPattern  = regexp.MustCompile(`([a-z_]+)\s*(=~|!~|!=|=)\s*(?:"([^"]*)"|%q)`)
)

func selectors(query string) (list []selector) {
	for _, found := range selectorPattern.FindAllStringSubmatch(query, -1) {
		s := selector{name: found[1]}
		for _, m := range matcherPattern.FindAllStringSubmatch(found[2], -1) {
			s.matchers = append(s.matchers, matcher{m[1], m[2], m[3]})
		}
		list = append(list, s)
	}
	return list
}

func (s selector) matches(labels map[string]string) bool {
	for _, m := range s.matchers {
		same := regexp.MustCompile("^(?:" + m.value + ")$").MatchString(labels[m.label])
		if same != (m.op == "=" || m.op == "=~") {
			return false
		}
	}
	return true
}
