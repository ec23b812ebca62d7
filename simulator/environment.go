// What a statement sees of its session: statistics that are really counted, and who is logged on.
package simulator

import (
	"slices"
	"time"

	"oranet_exporter/simulator/sql"
)

// Statistic returns a statistic of V$MYSTAT from the session's own counters.
func (s *session) Statistic(name string) (float64, bool) {
	switch name {
	case "SQL*Net roundtrips to/from client":
		return float64(s.meter.roundTrips.Load()), true
	case "bytes sent via SQL*Net to client":
		return float64(s.meter.traffic.BytesSent.Load()), true
	case "bytes received via SQL*Net from client":
		return float64(s.meter.traffic.BytesReceived.Load()), true
	}
	return 0, false
}

// SessionID is the SID of V$SESSION.
func (s *session) SessionID() int { return s.id }

// PreviousSQL is the SQL_ID of the statement executed before.
func (s *session) PreviousSQL() string { return s.executed.previous }

// SQL are the statements that the session has executed.
func (s *session) SQL() []sql.ExecutedSQL { return s.executed.list() }

// Granted tells whether the user may read a view.
func (s *session) Granted(view string) bool { return !slices.Contains(s.server.options.Withheld, view) }

// PasswordExpiry is told by the options.
func (s *session) PasswordExpiry() time.Time { return s.server.options.PasswordExpiry }

// User is the user who is logged on.
func (s *session) User() string { return s.user }

// scnPerSecond makes the system change number grow as on a database that is not idle.
const (
	scnBase      = 3_865_000_000
	scnPerSecond = 3
)

// scn is the current system change number.
func (s *Server) scn() uint64 {
	return scnBase + uint64(time.Since(s.started).Seconds()*scnPerSecond)
}
