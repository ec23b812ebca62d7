// The simulated database as go-ora sees it.
package simulator

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/sijms/go-ora/v2/network"

	"oranet_exporter/simulator/wallet"
)

// oracleCode returns the number of an ORA- error, 0 for any other.
func oracleCode(err error) int {
	var oracle *network.OracleError
	if errors.As(err, &oracle) {
		return oracle.ErrCode
	}
	return 0
}

func TestEveryTypeAndNullArrivesUnchanged(t *testing.T) {
	db := openPool(t, newClient(startServer(t, Options{})))
	tests := []struct {
		name, query string
		args        []any
		want        string
	}{
		{"text", "select 'X' from dual", nil, "X"},
		{"text with characters of several bytes", "select 'Grüße €' from dual", nil, "Grüße €"},
		{"integer", "select 42 from dual", nil, "42"},
		{"zero", "select 0 from dual", nil, "0"},
		{"negative fraction", "select -12.345 from dual", nil, "-12.345"},
		{"38 digits", "select 12345678901234567890123456789012345678 from dual", nil, "12345678901234567890123456789012345678"},
		{"null", "select null from dual", nil, "<nil>"},
		{"raw", "select hextoraw('DEADBEEF') from dual", nil, "[222 173 190 239]"},
		{"date", "select date '2024-02-29' from dual", nil, "2024-02-29 00:00:00 +0000 UTC"},
		{"text bind", "select :1 from dual", []any{"a'b\"c"}, "a'b\"c"},
		{"number bind", "select :1 + 1 from dual", []any{41}, "42"},
		{"fraction bind", "select :1 + 0 from dual", []any{-0.5}, "-0.5"},
		{"null bind", "select :1 from dual", []any{nil}, "<nil>"},
		{"raw bind", "select rawtohex(:1) from dual", []any{[]byte{0xca, 0xfe}}, "CAFE"},
		{"repeated bind", "select :a || '-' || :a from dual", []any{sql.Named("a", "x")}, "x-x"},
		{"text of 4,000 bytes", "select rpad('x', 4000, 'y') from dual", nil, "x" + strings.Repeat("y", 3999)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got any
			if err := db.QueryRow(test.query, test.args...).Scan(&got); err != nil {
				t.Fatal(err)
			}
			if s := fmt.Sprint(got); s != test.want {
				t.Errorf("%s: got %s, want %s", test.query, s, test.want)
			}
		})
	}
}

func TestDateBindComesBackAsItWas(t *testing.T) {
	db := openPool(t, newClient(startServer(t, Options{})))
	want := time.Date(2031, 12, 31, 23, 59, 58, 0, time.UTC)
	var got string
	if err := db.QueryRow("select to_char(cast(:1 as date), 'YYYY-MM-DD HH24:MI:SS') from dual", want).Scan(&got); err != nil {
		t.Fatal(err)
	}
	if got != want.Format(time.DateTime) {
		t.Errorf("got %s, want %s", got, want.Format(time.DateTime))
	}
}

// The round trips are those of MEASUREMENTS M3 with the close of the cursor: 1,002, 102 and 12.
func TestRoundTripsAreRowsByArraysizeAndOneEmptyFetchAndTheClose(t *testing.T) {
	const rows = 100_000
	for arraysize, want := range map[int]int64{100: 1002, 1000: 102, 10000: 12} {
		t.Run(fmt.Sprint(arraysize), func(t *testing.T) {
			server := startServer(t, Options{})
			c := newClient(server)
			c.arraysize = arraysize
			db := openPool(t, c)
			if err := db.Ping(); err != nil {
				t.Fatal(err)
			}
			before := server.Truth()
			result, err := db.Query("select level, rawtohex(standard_hash('s' || level, 'SHA512')) from dual connect by level <= :1", rows)
			if err != nil {
				t.Fatal(err)
			}
			n, payload := 0, map[string]bool{}
			for result.Next() {
				var id int
				var text string
				if err := result.Scan(&id, &text); err != nil {
					t.Fatal(err)
				}
				if n++; id != n || len(text) != 128 {
					t.Fatalf("row %d: level %d and %d bytes", n, id, len(text))
				}
				payload[text] = true
			}
			if err := errors.Join(result.Err(), result.Close()); err != nil {
				t.Fatal(err)
			}
			after := server.Truth()
			if n != rows || len(payload) != rows {
				t.Errorf("%d rows with %d different payloads, want %d of both", n, len(payload), rows)
			}
			if got := after.RoundTrips - before.RoundTrips; got != want {
				t.Errorf("%d round trips, want %d: %v", got, want, after.RoundTripsByCall)
			}
			if got := after.RowsSent - before.RowsSent; got != rows {
				t.Errorf("the server says it sent %d rows", got)
			}
		})
	}
}

