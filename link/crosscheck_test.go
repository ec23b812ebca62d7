package link_test

import (
	"database/sql/driver"
	"maps"
	"testing"
	"time"

	"oranet_exporter/link"
	"oranet_exporter/simulator"
)

func TestAskingForGrantsBreaksNothing(t *testing.T) {
	for _, c := range []struct {
		name     string
		withheld []string
		want     map[link.Capability]bool
	}{
		{"every grant", nil, map[link.Capability]bool{link.VMyStat: true, link.VSQL: true}},
		{"CREATE SESSION alone", []string{"V_$MYSTAT", "V_$STATNAME", "V_$SESSION", "V_$SQL"},
			map[link.Capability]bool{link.VMyStat: false, link.VSQL: false}},
		{"half of each", []string{"V_$STATNAME", "V_$SQL"}, map[link.Capability]bool{link.VMyStat: false, link.VSQL: false}},
	} {
		_, cfg := database(t, simulator.Options{Withheld: c.withheld})
		s := open(t, newLink(t, cfg), 100)
		granted, err := s.Granted(minute(t))
		if err != nil || s.Broken() || !maps.Equal(granted, c.want) {
			t.Errorf("%s: %v, broken %v, %v; want %v", c.name, granted, s.Broken(), err, c.want)
		}
	}
}

func TestAViewWithoutItsGrantIsAFailure(t *testing.T) {
	_, cfg := database(t, simulator.Options{Withheld: []string{"V_$MYSTAT"}})
	_, err := open(t, newLink(t, cfg), 100).ServerCounts(minute(t))
	wantFailure(t, err, link.PhaseQuery, link.ReasonObjectMissing, 942)
}

func TestTheServerTellsWhatAStatementCost(t *testing.T) {
	const busy, query = 2 * time.Millisecond, "select 'busy' from dual"
	_, cfg := database(t, simulator.Options{ServerTime: func(text string) time.Duration {
		if text == query {
			return busy
		}
		return 0
	}})
	s := open(t, newLink(t, cfg), 100)
	execute := func() {
		if _, err := s.Fetch(minute(t), query, nil, func([]driver.Value) {}); err != nil {
			t.Fatal(err)
		}
	}
	cost := func(id string) link.SQLCost {
		c, err := s.SQLCost(minute(t), id)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	execute()
	id, err := s.PreviousSQL(minute(t))
	if err != nil {
		t.Fatal(err)
	}
	before := cost(id)
	execute()
	if c := cost(id).Sub(before); c.Executions != 1 || c.Elapsed < busy {
		t.Errorf("one more execution is %+v, want 1 of at least %v", c, busy)
	}
	if c := cost("no such id"); c != (link.SQLCost{}) {
		t.Errorf("a statement that nobody executed cost %+v", c)
	}
}
