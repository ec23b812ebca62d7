package link

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestSessionsAreOpenedUpToTheirLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewSessions(2)
		for range 2 {
			if err := s.take(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		var failure *Failure
		if err := s.take(ctx); !errors.As(err, &failure) || failure.Reason != ReasonLimit || !strings.Contains(err.Error(), "max_sessions") {
			t.Errorf("the third: %v, want the reason limit and the key's name", err)
		}
		taken := make(chan error)
		go func() { taken <- s.take(t.Context()) }()
		synctest.Wait()
		s.give()
		if err := <-taken; err != nil {
			t.Errorf("one that waited for another's end: %v", err)
		}
		if n := s.Open(); n != 2 {
			t.Errorf("%d are open, want 2", n)
		}
	})
}

func TestSessionsThatFailToOpenGiveTheirPlaceBack(t *testing.T) {
	t.Setenv("SECRET", "tiger")
	l, err := New(Config{DSN: "127.0.0.1:1/service", User: "PROBE", Password: Secret{Env: "SECRET"}})
	if err != nil {
		t.Fatal(err)
	}
	s := NewSessions(1)
	for range 3 {
		if _, _, err := l.Limited(s).Open(t.Context(), DriverChooses); err == nil || strings.Contains(err.Error(), "max_sessions") {
			t.Errorf("got %v, want that nothing listens", err)
		}
	}
	if n := s.Open(); n != 0 {
		t.Errorf("%d sessions are open, want none", n)
	}
}