func TestColumnsThatRepeatAreSentOnce(t *testing.T) {
	const rows = 1000
	server := startServer(t, Options{})
	c := newClient(server)
	c.arraysize = 100
	db := openPool(t, c)
	fetch := func(query string) (sent int64) {
		if err := db.Ping(); err != nil {
			t.Fatal(err)
		}
		before := server.Truth().BytesSent
		result, err := db.Query(query)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for result.Next() {
			var text string
			var id int
			if err := result.Scan(&text, &id); err != nil {
				t.Fatal(err)
			}
			if n++; id != n || len(text) != 200 {
				t.Fatalf("row %d: %d and a text of %d bytes", n, id, len(text))
			}
		}
		if err := errors.Join(result.Err(), result.Close()); err != nil || n != rows {
			t.Fatalf("%d rows, %v", n, err)
		}
		return server.Truth().BytesSent - before
	}
	repeated := fetch("select rpad('x', 200, 'y'), level from dual connect by level <= 1000")
	different := fetch("select rpad(to_char(level), 200, 'y'), level from dual connect by level <= 1000")
	if repeated*10 > different {
		t.Errorf("%d rows took %d bytes with one text and %d with different ones", rows, repeated, different)
	}
}

// The grants are those of MEASUREMENTS M1.
func TestSDUIsClampedToTheServersLimit(t *testing.T) {
	tests := []struct{ asked, granted, biggest uint32 }{
		{2048, 2048, 1967}, {8192, 8192, 8111}, {65536, 32768, 32687}, {2097152, 32768, 32687},
	}
	for _, test := range tests {
		t.Run(fmt.Sprint(test.asked), func(t *testing.T) {
			server := startServer(t, Options{})
			c := newClient(server)
			c.sdu, c.arraysize = test.asked, 10000
			db := openPool(t, c)
			result, err := db.Query("select rawtohex(standard_hash('s' || level, 'SHA512')) from dual connect by level <= 1000")
			if err != nil {
				t.Fatal(err)
			}
			for result.Next() {
			}
			if err := errors.Join(result.Err(), result.Close()); err != nil {
				t.Fatal(err)
			}
			got := server.Truth().Connections[0]
			if got.RequestedSDU != test.asked || got.GrantedSDU != test.granted || got.BiggestPacketSent != int64(test.biggest) {
				t.Errorf("asked %d, granted %d, biggest packet %d; want %v", got.RequestedSDU, got.GrantedSDU, got.BiggestPacketSent, test)
			}
		})
	}
}

func TestEveryProtocolVersionWorks(t *testing.T) {
	for version := uint16(312); version <= 319; version++ {
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			server := startServer(t, Options{Version: version, Resend: version%2 == 0})
			db := openPool(t, newClient(server))
			result, err := db.Query("select rpad('x', 200, 'y'), level from dual connect by level <= 2000")
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for result.Next() {
				n++
			}
			if err := errors.Join(result.Err(), result.Close()); err != nil || n != 2000 {
				t.Errorf("%d rows, %v", n, err)
			}
			if got, want := server.Truth().Connections[0].Version, min(version, 317); got != want {
				t.Errorf("version %d, want %d", got, want)
			}
		})
	}
}

func TestAnyPasswordLogsOnAndAnyOtherDoesNot(t *testing.T) {
	for _, password := range []string{"probe", "Grüße", `a"b'c`, "p@ss/w:rd#%", "  spaces  ", "日本語", strings.Repeat("long", 64), "x"} {
		t.Run(password, func(t *testing.T) {
			server := startServer(t, Options{Password: password})
			right, wrong := newClient(server), newClient(server)
			right.password, wrong.password = password, password+"x"
			if err := openPool(t, right).Ping(); err != nil {
				t.Errorf("the right password: %v", err)
			}
			if err := openPool(t, wrong).Ping(); oracleCode(err) != 1017 {
				t.Errorf("a wrong password: %v, want ORA-01017", err)
			}
			if truth := server.Truth(); truth.SessionsTotal != 1 || truth.LogonFailures != 1 {
				t.Errorf("%d sessions and %d failures, want 1 and 1", truth.SessionsTotal, truth.LogonFailures)
			}
		})
	}
}

