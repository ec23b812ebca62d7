package link

import (
	"context"
	"fmt"
	"net"
	"testing"
	"time"

	"github.com/sijms/go-ora/v2/configurations"
	"github.com/sijms/go-ora/v2/network"
	"github.com/sijms/go-ora/v2/trace"

	"oranet_exporter/link/tns"
	"oranet_exporter/simulator"
)

// driverState is what a conversation up to ACCEPT leaves in the driver.
type driverState struct {
	Version, Options uint16
	SDU, TDU         uint32
	Flags0, Flags1   uint8
}

// stateAfter lets the driver connect with that configuration.
func stateAfter(t *testing.T, config *configurations.ConnectionConfig) driverState {
	t.Helper()
	session := network.NewSession(config, trace.NilTracer())
	if err := session.Connect(context.Background()); err != nil {
		t.Fatal(err)
	}
	defer session.Disconnect()
	c := session.Context
	return driverState{c.Version, c.NegotiatedOptions, c.SessionDataUnit, c.TransportDataUnit, c.ACFL0, c.ACFL1}
}

// The driver is in the same state after our exchange, of which it is handed
// the outcome, as after its own.
func TestTheDriverEndsInTheSameStateAsAfterItsOwnConnect(t *testing.T) {
	for _, o := range []simulator.Options{{Version: 314}, {Version: 315}, {Version: 318}, {Version: 318, Resend: true}} {
		for _, sdu := range []int{512, 2048, 8192, 65536, tns.MaxSDU} {
			t.Run(fmt.Sprintf("version %d, resend %v, SDU %d", o.Version, o.Resend, sdu), func(t *testing.T) {
				o.ListenAddress = "127.0.0.1:0"
				server, err := simulator.Start(o)
				if err != nil {
					t.Fatal(err)
				}
				defer server.Close()
				l := mustLink(t, Config{DSN: server.Addr() + "/FREEPDB1", User: "PROBE"})

				own := l.driverConfig(nil, "", 100)
				own.SessionDataUnitSize = uint32(sdu)
				own.ServiceName = "FREEPDB1"
				own.RegisterDial(func(ctx context.Context, _, _ string) (net.Conn, error) {
					return new(net.Dialer).DialContext(ctx, "tcp", server.Addr())
				})

				ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
				defer cancel()
				opening := l.newOpening(sdu)
				c, err := opening.accept(ctx)
				if err != nil {
					t.Fatal(err)
				}
				ours := l.driverConfig(newPacketConn(c.conn, opening.meter, c.accepted), "", 100)

				if want, got := stateAfter(t, own), stateAfter(t, ours); got != want {
					t.Errorf("after ours %+v, after its own %+v", got, want)
				}
			})
		}
	}
}
