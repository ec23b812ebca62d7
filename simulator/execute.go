// Executing statements and fetching their rows.
package simulator

import (
	"errors"
	"io"
	"time"

	"oranet_exporter/simulator/sql"
	"oranet_exporter/simulator/ttc"
)

// partSize is how much of an answer is collected before it goes to the connection.
const partSize = 32 << 10

// execute answers an execute: parse, bind, execute, describe and the first rows, as far as the client asked for them.
func (s *session) execute() error {
	call := s.reader.ExecuteCall(s.agreement)
	if err := s.reader.Err(); err != nil {
		return err
	}
	c, err := s.cursors.find(call.CursorID)
	if err != nil {
		return err
	}
	if call.Has(ttc.OptionParse) {
		if err := c.parse(call.SQL, time.Now()); err != nil {
			return statementError(err, c)
		}
	}
	if c.statement == nil {
		return invalidCursor.of(c)
	}
	if call.Has(ttc.OptionBind) {
		c.binds = call.Binds
	}
	described := call.Has(ttc.OptionParse) || call.Has(ttc.OptionDescribe)
	if call.Has(ttc.OptionExecute) && !call.Has(ttc.OptionDescribe) {
		return s.open(c, call.Values, call.Prefetch, described)
	}
	if described {
		s.describe(c)
		return s.finish(c, 0, 0)
	}
	return s.continueFetch(c, call.Prefetch)
}

// reexecute answers the execution of a cursor that was executed before.
func (s *session) reexecute() error {
	call := s.reader.ReexecuteCall()
	if err := s.reader.Err(); err != nil {
		return err
	}
	c := s.cursors.open[call.CursorID]
	if c == nil || c.statement == nil {
		return invalidCursor.of(c)
	}
	values := s.reader.BindValues(c.binds)
	if err := s.reader.Err(); err != nil {
		return err
	}
	return s.open(c, values, call.Rows, false)
}

// fetch answers a fetch.
func (s *session) fetch() error {
	id, rows := s.reader.FetchCall()
	if err := s.reader.Err(); err != nil {
		return err
	}
	return s.continueFetch(s.cursors.open[id], rows)
}

// open executes a cursor and answers with its description, if wanted, and its first rows.
func (s *session) open(c *cursor, values [][]byte, rows int, described bool) error {
	started := time.Now()
	if err := c.start(s, values); err != nil {
		return err
	}
	s.executed.execute(c.text)
	if err := s.serve(c.text); err != nil {
		return err
	}
	code := 0
	switch c.statement.Kind {
	case sql.Query:
		if described {
			s.describe(c)
		}
		c.encoder.StartExecute(rows)
		var err error
		if code, err = s.rows(c, rows); err != nil {
			return err
		}
	case sql.Block:
		if len(c.binds) > 0 {
			s.writer.InputBinds(len(c.binds))
		}
	}
	s.executed.spent(c.text, time.Since(started))
	s.writer.ReturnParameters(s.server.scn(), c.id)
	return s.finish(c, code, 1)
}

// serve takes the time that the statement is said to take. It ends early, with errInterrupted, when the client sends something.
func (s *session) serve(text string) error {
	if s.server.options.ServerTime == nil {
		return nil
	}
	d := s.server.options.ServerTime(text)
	if d <= 0 {
		return nil
	}
	interrupted, err := s.conn.Pause(d)
	if err == nil && interrupted {
		return errInterrupted
	}
	return err
}

// continueFetch answers with the next rows of an open cursor.
func (s *session) continueFetch(c *cursor, rows int) error {
	if c == nil || c.result == nil {
		return invalidCursor.of(c)
	}
	started := time.Now()
	c.encoder.StartFetch(rows)
	code, err := s.rows(c, rows)
	if err != nil {
		return err
	}
	s.executed.spent(c.text, time.Since(started))
	return s.finish(c, code, 0)
}

// rows writes up to n rows, and returns ttc.NoDataFound when it ran past the last one.
func (s *session) rows(c *cursor, n int) (code int, err error) {
	for range n {
		row, err := c.result.Next()
		if errors.Is(err, io.EOF) {
			return ttc.NoDataFound, nil
		}
		if err != nil {
			return 0, statementError(err, c)
		}
		if err := encodeRow(c.encoder, c.columns, row); err != nil {
			return 0, err
		}
		c.encoder.End(&s.writer)
		c.rows++
		s.meter.rows.Add(1)
		if s.writer.Len() >= partSize {
			if err := s.part(); err != nil {
				return 0, err
			}
		}
	}
	return 0, nil
}

// describe writes the description of a query.
func (s *session) describe(c *cursor) {
	s.writer.Describe(c.columns, c.signature, c.parsed, time.Now(), s.agreement)
}

// finish ends the answer to an execute or a fetch.
func (s *session) finish(c *cursor, code, iterations int) error {
	summary := ttc.Summary{
		Sequence: s.sequence, CallNumber: s.callNumber, Rows: c.rows, CursorID: c.id, Type: c.statementType(), Iterations: iterations,
		Code: code,
	}
	if code == ttc.NoDataFound {
		summary.Message = "ORA-01403: no data found\n"
	}
	s.writer.Summary(summary)
	return s.reply()
}