func TestUnknownUserIsDeniedAsAWrongPasswordIs(t *testing.T) {
	c := newClient(startServer(t, Options{}))
	c.user = "nobody"
	if err := openPool(t, c).Ping(); oracleCode(err) != 1017 {
		t.Errorf("got %v, want ORA-01017", err)
	}
}

func TestUnknownServiceIsRefused(t *testing.T) {
	server := startServer(t, Options{Services: []string{"orders", "orders_low"}})
	for service, want := range map[string]int{"ORDERS": 0, "orders_low": 0, "orders_high": 12514} {
		c := newClient(server)
		c.service = service
		if err := openPool(t, c).Ping(); oracleCode(err) != want {
			t.Errorf("service %s: %v, want ORA-%05d", service, err, want)
		}
	}
	if got := server.Truth().Refused; got != 1 {
		t.Errorf("%d refused, want 1", got)
	}
}

func TestASessionSurvivesErrors(t *testing.T) {
	server := startServer(t, Options{})
	db := openPool(t, newClient(server))
	for range 3 {
		if _, err := db.Query("select 1 from no_such_table"); oracleCode(err) != 942 {
			t.Fatalf("got %v, want ORA-00942", err)
		}
		var x string
		if err := db.QueryRow("select 'X' from dual").Scan(&x); err != nil || x != "X" {
			t.Fatalf("after an error: %q, %v", x, err)
		}
	}
	if got := server.Truth().ConnectionsTotal; got != 1 {
		t.Errorf("%d connections, want 1: the session must have survived", got)
	}
}

func TestServerTimePassesAndTheSessionGoesOn(t *testing.T) {
	const serverTime = 20 * time.Millisecond
	w, err := wallet.Generate(t.TempDir(), wallet.Options{Hosts: []string{"127.0.0.1"}, Password: "wallet-password", Key: wallet.ECP256})
	if err != nil {
		t.Fatal(err)
	}
	server := startServer(t, Options{
		ListenAddress: "127.0.0.1:0", TLSListenAddress: "127.0.0.1:0", TLSConfig: w.Server,
		ServerTime: func(string) time.Duration { return serverTime },
	})
	plain, secure := newClient(server), newClient(server)
	secure.address, secure.tls = server.TLSAddr(), w.Client
	for name, c := range map[string]client{"plain": plain, "TLS": secure} {
		t.Run(name, func(t *testing.T) {
			db := openPool(t, c)
			if err := db.Ping(); err != nil {
				t.Fatal(err)
			}
			for range 3 {
				var x string
				started := time.Now()
				if err := db.QueryRow("select 'X' from dual").Scan(&x); err != nil || x != "X" {
					t.Fatalf("%q, %v", x, err)
				}
				if elapsed := time.Since(started); elapsed < serverTime {
					t.Errorf("a statement of %v took %v", serverTime, elapsed)
				}
			}
		})
	}
}

func TestTransactionsAreAnswered(t *testing.T) {
	server := startServer(t, Options{})
	db := openPool(t, newClient(server))
	for _, end := range []func(*sql.Tx) error{(*sql.Tx).Commit, (*sql.Tx).Rollback} {
		tx, err := db.Begin()
		if err != nil {
			t.Fatal(err)
		}
		if err := end(tx); err != nil {
			t.Error(err)
		}
	}
	if calls := server.Truth().RoundTripsByCall; calls["commit"] != 1 || calls["rollback"] != 1 {
		t.Errorf("%v, want a commit and a rollback", calls)
	}
}

