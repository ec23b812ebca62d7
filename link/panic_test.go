package link

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"time"
)

func TestAPanicOfTheDriverDoesNotTellItsValue(t *testing.T) {
	for name, value := range map[string]any{
		"text": "cannot log on with tiger", "error": errors.New("tiger"), "bytes": []byte("tiger"), "struct": struct{ Password string }{"tiger"},
	} {
		s := &Session{wire: newWire(nopConn{}, new(meter), new(Usage)), packets: new(packetConn), usage: new(Usage)}
		err := s.do(context.Background(), func() error { panic(value) })
		if !errors.Is(err, errDriverPanic) || strings.Contains(err.Error(), "tiger") {
			t.Errorf("%s: got %v, want that the driver panicked and not by what", name, err)
		}
	}
	s := &Session{wire: newWire(nopConn{}, new(meter), new(Usage)), packets: new(packetConn), usage: new(Usage)}
	var list []int
	if err := s.do(context.Background(), func() error { _ = list[len(t.Name())]; return nil }); !strings.Contains(err.Error(), "index out of range") {
		t.Errorf("got %v, want the runtime's own words", err)
	}
}

// nopConn is a socket of which nothing is wanted but its deadline.
type nopConn struct{ net.Conn }

func (nopConn) SetDeadline(time.Time) error { return nil }
