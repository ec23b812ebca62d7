package sql

import (
	"errors"
	"io"
	"testing"
)

// FuzzParse looks for a text that makes the engine panic, run for ever, or return a row that does not fit its description.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"select level, standard_hash(:1 || level || 'a', 'SHA512') from dual connect by level <= :2",
		"select id, payload from sdu_bench where id between 1 and 9 or id = 1e3 and rownum <= 5 order by id desc",
		"select n.name, m.value from v$mystat m join v$statname n using (statistic#) where n.name like '%SQL*Net%'",
		"select elapsed_time from v$sql where sql_id = (select prev_sql_id from v$session where sid = sys_context('USERENV', 'SID'))",
		"select count(*), max(-id * .5) / 3 from sdu_bench where id < 100",
		"select cast(to_char(sysdate - 1, 'YYYY-MM-DD HH24:MI:SS.FF3 \"x\"') as varchar2(9)), timestamp '2026-01-02 03:04:05.6' from dual",
		"select nvl(rpad(lpad('x', 5, 'ab'), 9), substr(q'[it's]', -2, 1)), mod(7, -2), hextoraw('0aff') from dual -- end",
		"declare x number := 1; begin dbms_session.reset_package(:a); end;",
		"alter session set nls_language = 'AMERICAN'",
		"select nvl(rpad(lpad('\x97', 1), 1), upper('\u0250')) from dual",
		"insert into sdu_bench values (:a, 'x')",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		statement, err := Parse(text)
		if err != nil {
			requireOracleError(t, text, err)
			return
		}
		binds := make([]Value, len(statement.Binds))
		for i := range binds {
			binds[i] = []Value{Decimal("2"), "a", nil}[i%3]
		}
		rows, err := statement.Open(testEnvironment{}, binds)
		for range 3 {
			if err != nil {
				requireOracleError(t, text, err)
				return
			}
			var next []Value
			if next, err = rows.Next(); err == io.EOF {
				return
			}
			for i, value := range next {
				requireFit(t, text, value, statement.Columns[i])
			}
		}
	})
}

func requireOracleError(t *testing.T, text string, err error) {
	var oracle *Error
	if !errors.As(err, &oracle) || oracle == nil || oracle.Position < 0 || oracle.Position > len(text) {
		t.Errorf("%q: error %#v", text, err)
	}
}

func requireFit(t *testing.T, text string, value Value, column Column) {
	if value == nil {
		return
	}
	if got := typeOf(value); got != column.Type && !(isTime(column.Type) && got == Timestamp) {
		t.Errorf("%q: column %+v has the value %#v", text, column, value)
	}
	size := 0
	switch v := value.(type) {
	case string:
		size = len(v)
	case []byte:
		size = len(v)
	}
	if size > column.Size {
		t.Errorf("%q: column %+v has the value %#v", text, column, value)
	}
}
