// What the server counts of a session, to hold our own figures against: for
// users who were granted the views. CREATE SESSION alone has none of them.

package link

import (
	"context"
	"database/sql/driver"
	"fmt"
	"strconv"
	"time"
)

// Capability is a set of V$ views that a user may have been granted.
type Capability string

// The capabilities.
const (
	VMyStat Capability = "v_mystat" // V$MYSTAT and V$STATNAME: what the session sent and how often
	VSQL    Capability = "v_sql"    // V$SESSION and V$SQL: how long a statement kept the server busy
)

// Capabilities lists every capability.
var Capabilities = []Capability{VMyStat, VSQL}

var viewsOf = map[Capability][]string{
	VMyStat: {"V_$MYSTAT", "V_$STATNAME"},
	VSQL:    {"V_$SESSION", "V_$SQL"},
}

// Granted asks which capabilities the session's user has. ALL_OBJECTS lists a
// view only to those who may read it, so that no statement has to fail to find
// out: a failing one would break the session, stand in the audit trail, and
// count against the database's own defences. The error is a *Failure.
func (s *Session) Granted(ctx context.Context) (map[Capability]bool, error) {
	const query = "select object_name from all_objects where owner = 'SYS' and object_type = 'VIEW'" +
		" and object_name in ('V_$MYSTAT', 'V_$STATNAME', 'V_$SESSION', 'V_$SQL')"
	readable := make(map[string]bool)
	_, err := s.Fetch(ctx, query, nil, func(row []driver.Value) { readable[fmt.Sprint(row[0])] = true })
	if err != nil {
		return nil, err
	}
	granted := make(map[Capability]bool)
	for capability, views := range viewsOf {
		granted[capability] = readable[views[0]] && readable[views[1]]
	}
	return granted, nil
}

// ServerCounts is what the server has counted of the session since its logon.
type ServerCounts struct {
	RoundTrips int64 // "SQL*Net roundtrips to/from client"
	Sent       int64 // "bytes sent via SQL*Net to client"
}

// Sub returns what was counted between earlier and c.
func (c ServerCounts) Sub(earlier ServerCounts) ServerCounts {
	return ServerCounts{c.RoundTrips - earlier.RoundTrips, c.Sent - earlier.Sent}
}

// ServerCounts reads V$MYSTAT. The reading counts itself: a part before it was
// taken, the rest after. It needs VMyStat; the error is a *Failure.
func (s *Session) ServerCounts(ctx context.Context) (ServerCounts, error) {
	const query = "select n.name, m.value from v$mystat m join v$statname n on n.statistic# = m.statistic#" +
		" where n.name in ('SQL*Net roundtrips to/from client', 'bytes sent via SQL*Net to client')"
	var counts ServerCounts
	_, err := s.Fetch(ctx, query, nil, func(row []driver.Value) {
		if row[0] == "bytes sent via SQL*Net to client" {
			counts.Sent = integer(row[1])
		} else {
			counts.RoundTrips = integer(row[1])
		}
	})
	return counts, err
}

// PreviousSQL returns the SQL_ID of the statement that the session executed
// last, empty if the server does not know. It needs VSQL; the error is a
// *Failure.
func (s *Session) PreviousSQL(ctx context.Context) (id string, err error) {
	const query = "select prev_sql_id from v$session where sid = sys_context('USERENV', 'SID')"
	_, err = s.Fetch(ctx, query, nil, func(row []driver.Value) {
		id, _ = row[0].(string)
	})
	return id, err
}

// SQLCost is what a statement has cost the server since it was parsed, in all
// sessions.
type SQLCost struct {
	Executions int64
	Elapsed    time.Duration // in calls: parse, execute and fetch, blocked sends included
}

// Sub returns what a statement cost between earlier and c.
func (c SQLCost) Sub(earlier SQLCost) SQLCost {
	return SQLCost{c.Executions - earlier.Executions, c.Elapsed - earlier.Elapsed}
}

// SQLCost reads V$SQL, all child cursors of one SQL_ID together. It needs VSQL;
// the error is a *Failure.
func (s *Session) SQLCost(ctx context.Context, id string) (SQLCost, error) {
	const query = "select executions, elapsed_time from v$sql where sql_id = :1"
	var cost SQLCost
	_, err := s.Fetch(ctx, query, []any{id}, func(row []driver.Value) {
		cost.Executions += integer(row[0])
		cost.Elapsed += time.Duration(integer(row[1])) * time.Microsecond
	})
	return cost, err
}

// integer reads a NUMBER as the driver returns it; NULL is 0.
func integer(v driver.Value) int64 {
	n, _ := strconv.ParseInt(fmt.Sprint(v), 10, 64)
	return n
}
