package emulink

import (
	"context"
	"errors"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"
)

func TestLinkInMemoryTakesWhatItWasToldAndNothingElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const rtt, each = 10 * time.Millisecond, time.Millisecond // of a thousand bytes
		l := NewInMemory(Path{RTT: rtt, BitsPerSecond: 8 * megabit})
		ln, err := l.Listen("tcp", "memory")
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			s, err := ln.Accept()
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			echo(s)
		}()
		start := time.Now()
		c, err := l.DialContext(t.Context(), "tcp", "memory")
		if took := time.Since(start); err != nil || took != rtt {
			t.Fatalf("dialling took %v, %v, want %v", took, err, rtt)
		}
		for range 3 {
			start := time.Now()
			pingPong(t, c, 1, 1000)
			if took := time.Since(start); took != rtt+2*each {
				t.Errorf("a round trip took %v, want %v", took, rtt+2*each)
			}
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Second) // the end arrives
	})
}

func TestNobodyIsReachedInMemoryOnceTheListenerIsClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewInMemory(Path{RTT: time.Millisecond})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := l.DialContext(ctx, "tcp", "memory"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("nobody accepts: %v, want a timeout", err)
		}
		ln, err := l.Listen("tcp", "memory")
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // closing twice is harmless
			if err := ln.Close(); err != nil {
				t.Error(err)
			}
		}
		if _, err := ln.Accept(); !errors.Is(err, net.ErrClosed) {
			t.Errorf("Accept: %v, want net.ErrClosed", err)
		}
		if _, err := l.DialContext(t.Context(), "tcp", "memory"); !errors.Is(err, net.ErrClosed) {
			t.Errorf("Dial: %v, want net.ErrClosed", err)
		}
	})
}

// A peer's half-close reaches the other end as the end of what it sent.
func TestTheEndArrivesInMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewInMemory(Path{RTT: time.Millisecond})
		ln, err := l.Listen("tcp", "memory")
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			s, err := ln.Accept()
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := s.Write([]byte("last words")); err != nil {
				t.Error(err)
			}
			_ = s.Close()
		}()
		c, err := l.DialContext(t.Context(), "tcp", "memory")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(c); err != nil || string(got) != "last words" {
			t.Errorf("got %q, %v", got, err)
		}
		_ = c.Close()
		time.Sleep(time.Second)
	})
}
