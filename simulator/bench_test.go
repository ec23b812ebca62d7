package simulator

import (
	"io"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"oranet_exporter/simulator/sql"
	"oranet_exporter/simulator/tns"
	"oranet_exporter/simulator/ttc"
)

// sink is a socket that takes everything.
type sink struct{ net.Conn }

func (sink) Write(p []byte) (int, error)      { return len(p), nil }
func (sink) SetWriteDeadline(time.Time) error { return nil }

// repeatedRows is a result that generates nothing, so that what is measured is the way from a row to the socket.
type repeatedRows struct{ rows [][]sql.Value }

func (r *repeatedRows) Next() ([]sql.Value, error) {
	if len(r.rows) == 0 {
		return nil, io.EOF
	}
	row := r.rows[0]
	r.rows = r.rows[1:]
	return row, nil
}

// BenchmarkFetch is what a fetch of 10,000 rows of 200 bytes takes the server beyond generating them.
func BenchmarkFetch(b *testing.B) {
	const rows = 10_000
	payload := strings.Repeat("x", 190)
	result := make([][]sql.Value, rows)
	for i := range result {
		id := strconv.Itoa(i)
		result[i] = []sql.Value{sql.Decimal(id), payload + id}
	}
	m := newLedger().started(false, time.Now())
	s := newSession(&Server{}, newTransport(m, sink{}), nil)
	if err := s.conn.WriteAccept(tns.AcceptReply{Version: 318, SDU: 8192, TDU: 8192}); err != nil {
		b.Fatal(err)
	}
	columns := []sql.Column{{Name: "ID", Type: sql.Number, Size: 22}, {Name: "PAYLOAD", Type: sql.Varchar2, Size: 200}}
	c := &cursor{id: 1, statement: &sql.Statement{Columns: columns}, columns: describeColumns(columns), encoder: ttc.NewRows(len(columns))}
	b.ReportAllocs()
	for b.Loop() {
		c.result = &repeatedRows{rows: result}
		if err := s.continueFetch(c, rows); err != nil {
			b.Fatal(err)
		}
	}
}
