// The meter held against what the simulated database counted itself.

package link_test

import (
	"context"
	"database/sql/driver"
	"fmt"
	"testing"
	"time"

	"oranet_exporter/link"
	"oranet_exporter/simulator"
)

const truthRows = 100_000

// payload is a query whose rows have about 200 bytes that neither repeat nor compress.
const payload = "select level, standard_hash(:1 || level, 'SHA512'), standard_hash(:2 || level, 'SHA512')," +
	" standard_hash(:3 || level, 'SHA512') from dual connect by level <= :4"

func TestTheMeterCountsWhatTheDatabaseCounts(t *testing.T) {
	server, cfg := database(t, simulator.Options{})
	for _, arraysize := range []int{100, 1000, 10000} {
		t.Run(fmt.Sprint(arraysize), func(t *testing.T) {
			compareWithTruth(t, server, cfg, arraysize, true)
		})
	}
}

// What TLS 1.3 adds to a session: one round trip of handshake, which the
// database does not count because it is none of Oracle Net's, and from each
// side a close_notify of 24 bytes, which the other may no longer read.
const (
	handshakeRoundTrips = 1
	closeNotifyBytes    = 24
)

// compareWithTruth runs one session from logon to logoff and holds its meter
// against the database's record of that connection.
func compareWithTruth(t *testing.T, server *simulator.Server, cfg link.Config, arraysize int, plain bool) {
	t.Helper()
	var usage link.Usage
	s, _, err := newLink(t, cfg).For(&usage).Open(minute(t), arraysize)
	if err != nil {
		t.Fatal(err)
	}
	f, err := s.Fetch(minute(t), payload, []any{"seed", "of", "rows", truthRows}, func([]driver.Value) {})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	truth := lastEnded(t, server)
	counts := s.Counts()
	if f.Rows != truthRows || truth.RowsSent != truthRows {
		t.Errorf("%d rows arrived, %d were sent, want %d", f.Rows, truth.RowsSent, truthRows)
	}
	wantTrips, unread := truth.RoundTrips, int64(0)
	if !plain {
		wantTrips += handshakeRoundTrips
		unread = closeNotifyBytes
	}
	if int64(counts.RoundTrips) != wantTrips {
		t.Errorf("the meter counted %d round trips, the database %d: %v", counts.RoundTrips, truth.RoundTrips, truth.RoundTripsByCall)
	}
	there, back := usage.Sent()-truth.BytesReceived, truth.BytesSent-usage.Received()
	if there != 0 && there != unread || back != 0 && back != unread {
		t.Errorf("sent %d and received %d bytes, the database received %d and sent %d",
			usage.Sent(), usage.Received(), truth.BytesReceived, truth.BytesSent)
	}
	if counts.Sent != usage.Sent() || counts.Received != usage.Received() {
		t.Errorf("the meter and the usage disagree: %+v, %d sent, %d received", counts, usage.Sent(), usage.Received())
	}
	if !plain && truth.NetBytesSent >= truth.BytesSent {
		t.Errorf("TLS adds nothing: %d bytes of Oracle Net in %d on the socket", truth.NetBytesSent, truth.BytesSent)
	}
	if int64(counts.BiggestReceived) != truth.BiggestPacketSent || counts.BiggestReceived > s.Negotiated().SDU {
		t.Errorf("biggest packet received %d, sent %d, SDU %d", counts.BiggestReceived, truth.BiggestPacketSent, s.Negotiated().SDU)
	}
}

// lastEnded is the database's record of the last connection, once it has seen
// its end.
func lastEnded(t *testing.T, server *simulator.Server) simulator.ConnectionTruth {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		connections := server.Truth().Connections
		last := connections[len(connections)-1]
		if !last.Open {
			return last
		}
		if time.Now().After(deadline) {
			t.Fatalf("connection %d is still open", last.Number)
		}
	}
}

// Negotiated SDU and biggest data packet by SDU asked for, MEASUREMENTS M1.
func TestTheListenerClampsTheSDU(t *testing.T) {
	server, cfg := database(t, simulator.Options{})
	for _, c := range []struct{ requested, negotiated, biggest int }{
		{2048, 2048, 1967},
		{8192, 8192, 8111},
		{65536, 32768, 32687},
		{2097152, 32768, 32687},
	} {
		t.Run(fmt.Sprint(c.requested), func(t *testing.T) {
			cfg := cfg
			cfg.SDU = c.requested
			s := open(t, newLink(t, cfg), 10000)
			if _, err := s.Fetch(minute(t), payload, []any{"seed", "of", "rows", 1000}, func([]driver.Value) {}); err != nil {
				t.Fatal(err)
			}
			if s.Negotiated().SDU != c.negotiated || s.Counts().BiggestReceived != c.biggest {
				t.Errorf("SDU %d, biggest packet %d; want %d and %d", s.Negotiated().SDU, s.Counts().BiggestReceived, c.negotiated, c.biggest)
			}
			connections := server.Truth().Connections
			if granted := connections[len(connections)-1].GrantedSDU; int(granted) != c.negotiated {
				t.Errorf("the database says it granted %d", granted)
			}
		})
	}
}