// A prepared statement that runs ten times is executed once, re-executed nine times and closed once.
func TestAPreparedStatementIsReexecuted(t *testing.T) {
	server := startServer(t, Options{})
	db := openPool(t, newClient(server))
	stmt, err := db.Prepare("select :1 from dual")
	if err != nil {
		t.Fatal(err)
	}
	before := server.Truth()
	for i := range 10 {
		var got int
		if err := stmt.QueryRow(i).Scan(&got); err != nil || got != i {
			t.Fatalf("run %d: %d, %v", i, got, err)
		}
	}
	if err := stmt.Close(); err != nil {
		t.Fatal(err)
	}
	after := server.Truth()
	for call, want := range map[string]int64{"execute": 1, "reexecute_and_fetch": 9} {
		if got := after.RoundTripsByCall[call] - before.RoundTripsByCall[call]; got != want {
			t.Errorf("%d times %s, want %d", got, call, want)
		}
	}
	if got := after.Piggybacks["close_cursors"] - before.Piggybacks["close_cursors"]; got != 1 {
		t.Errorf("%d cursors closed, want 1", got)
	}
}

// The log-on takes 9 round trips here: 8 and the query for the time zone, which go-ora sends when no location is configured.
func TestALogonRunsNoNLSBlock(t *testing.T) {
	server := startServer(t, Options{})
	if err := openPool(t, newClient(server)).Ping(); err != nil {
		t.Fatal(err)
	}
	want := map[string]int64{
		"connect": 1, "native_services": 1, "protocol": 1, "data_types": 1, "auth_phase_one": 1, "auth_phase_two": 1, "version": 1,
		"execute": 1, "ping": 1,
	}
	if got := server.Truth().RoundTripsByCall; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestTruthAndTheClientsSocketAgreeToTheByte(t *testing.T) {
	server := startServer(t, Options{})
	var socket *countingSocket
	c := newClient(server)
	c.arraysize = 100
	c.dial = func(conn net.Conn) net.Conn {
		socket = &countingSocket{Conn: conn}
		return socket
	}
	db := openPool(t, c)
	result, err := db.Query("select level from dual connect by level <= 1000")
	if err != nil {
		t.Fatal(err)
	}
	for result.Next() {
	}
	if err := errors.Join(result.Err(), result.Close(), db.Close()); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the session to end", func() bool { return server.Truth().ConnectionsOpen == 0 })
	truth := server.Truth()
	if truth.BytesSent != socket.received.Load() || truth.BytesReceived != socket.sent.Load() {
		t.Errorf("truth: %d sent, %d received; socket: %d received, %d sent", truth.BytesSent, truth.BytesReceived,
			socket.received.Load(), socket.sent.Load())
	}
	if truth.NetBytesSent != truth.BytesSent || truth.NetBytesReceived != truth.BytesReceived {
		t.Errorf("Oracle Net's bytes differ from the socket's without TLS: %+v", truth.Work)
	}
	if truth.RoundTrips != socket.roundTrips.Load() {
		t.Errorf("truth: %d round trips, socket: %d", truth.RoundTrips, socket.roundTrips.Load())
	}
	if ended := truth.Connections[0].Ended; ended != "logoff" {
		t.Errorf("the session ended by %q, want logoff", ended)
	}
}

func TestMutualTLSNeedsTheClientsCertificate(t *testing.T) {
	w, err := wallet.Generate(t.TempDir(), wallet.Options{Hosts: []string{"127.0.0.1"}, Password: "wallet-password", Key: wallet.ECP256})
	if err != nil {
		t.Fatal(err)
	}
	server := startServer(t, Options{TLSListenAddress: "127.0.0.1:0", TLSConfig: w.Server})
	if server.Addr() != "" {
		t.Errorf("a server without a plain listener has the address %s", server.Addr())
	}
	with := newClient(server)
	with.address, with.tls = server.TLSAddr(), w.Client
	var x string
	if err := openPool(t, with).QueryRow("select 'X' from dual").Scan(&x); err != nil || x != "X" {
		t.Errorf("with a certificate: %q, %v", x, err)
	}
	without := with
	without.tls = w.Client.Clone()
	without.tls.Certificates = nil
	if err := openPool(t, without).Ping(); err == nil {
		t.Error("without a certificate the client logged on")
	}
	eventually(t, "the refused connection to end", func() bool { return server.Truth().ConnectionsOpen <= 1 })
	if ended := server.Truth().Connections[1].Ended; !strings.HasPrefix(ended, "TLS handshake failed") {
		t.Errorf("the connection without a certificate ended by %q", ended)
	}
}

// V$MYSTAT counts the call that asks for it as received, and not yet as answered.
func TestStatisticsOfTheSessionAreReallyCounted(t *testing.T) {
	server := startServer(t, Options{})
	db := openPool(t, newClient(server))
	statistics := func() map[string]int64 {
		result, err := db.Query("select n.name, s.value from v$mystat s, v$statname n where s.statistic# = n.statistic# and n.name in " +
			"('SQL*Net roundtrips to/from client', 'bytes sent via SQL*Net to client', 'bytes received via SQL*Net from client')")
		if err != nil {
			t.Fatal(err)
		}
		defer result.Close()
		values := map[string]int64{}
		for result.Next() {
			var name string
			var value int64
			if err := result.Scan(&name, &value); err != nil {
				t.Fatal(err)
			}
			values[name] = value
		}
		if len(values) != 3 || result.Err() != nil {
			t.Fatalf("%v, %v", values, result.Err())
		}
		return values
	}
	before := statistics()
	for range 10 {
		if err := db.Ping(); err != nil {
			t.Fatal(err)
		}
	}
	after := statistics()
	// Ten pings, the answer to the first query, and the close of its cursor.
	if got := after["SQL*Net roundtrips to/from client"] - before["SQL*Net roundtrips to/from client"]; got != 12 {
		t.Errorf("%d round trips, want 12", got)
	}
	for _, name := range []string{"bytes sent via SQL*Net to client", "bytes received via SQL*Net from client"} {
		if after[name] <= before[name] {
			t.Errorf("%s did not grow: %d, then %d", name, before[name], after[name])
		}
	}
}

func TestHundredsOfSessionsAtOnce(t *testing.T) {
	const sessions = 200
	server := startServer(t, Options{})
	db := sql.OpenDB(newClient(server))
	db.SetMaxOpenConns(sessions)
	var conns []*sql.Conn
	for range sessions {
		conn, err := db.Conn(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		conns = append(conns, conn)
	}
	if got := server.Truth().SessionsOpen; got != sessions {
		t.Errorf("%d sessions open, want %d", got, sessions)
	}
	for _, conn := range conns {
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	eventually(t, "every session to end", func() bool { return server.Truth().ConnectionsOpen == 0 })
}

// ELAPSED_TIME of V$SQL is what all executions took; V$SESSION names the statement before.
func TestTheSessionIsToldWhatItsPreviousStatementCost(t *testing.T) {
	const each = 3 * time.Millisecond
	server := startServer(t, Options{ServerTime: func(text string) time.Duration {
		if strings.Contains(text, "costly") {
			return each
		}
		return 0
	}})
	db := openPool(t, newClient(server))
	for executions := 1; executions <= 2; executions++ {
		var nothing, id string
		if err := db.QueryRow("select 'x' costly from dual").Scan(&nothing); err != nil {
			t.Fatal(err)
		}
		if err := db.QueryRow("select prev_sql_id from v$session").Scan(&id); err != nil {
			t.Fatal(err)
		}
		var count, elapsed int64
		if err := db.QueryRow("select executions, elapsed_time from v$sql where sql_id = :1", id).Scan(&count, &elapsed); err != nil {
			t.Fatal(err)
		}
		if least := int64(executions) * each.Microseconds(); count != int64(executions) || elapsed < least {
			t.Errorf("%d executions in %d µs, want %d in at least %d", count, elapsed, executions, least)
		}
	}
}

func TestWithheldViewsDoNotExistForTheUser(t *testing.T) {
	server := startServer(t, Options{Withheld: []string{"V_$MYSTAT"}})
	db := openPool(t, newClient(server))
	var n int
	if err := db.QueryRow("select count(*) from v$session").Scan(&n); err != nil || n != 1 {
		t.Errorf("V$SESSION has %d rows: %v", n, err)
	}
	if err := db.QueryRow("select count(*) from v$mystat").Scan(&n); oracleCode(err) != 942 {
		t.Errorf("V$MYSTAT: %v, want ORA-00942", err)
	}
	if err := db.QueryRow("select count(*) from dual").Scan(&n); err != nil {
		t.Errorf("the session did not survive the refusal: %v", err)
	}
}

func TestStatementsAgeOut(t *testing.T) {
	var e executed
	for i := range 3 * keptStatements {
		e.execute(fmt.Sprint(i))
		e.execute("again")
	}
	list := e.list()
	if last := list[len(list)-1]; len(list) != keptStatements || last.Text != "again" || last.Executions != 3*keptStatements {
		t.Errorf("%d statements, the last one executed is %+v", len(list), last)
	}
}
