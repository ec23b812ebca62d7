package link

import (
	"context"
	"errors"
	"net"
	"slices"
	"testing"
	"time"

	"oranet_exporter/simulator"
)

// doorman is a guard that writes down what it is told.
type doorman struct {
	refuse    error
	passwords []string
	answers   []Answer
}

func (d *doorman) Enter(_ context.Context, password string) (func(Answer), error) {
	d.passwords = append(d.passwords, password)
	if d.refuse != nil {
		return nil, d.refuse
	}
	return func(a Answer) { d.answers = append(d.answers, a) }, nil
}

// silenced loses what carries one of the calls, and so gets no answer to it.
type silenced struct {
	net.Conn
	call byte
}

func (s silenced) Write(p []byte) (int, error) {
	const message, function = 10, 11 // behind the header of a DATA packet
	if len(p) > function && p[message] == 3 && p[function] == s.call {
		return len(p), nil
	}
	return s.Conn.Write(p)
}

func TestTheGuardIsToldWhatBecameOfEachPassword(t *testing.T) {
	server, err := simulator.Start(simulator.Options{ListenAddress: "127.0.0.1:0", Password: "right"})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	losing := func(call byte) DialFunc {
		return func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := new(net.Dialer).DialContext(ctx, network, address)
			return silenced{conn, call}, err
		}
	}
	for _, c := range []struct {
		name, service, password string
		dial                    DialFunc
		asked                   bool
		want                    Answer
	}{
		{"accepted", "FREEPDB1", "right", nil, true, Accepted},
		{"denied", "FREEPDB1", "wrong", nil, true, Denied},
		{"never came to a logon", "OTHER", "right", nil, false, Unjudged},
		{"no answer before the password went out", "FREEPDB1", "right", losing(callAuthPhaseOne), true, Unjudged},
		{"no answer to the password", "FREEPDB1", "right", losing(callAuthPhaseTwo), true, NoAnswer},
		{"no answer after the logon", "FREEPDB1", "right", losing(callVersion), true, Accepted},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("GUARDED", c.password)
			l, err := New(Config{DSN: server.Addr() + "/" + c.service, User: "PROBE", Password: Secret{Env: "GUARDED"}, Dial: c.dial})
			if err != nil {
				t.Fatal(err)
			}
			timeout := 10 * time.Second
			if c.dial != nil {
				timeout = time.Second
			}
			ctx, cancel := context.WithTimeout(t.Context(), timeout)
			defer cancel()
			d := new(doorman)
			if s, _, err := l.Guarded(d).Open(ctx, DriverChooses); err == nil {
				_ = s.Close(ctx)
			}
			var passwords []string
			var answers []Answer
			if c.asked {
				passwords, answers = []string{c.password}, []Answer{c.want}
			}
			if !slices.Equal(d.passwords, passwords) || !slices.Equal(d.answers, answers) {
				t.Errorf("the guard saw %q and heard %v, want %q and %v", d.passwords, d.answers, passwords, answers)
			}
		})
	}
}

func TestAPasswordThatTheGuardStopsIsNotSent(t *testing.T) {
	server, err := simulator.Start(simulator.Options{ListenAddress: "127.0.0.1:0", Password: "right"})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	t.Setenv("GUARDED", "wrong")
	l, err := New(Config{DSN: server.Addr() + "/FREEPDB1", User: "PROBE", Password: Secret{Env: "GUARDED"}})
	if err != nil {
		t.Fatal(err)
	}
	stop := &Failure{Phase: PhaseAuth, Reason: ReasonAuthFailed, Err: errors.New("not tried")}
	_, attempt, err := l.Guarded(&doorman{refuse: stop}).Open(t.Context(), DriverChooses)
	if !errors.Is(err, stop) || attempt.Err != err {
		t.Errorf("got %v, want the guard's own failure", err)
	}
	if truth := server.Truth(); truth.LogonFailures != 0 {
		t.Error("the password was sent")
	}
}
