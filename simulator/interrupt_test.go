// Breaks, interrupts and resets, which may cross. go-ora cannot be used here: it races with itself when a context ends in a call.
package simulator

import (
	"bytes"
	"net"
	"testing"
	"time"

	"oranet_exporter/simulator/tns"
)

// marker is a marker packet of a client.
func marker(kind tns.MarkerKind) []byte {
	return []byte{0, 0, 0, 11, byte(tns.Marker), 0, 0, 0, 1, 0, byte(kind)}
}

func TestAnInterruptIsAnsweredByORA01013AtOnce(t *testing.T) {
	statement := dataPacket(payload(t, calls["execute"]))
	interrupt, reset, ping := marker(tns.Interrupt), marker(tns.Reset), dataPacket(payload(t, calls["ping"]))
	tests := []struct {
		name          string
		before, after [][]byte // sent before and after the server's break and reset
	}{
		{"during a statement", [][]byte{statement, interrupt}, [][]byte{reset}},
		{"a break", [][]byte{statement, marker(tns.Break)}, [][]byte{reset}},
		{"between calls", [][]byte{interrupt}, [][]byte{reset}},
		{"with the client's reset at once", [][]byte{statement, interrupt, reset}, nil},
		{"twice", [][]byte{statement, interrupt}, [][]byte{interrupt, reset}},
		{"with the next call on its way", [][]byte{interrupt}, [][]byte{ping, reset}},
		{"after a lone reset", [][]byte{reset, statement, interrupt}, [][]byte{reset}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			server := startServer(t, Options{ServerTime: func(string) time.Duration { return time.Hour }})
			near, ended := startSession(t, server)
			defer func() {
				_ = near.Close()
				<-ended
			}()
			if err := near.SetDeadline(time.Now().Add(clientTimeout)); err != nil {
				t.Fatal(err)
			}
			readPacket(t, near, false)
			sendAll(t, near, test.before)
			for _, want := range []tns.MarkerKind{tns.Break, tns.Reset} {
				if got := readPacket(t, near, true); got[4] != byte(tns.Marker) || got[10] != byte(want) {
					t.Fatalf("got % x, want marker %d", got, want)
				}
			}
			sendAll(t, near, test.after)
			if got := readPacket(t, near, true); !bytes.Contains(got, []byte("ORA-01013")) {
				t.Errorf("got %q, want ORA-01013", got)
			}
			sendAll(t, near, [][]byte{ping})
			if got := readPacket(t, near, true); len(got) < 11 || got[10] != 9 {
				t.Errorf("a ping after that was answered by % x", got)
			}
		})
	}
}

// sendAll sends packets while the server may be sending as well: a pipe has no buffer of its own.
func sendAll(t *testing.T, near net.Conn, packets [][]byte) {
	t.Helper()
	if len(packets) == 0 {
		return // to write nothing waits for a reader as well, be it until the end
	}
	sent := make(chan error, 1)
	go func() {
		_, err := near.Write(bytes.Join(packets, nil))
		sent <- err
	}()
	t.Cleanup(func() {
		if err := <-sent; err != nil {
			t.Error(err)
		}
	})
}
