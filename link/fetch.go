// A query from its execute to its last row.

package link

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"time"
)

// Fetched is what a query's rows took to arrive.
type Fetched struct {
	Rows    int
	Elapsed time.Duration // from before the execute to the end of the rows
	Counts  Counts        // on the socket in that time
	Closing Counts        // on the socket for closing the cursor, which is not in Counts
}

// Fetch executes a query and reads it to the end, with as many rows a round
// trip as the session was opened for. row sees each row; its slice is reused.
// The error is a *Failure of phase query before the first rows arrived, of
// phase fetch afterwards.
func (s *Session) Fetch(ctx context.Context, query string, args []any, row func([]driver.Value)) (Fetched, error) {
	var f Fetched
	phase := PhaseQuery
	s.usage.enter(phase)
	err := s.do(ctx, func() error {
		before, start := s.meter.Counts(), time.Now()
		rows, err := s.conn.QueryContext(context.Background(), query, namedValues(args))
		if err != nil {
			return err
		}
		phase = PhaseFetch
		s.usage.enter(phase)
		if f.Rows, err = s.readAll(rows, row); err != nil {
			return err
		}
		f.Elapsed = time.Since(start)
		last := s.meter.Counts()
		f.Counts = last.Sub(before)
		err = rows.Close()
		f.Closing = s.meter.Counts().Sub(last)
		return err
	})
	if err != nil {
		return f, s.fail(ctx, phase, err)
	}
	return f, nil
}

func (s *Session) readAll(rows driver.Rows, row func([]driver.Value)) (int, error) {
	values := make([]driver.Value, len(rows.Columns()))
	for n := 0; ; n++ {
		err := rows.Next(values)
		if errors.Is(err, io.EOF) && s.wire.firstError() == nil {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		row(values)
	}
}

func namedValues(args []any) []driver.NamedValue {
	out := make([]driver.NamedValue, len(args))
	for i, a := range args {
		out[i] = driver.NamedValue{Ordinal: i + 1, Value: a}
	}
	return out
}
