package simulator

import (
	"context"
	"database/sql"
	"net"
	"strings"
	"testing"
	"time"
)

func TestFaultsAreWrittenAsTheyAreRead(t *testing.T) {
	for _, text := range []string{"accept:silence", "tls:garbage", "secured:close", "connect:refuse=(ERR=12514)", "connect:resend=0",
		"connect:resend_tls=2", "connect:redirect=(ADDRESS=(HOST=a=b:c))", "connect:redirect_behind=(ADDRESS=)", "connect:accept=314",
		"auth_two:warning=28002", "fetch:error=3113", "ping:answer=0000000b", "ping:length=4294967295", "logoff:reset"} {
		f, err := ParseFault(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if f.String() != text {
			t.Errorf("%s was read as %s", text, f)
		}
	}
}

func TestFaultsThatCannotBePlayedAreRefused(t *testing.T) {
	for text, says := range map[string]string{
		"":                      "no action",
		"ping":                  "no action",
		"ping:explode":          "silence",
		"pong:silence":          "no step",
		"ping:silence=1":        "no value",
		"ping:error=x":          "number",
		"ping:length=-1":        "number",
		"ping:length":           "number",
		"ping:answer=xyz":       "hex",
		"ping:refuse=a":         "at connect",
		"connect:warning=28002": "at auth_two",
		"tls:marker":            "cannot be played",
	} {
		if f, err := ParseFault(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q was read as %s, error %v; want one with %q", text, f, err, says)
		}
	}
	if err := new(Server).SetFault(Fault{At: StepPing}); err == nil {
		t.Error("a fault without an action was set")
	}
}

func TestAFaultIsPlayedFromWhenItIsSetUntilItIsCleared(t *testing.T) {
	server := startServer(t, Options{})
	db := openPool(t, newClient(server))
	if err := db.Ping(); err != nil {
		t.Fatal(err)
	}
	set(t, server, "ping:close")
	held, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if held.PingContext(context.Background()) == nil {
		t.Error("a ping was answered after the fault was set")
	}
	_ = held.Close() // its session is gone
	server.ClearFault()
	if err := db.Ping(); err != nil {
		t.Errorf("after the fault was cleared: %v", err)
	}
}

func TestSessionsAreCountedByHowTheyEnded(t *testing.T) {
	server := startServer(t, Options{})
	var socket net.Conn
	open := func() *sql.DB {
		db := sql.OpenDB(newClient(server))
		if err := db.Ping(); err != nil {
			t.Fatal(err)
		}
		return db
	}
	if err := open().Close(); err != nil { // logged off
		t.Fatal(err)
	}
	killed := open()
	set(t, server, "ping:reset")
	_ = killed.Ping()
	_ = killed.Close()
	server.ClearFault()
	dropped := newClient(server)
	dropped.dial = func(c net.Conn) net.Conn { socket = c; return c }
	drop := sql.OpenDB(dropped)
	if err := drop.Ping(); err != nil {
		t.Fatal(err)
	}
	_ = socket.Close()
	defer func() { _ = drop.Close() }()
	kept := open()
	eventually(t, "three sessions to end", func() bool { return server.Truth().SessionsOpen == 1 })
	truth := server.Truth()
	if truth.SessionsLoggedOff < 1 || truth.SessionsKilled < 1 || truth.SessionsDropped != 1 ||
		truth.SessionsTotal != truth.SessionsLoggedOff+truth.SessionsKilled+truth.SessionsDropped+int64(truth.SessionsOpen) {
		t.Errorf("of %d sessions %d were logged off, %d killed, %d dropped, and %d are open",
			truth.SessionsTotal, truth.SessionsLoggedOff, truth.SessionsKilled, truth.SessionsDropped, truth.SessionsOpen)
	}
	_ = server.Close()
	_ = kept.Close()
	if after := server.Truth(); after.SessionsKilled != truth.SessionsKilled+1 {
		t.Error("the session that the database ended itself is not counted as killed")
	}
}

func TestALogonSucceedsWithAWarning(t *testing.T) {
	server := startServer(t, Options{})
	set(t, server, "auth_two:warning=28002")
	if err := openPool(t, newClient(server)).Ping(); err != nil {
		t.Errorf("a log-on with ORA-28002: %v", err)
	}
}

func TestATrickleIsTheRightAnswerSlowly(t *testing.T) {
	server := startServer(t, Options{})
	db := openPool(t, newClient(server))
	if err := db.Ping(); err != nil {
		t.Fatal(err)
	}
	set(t, server, "ping:trickle")
	start := time.Now()
	if err := db.Ping(); err != nil {
		t.Error(err)
	}
	if took := time.Since(start); took < 10*trickleEvery {
		t.Errorf("a status of more than ten bytes came in %s", took)
	}
}

// set makes the server misbehave.
func set(t *testing.T, server *Server, text string) {
	t.Helper()
	f, err := ParseFault(text)
	if err == nil {
		err = server.SetFault(f)
	}
	if err != nil {
		t.Fatal(err)
	}
}
