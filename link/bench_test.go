package link_test

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"net/netip"
	"testing"
	"time"

	goora "github.com/sijms/go-ora/v2"
	"github.com/sijms/go-ora/v2/configurations"

	"oranet_exporter/link"
	"oranet_exporter/link/linktest"
	"oranet_exporter/simulator"
	"oranet_exporter/simulator/emulink"
)

// BenchmarkFetchOverhead fetches the same rows through a metered session and
// through the driver alone, in turn, and reports the ratio of their times:
// what looking at every packet costs.
func BenchmarkFetchOverhead(b *testing.B) {
	const rows = 20_000
	server, cfg := linktest.Simulated(b, simulator.Options{}, emulink.New(emulink.Path{}))
	cfg.Dial = nil
	l, err := link.New(cfg)
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	metered, _, err := l.Open(ctx, 1000)
	if err != nil {
		b.Fatal(err)
	}
	defer metered.Close(ctx)
	alone := driverAlone(b, server)
	defer alone.Close()

	var ours, theirs time.Duration
	b.ReportAllocs()
	for range b.N {
		start := time.Now()
		if _, err := metered.Fetch(ctx, payload, []any{"seed", "of", "rows", rows}, func([]driver.Value) {}); err != nil {
			b.Fatal(err)
		}
		ours += time.Since(start)
		start = time.Now()
		fetchAlone(b, alone, rows)
		theirs += time.Since(start)
	}
	b.ReportMetric(ours.Seconds()/theirs.Seconds(), "metered/driver")
}

func driverAlone(b *testing.B, server *simulator.Server) *goora.Connection {
	b.Helper()
	config := &configurations.ConnectionConfig{
		PrefetchRows: 1000,
		DatabaseInfo: configurations.DatabaseInfo{UserID: "PROBE", Password: "Plain_1234", ServiceName: "FREEPDB1", Location: "UTC"},
		SessionInfo:  configurations.SessionInfo{Protocol: "tcp", SessionDataUnitSize: link.DefaultSDU, TransportDataUnitSize: 2097152},
	}
	address := netip.MustParseAddrPort(server.Addr())
	config.Servers = []configurations.ServerAddr{{Protocol: "tcp", Addr: address.Addr().String(), Port: int(address.Port())}}
	conn, err := goora.NewConnection("", config)
	if err == nil {
		err = conn.Open()
	}
	if err != nil {
		b.Fatal(err)
	}
	return conn
}

func fetchAlone(b *testing.B, conn *goora.Connection, count int) {
	b.Helper()
	args := []driver.NamedValue{{Ordinal: 1, Value: "seed"}, {Ordinal: 2, Value: "of"}, {Ordinal: 3, Value: "rows"}, {Ordinal: 4, Value: count}}
	rows, err := conn.QueryContext(context.Background(), payload, args)
	if err != nil {
		b.Fatal(err)
	}
	defer rows.Close()
	values := make([]driver.Value, len(rows.Columns()))
	for {
		err := rows.Next(values)
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}
