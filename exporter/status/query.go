// What the fleet page is asked for: which targets, in which order.

package status

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// order is an order of the fleet's rows.
type order string

// The orders; the first is what a page has unasked.
const (
	byTrouble  order = "trouble"
	byRTT      order = "rtt"
	byHeadroom order = "headroom"
	byName     order = "name"
)

// orders are all of them, with what they are called on the page.
var orders = []choice{{string(byTrouble), "worst state first"}, {string(byRTT), "longest round trip first"},
	{string(byHeadroom), "least head-room first"}, {string(byName), "name"}}

// choice is one of a list that somebody can choose from.
type choice struct {
	Value, Text string
}

// query is the request of a fleet page. Whatever is not known counts as not asked for.
type query struct {
	Text    string // part of a name, a label or a reason
	State   State  // empty: all
	Sort    order
	page    int // from 1
	refresh bool
}

func readQuery(values url.Values) query {
	q := query{Text: strings.TrimSpace(values.Get("q")), Sort: byTrouble, page: 1, refresh: values.Get("refresh") == on}
	if s := State(values.Get("state")); slices.Contains(states, s) {
		q.State = s
	}
	for _, o := range orders {
		if o.Value == values.Get("sort") {
			q.Sort = order(o.Value)
		}
	}
	if n, err := strconv.Atoi(values.Get("page")); err == nil && n > 1 {
		q.page = n
	}
	return q
}

// link is where the page of this query is.
func (q query) link() string {
	values := url.Values{}
	set := func(name, value, unasked string) {
		if value != unasked {
			values.Set(name, value)
		}
	}
	set("q", q.Text, "")
	set("state", string(q.State), "")
	set("sort", string(q.Sort), string(byTrouble))
	set("page", strconv.Itoa(q.page), "1")
	if q.refresh {
		values.Set("refresh", on)
	}
	if len(values) == 0 {
		return "/"
	}
	return "/?" + values.Encode()
}

// matches tells whether a row is asked for.
func (q query) matches(r row) bool {
	if q.State != "" && q.State != r.State {
		return false
	}
	text := strings.ToLower(q.Text)
	return slices.ContainsFunc(r.words(), func(w string) bool { return strings.Contains(strings.ToLower(w), text) })
}
