package sql

// This file holds the views of the dictionary by which a session reads about itself: V$MYSTAT, V$STATNAME, V$SESSION and V$SQL,
// which need grants, and those that everyone may read: ALL_OBJECTS for what was granted, USER_USERS for the account. A session sees
// itself alone.

import (
	"strings"
	"time"
)

// The names that the simulated database goes by.
const (
	instanceName = "orasim1"
	serviceName  = "orasim"
	databaseName = "ORASIM"
	programName  = "client"
)

const (
	sessionSerial = 1
	childNumber   = 0
	sqlTextSize   = 1000 // of V$SQL.SQL_TEXT, bytes
)

// The SYS views that grants name.
const (
	grantMyStat   = "V_$MYSTAT"
	grantStatName = "V_$STATNAME"
	grantSession  = "V_$SESSION"
	grantSQL      = "V_$SQL"
	grantObjects  = "ALL_OBJECTS" // to PUBLIC, on every database that has not been hardened
)

// Grants are the views that a user may lack, by the names that grants have.
func Grants() []string {
	return []string{grantMyStat, grantStatName, grantSession, grantSQL, grantObjects}
}

// allObjects lists what the user may read.
var allObjects = &table{
	grantedAs: grantObjects,
	columns:   []Column{textColumn("OWNER", 128), textColumn("OBJECT_NAME", 128), textColumn("OBJECT_TYPE", 23)},
	rows: func(env Environment, _ bounds) iterator {
		rows := []values{{"SYS", "DUAL", "TABLE"}}
		for _, view := range []string{grantMyStat, grantStatName, grantSession, grantSQL} {
			if env.Granted(view) {
				rows = append(rows, values{"SYS", view, "VIEW"})
			}
		}
		return scanOf(rows...)
	},
}

// userUsers has one row, the user's own account.
var userUsers = &table{
	columns: []Column{textColumn("USERNAME", 128), textColumn("ACCOUNT_STATUS", 32), {Name: "EXPIRY_DATE", Type: Date, Size: dateSize, Nullable: true}},
	rows: func(env Environment, _ bounds) iterator {
		var expiry Value
		if at := env.PasswordExpiry(); !at.IsZero() {
			expiry = at.UTC().Truncate(time.Second)
		}
		return scanOf(values{env.User(), "OPEN", expiry})
	},
}

// statistic is a row of V$STATNAME. Its number differs from one database release to the next; only the name means anything.
type statistic struct {
	number int
	class  int // 1 user, 64 SQL
	name   string
}

var statistics = []statistic{
	{5, 1, "logons cumulative"},
	{6, 1, "logons current"},
	{9, 1, "user commits"},
	{10, 1, "user rollbacks"},
	{11, 1, "user calls"},
	{19, 1, "CPU used by this session"},
	{25, 1, "DB time"},
	{1003, 64, "opened cursors cumulative"},
	{1004, 64, "opened cursors current"},
	{1010, 64, "parse count (total)"},
	{1011, 64, "parse count (hard)"},
	{1014, 64, "execute count"},
	{1020, 1, "bytes sent via SQL*Net to client"},
	{1021, 1, "bytes received via SQL*Net from client"},
	{1022, 1, "SQL*Net roundtrips to/from client"},
}

var statName = &table{
	grantedAs: grantStatName,
	columns:   []Column{numberColumn("STATISTIC#"), textColumn("NAME", 64), numberColumn("CLASS"), numberColumn("CON_ID")},
	rows: func(Environment, bounds) iterator {
		rows := make([]values, len(statistics))
		for i, s := range statistics {
			rows[i] = values{decimalOf(s.number), s.name, decimalOf(s.class), Decimal("0")}
		}
		return scanOf(rows...)
	},
}

// myStat has a row for each statistic, 0 for one that the session does not count.
var myStat = &table{
	grantedAs: grantMyStat,
	columns:   []Column{numberColumn("SID"), numberColumn("STATISTIC#"), numberColumn("VALUE"), numberColumn("CON_ID")},
	rows: func(env Environment, _ bounds) iterator {
		rows := make([]values, len(statistics))
		for i, s := range statistics {
			value, _ := env.Statistic(s.name)
			rows[i] = values{decimalOf(env.SessionID()), decimalOf(s.number), decimalOf(int(value)), Decimal("0")}
		}
		return scanOf(rows...)
	},
}

var session = &table{
	grantedAs: grantSession,
	columns: []Column{
		numberColumn("SID"), numberColumn("SERIAL#"), numberColumn("AUDSID"), textColumn("USERNAME", 128), textColumn("STATUS", 8),
		textColumn("SERVER", 9), textColumn("PROGRAM", 48), textColumn("MODULE", 64), textColumn("SERVICE_NAME", 64),
		textColumn("SQL_ID", 13), numberColumn("SQL_CHILD_NUMBER"), textColumn("PREV_SQL_ID", 13), numberColumn("PREV_CHILD_NUMBER"),
	},
	rows: func(env Environment, _ bounds) iterator {
		sid := decimalOf(env.SessionID())
		return scanOf(values{
			sid, decimalOf(sessionSerial), sid, env.User(), "ACTIVE",
			"DEDICATED", programName, programName, serviceName,
			nil, nil, textValue(env.PreviousSQL()), decimalOf(childNumber),
		})
	},
}

// sqlArea is V$SQL with the session's own statements, up to the one before this.
var sqlArea = &table{
	grantedAs: grantSQL,
	columns: []Column{
		textColumn("SQL_ID", 13), numberColumn("CHILD_NUMBER"), textColumn("SQL_TEXT", 1000), textColumn("PARSING_SCHEMA_NAME", 128),
		textColumn("MODULE", 64), numberColumn("EXECUTIONS"), numberColumn("ELAPSED_TIME"), numberColumn("CPU_TIME"),
	},
	rows: func(env Environment, _ bounds) iterator {
		var rows []values
		for _, q := range env.SQL() {
			elapsed := decimalOf(int(q.Elapsed.Microseconds()))
			text := strings.ToValidUTF8(q.Text[:min(len(q.Text), sqlTextSize)], "")
			rows = append(rows, values{
				q.ID, decimalOf(childNumber), text, env.User(), programName, decimalOf(q.Executions), elapsed, elapsed,
			})
		}
		return scanOf(rows...)
	},
}
