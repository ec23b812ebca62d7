package link_test

import (
	"context"
	"database/sql/driver"
	"slices"
	"testing"

	"oranet_exporter/link"
	"oranet_exporter/simulator"
)

// What a DBA sees of our sessions, and what they leave behind.
func TestSessionsSayWhoTheyAreAndLeaveNothingBehind(t *testing.T) {
	for _, c := range []struct {
		name           string
		version        uint16
		module, action string
	}{
		{"19c", 318, "oranet_exporter", "pool"},
		{"26ai", 319, "oranet_exporter", "pool"},
		{"11g takes no names of this form", 314, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			server, cfg := database(t, simulator.Options{Version: c.version})
			s, _, err := newLink(t, cfg).For(&link.Usage{Name: "pool"}).Open(minute(t), link.DriverChooses)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Ping(minute(t)); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Fetch(minute(t), "select level from dual connect by level <= :1", []any{100}, func([]driver.Value) {}); err != nil {
				t.Fatal(err)
			}
			if err := s.Close(context.Background()); err != nil {
				t.Fatal(err)
			}
			truth := lastEnded(t, server)
			if truth.Program != "oranet_exporter" || truth.Module != c.module || truth.Action != c.action {
				t.Errorf("PROGRAM is %q, MODULE %q, ACTION %q; want oranet_exporter, %q and %q",
					truth.Program, truth.Module, truth.Action, c.module, c.action)
			}
			if truth.Ended != "logoff" {
				t.Errorf("the session ended by %s, want a logoff", truth.Ended)
			}
			for call := range truth.RoundTripsByCall {
				if !slices.Contains(harmlessCalls, call) {
					t.Errorf("the session made a call of %s, which may begin or end a transaction", call)
				}
			}
		})
	}
}

// harmlessCalls are all that a session of ours makes. With queries alone, none
// of them begins a transaction.
var harmlessCalls = []string{"connect", "native_services", "protocol", "data_types", "auth_phase_one", "auth_phase_two",
	"version", "ping", "execute", "fetch", "logoff"}
