package sql

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

func TestExpressions(t *testing.T) {
	for _, c := range []struct{ expression, want string }{
		{"'X'", "X"},
		{"'it''s'", "it's"},
		{"q'[it's]'", "it's"},
		{"n'x'", "x"},
		{"''", "NULL"},
		{"null", "NULL"},
		{"-12", "-12"},
		{"- -1", "1"},
		{"+.50", "0.5"},
		{"1.5e3", "1500"},
		{"1e-3", "0.001"},
		{"user", "PROBE"},
		{"dbtimezone", "+00:00"},
		{"dummy", "X"},
		{"1 + 2 * 3", "7"},
		{"(1 + 2) * 3", "9"},
		{"10 - 4 - 3", "3"},
		{"0.1 + 0.2", "0.3"},
		{"1/4", "0.25"},
		{"99999999999999999999999999999999999999 + 1", "100000000000000000000000000000000000000"},
		{"'3' * '4'", "12"},
		{"1 || 2 + 3", "15"}, // || binds as loosely as +, and from the left
		{"'a' || null || 'b'", "ab"},
		{"'a' || 0.5", "a.5"},
		{"1 + null", "NULL"},
		{"rpad('ab', 5, 'xy')", "abxyx"},
		{"lpad('7', 3, '0')", "007"},
		{"rpad('abc', 2)", "ab"},
		{"length(rpad('x', 1e9))", "4000"},
		{"substr('abcdef', 2, 3)", "bcd"},
		{"substr('abcdef', -2)", "ef"},
		{"substr('abcdef', 0, 1)", "a"},
		{"substr('abc', 9)", "NULL"},
		{"to_char(0.25)", ".25"},
		{"to_char(-0.25)", "-.25"},
		{"to_number(' 12.50 ')", "12.5"},
		{"upper('aBc') || lower('aBc')", "ABCabc"},
		{"length('Zürich')", "6"},
		{"length('')", "NULL"},
		{"hextoraw('0aFF')", "0aff"},
		{"rawtohex(hextoraw('0aff'))", "0AFF"},
		{"nvl(null, 5)", "5"},
		{"nvl('a', 5)", "a"},
		{"mod(11, 4)", "3"},
		{"mod(-11, 4)", "-3"},
		{"mod(11, 0)", "11"},
		{"date '2026-01-02'", "2026-01-02 00:00:00"},
		{"timestamp '2026-01-02 03:04:05.678'", "2026-01-02 03:04:05.678"},
		{"date '2026-01-31' + 1.5", "2026-02-01 12:00:00"},
		{"date '2026-03-01' - date '2026-02-01'", "28"},
		{"to_char(date '2026-01-02')", "02-JAN-26"},
		{"to_char(timestamp '2026-01-02 15:04:05.678', 'YYYY-MM-DD\"T\"HH24:MI:SS.FF3 Mon')", "2026-01-02T15:04:05.678 Jan"},
		{"cast('12.56' as number)", "12.56"},
		{"cast(12.56 as number(3,1))", "12.6"},
		{"cast(1250 as number(3,-2))", "1300"},
		{"cast(12.5 as integer)", "13"},
		{"cast('abcdef' as varchar2(3))", "abc"},
		{"cast(12 as varchar2(10))", "12"},
		{"cast('02-JAN-2026' as date)", "2026-01-02 00:00:00"},
		{"cast(date '2026-01-02' as timestamp)", "2026-01-02 00:00:00"},
		{"cast('0aff' as raw(1))", "0a"},
		{"sys_context('USERENV', 'SESSION_USER')", "PROBE"},
		{"sys_context('userenv', 'sid')", "42"},
		{"sys_context('USERENV', 'INSTANCE_NAME')", instanceName},
		{"sys_context('USERENV', 'SERVICE_NAME')", serviceName},
		{"sys_context('USERENV', 'DB_NAME')", databaseName},
		{"userenv('SESSIONID')", "42"},
		{"(select 'inner' from dual)", "inner"},
		{"(select 1 from dual where 1 = 0)", "NULL"},
		{"standard_hash('abc', 'MD5')", "900150983cd24fb0d6963f7d28e17f72"},                                    // RFC 1321, A.5
		{"standard_hash('abc')", "a9993e364706816aba3e25717850c26c9cd0d89d"},                                   // FIPS 180, SHA-1
		{"standard_hash('abc', 'sha256')", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}, // FIPS 180
		{"substr(rawtohex(standard_hash('abc', 'SHA512')), 1, 32)", "DDAF35A193617ABACC417349AE204131"},        // FIPS 180
		{"standard_hash(hextoraw('616263'), 'MD5')", "900150983cd24fb0d6963f7d28e17f72"},                       // the same bytes
		{"standard_hash(null, 'MD5')", "d41d8cd98f00b204e9800998ecf8427e"},                                     // no bytes
	} {
		expect(t, c.want, "select "+c.expression+" from dual")
	}
}

func TestQueries(t *testing.T) {
	for _, c := range []struct {
		text, want string
		binds      []Value
	}{
		{text: "SELECT\t'X'\nFROM /* the */ Dual -- one row", want: "X"},
		{text: "select * from dual", want: "X"},
		{text: "select d.*, d.dummy from sys.dual d", want: "X|X"},
		{text: "select :1 || :name from dual", want: "a7", binds: []Value{"a", Decimal("7")}},
		{text: "select : spaced from dual", want: "NULL", binds: []Value{""}},
		{text: "select level from dual connect by level <= 3", want: "1\n2\n3"},
		{text: "select rownum, level*10 from dual connect by level <= :n", want: "1|10\n2|20", binds: []Value{Decimal("2")}},
		{text: "select level from dual connect by level <= :n", want: "1\n2", binds: []Value{"2"}},
		{text: "select rownum from dual connect by rownum <= 2", want: "1\n2"},
		{text: "select level from dual connect by level <= 0", want: "1"}, // the root needs no condition
		{text: "select level from dual where mod(level, 2) = 0 connect by level <= 5", want: "2\n4"},
		{text: "select level l from dual connect by level <= 3 order by l desc", want: "3\n2\n1"},
		{text: "select level, 5 - level from dual connect by level <= 3 order by 2", want: "3|2\n2|3\n1|4"},
		{text: "select count(*), max(level), min(level) from dual connect by level <= 12", want: "12|12|1"},
		{text: "select count(nvl(null, '')), max('') from dual", want: "0|NULL"},
		{text: "select 1 from dual where 1 = 1 and not 2 = 3 and (1 = 2 or 3 between 2 and 4)", want: "1"},
		{text: "select 1 from dual where null = null or not null = null", want: ""},
		{text: "select 1 from dual where 2 not in (1, null)", want: ""},
		{text: "select 1 from dual where '' is null and 'a' is not null", want: "1"},
		{text: "select 1 from dual where 'abcabd' like 'a%b_' and 'abc' not like 'b%' and 'aba' like '%a%b%'", want: "1"},
		{text: "select 1 from dual where 'ab' like 'ab%b'", want: ""},
		{text: "select count(*) from sdu_bench", want: "500000"},
		{text: "select min(id), max(id) from sdu_bench where id > 10 and id < 20.5", want: "11|20"},
		{text: "select id from sdu_bench where id = :x", want: "77", binds: []Value{Decimal("77")}},
		{text: "select id from sdu_bench where :x = id", want: "77", binds: []Value{"77"}},
		{text: "select id from sdu_bench where id = 1.5", want: ""},
		{text: "select id from sdu_bench where id between 499999 and 600000", want: "499999\n500000"},
		{text: "select b.id from sdu_bench b where rownum <= 3 order by b.id", want: "1\n2\n3"},
		{text: "select id from sdu_bench where id >= 100 and rownum < 3 order by id desc", want: "101\n100"},
		{text: "select id from sdu_bench where id in (5, 3)", want: "3\n5"},
		{text: "select rownum from sdu_bench where rownum > 1", want: ""},
		{text: "select length(payload) from sdu_bench where id = 500000", want: "200"},
		{text: "select n.name, m.value from v$mystat m, v$statname n where m.statistic# = n.statistic# and n.name in " +
			"('SQL*Net roundtrips to/from client', 'user calls') order by n.name",
			want: "SQL*Net roundtrips to/from client|1000\nuser calls|0"},
		{text: "select name, value from v$mystat m join v$statname n on m.statistic# = n.statistic# where name = :1",
			want: "SQL*Net roundtrips to/from client|1000", binds: []Value{"SQL*Net roundtrips to/from client"}},
		{text: "select name, value from v$statname inner join v$mystat using (statistic#) where value > 0 and statistic# > 0",
			want: "SQL*Net roundtrips to/from client|1000"},
		{text: "select sid, username from v$session where sid = sys_context('USERENV','SID')", want: "42|PROBE"},
		{text: "select sid from v$session where audsid = userenv('SESSIONID')", want: "42"},
		{text: "select sid from v$session where sid = (select sid from v$mystat where rownum = 1)", want: "42"},
		{text: "select q.elapsed_time, q.executions from v$session s join v$sql q on q.sql_id = s.prev_sql_id " +
			"and q.child_number = s.prev_child_number where s.sid = sys_context('userenv', 'sid')", want: "1500|1"},
		{text: "select elapsed_time from sys.v_$sql where sql_id = (select prev_sql_id from v$session where sid = 42)", want: "1500"},
		{text: "select username, account_status, expiry_date, (expiry_date - date '2026-03-04') * 86400 from user_users",
			want: "PROBE|OPEN|2026-03-04 05:06:07|18367"},
		{text: "select object_name from all_objects where owner = 'SYS' and object_name in ('V_$SQL', 'V_$LOCK')", want: "V_$SQL"},
	} {
		expect(t, c.want, c.text, c.binds...)
	}
}

func TestTimeOfAStatementIsThatOfItsStart(t *testing.T) {
	before := time.Now().UTC()
	rows, err := run("select systimestamp, sysdate from dual connect by level <= 2")
	if err != nil {
		t.Fatal(err)
	}
	first, second := rows[0], rows[1]
	if first[0] != second[0] || first[1] != second[1] {
		t.Errorf("two rows of one execution have different times: %v, %v", first, second)
	}
	if got := first[0].(time.Time); got.Before(before) || got.After(time.Now().UTC()) {
		t.Errorf("SYSTIMESTAMP is %v, not the time of the statement", got)
	}
	if got := first[1].(time.Time); got.Nanosecond() != 0 {
		t.Errorf("SYSDATE has a fraction of a second: %v", got)
	}
}

func TestColumnsAreDescribedAsOracleDoes(t *testing.T) {
	plain := func(name string) Column {
		return Column{Name: name, Type: Number, Size: 22, Scale: -127, Nullable: true}
	}
	for _, c := range []struct {
		item string
		want Column
	}{
		{"level", plain("LEVEL")},
		{"rownum as r", plain("R")},
		{`1 "One"`, plain("One")},
		{"1 + 1", plain("1+1")},
		{"'x'", Column{Name: "'X'", Type: Varchar2, Size: 1, Nullable: true}},
		{"null", Column{Name: "NULL", Type: Varchar2, Nullable: true}},
		{"dummy", Column{Name: "DUMMY", Type: Varchar2, Size: 1, Nullable: true}},
		{"standard_hash('a' || level, 'SHA512')", Column{Name: "STANDARD_HASH('A'||LEVEL,'SHA512')", Type: Raw, Size: 64, Nullable: true}},
		{"standard_hash('a')", Column{Name: "STANDARD_HASH('A')", Type: Raw, Size: 20, Nullable: true}},
		{"sysdate", Column{Name: "SYSDATE", Type: Date, Size: 7, Nullable: true}},
		{"systimestamp", Column{Name: "SYSTIMESTAMP", Type: Timestamp, Size: 11, Scale: 6, Nullable: true}},
		{"cast(null as number(10,2)) n", Column{Name: "N", Type: Number, Size: 22, Precision: 10, Scale: 2, Nullable: true}},
		{"cast('a' as varchar2(30)) v", Column{Name: "V", Type: Varchar2, Size: 30, Nullable: true}},
		{"rpad('x', 200) p", Column{Name: "P", Type: Varchar2, Size: 200, Nullable: true}},
		{"hextoraw('0aff') h", Column{Name: "H", Type: Raw, Size: 2, Nullable: true}},
		{":1 b", Column{Name: "B", Type: Varchar2, Size: 4000, Nullable: true}},
	} {
		statement, err := Parse("select " + c.item + " from dual connect by level <= 1")
		if err != nil {
			t.Errorf("%s: %v", c.item, err)
			continue
		}
		if got := statement.Columns[0]; got != c.want {
			t.Errorf("%s:\n got %+v\nwant %+v", c.item, got, c.want)
		}
	}
}

func TestBenchPayloads(t *testing.T) {
	rows, err := run("select id, payload from sdu_bench where rownum <= 20000")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, row := range rows {
		payload := row[1].(string)
		if len(payload) != 200 || strings.Trim(payload, benchAlphabet) != "" {
			t.Fatalf("payload of row %v: %q", row[0], payload)
		}
		seen[payload] = true
		seen[payload[:100]] = true
		seen[payload[100:]] = true
	}
	if len(seen) != 3*20_000 {
		t.Errorf("%d different payloads and halves of payloads, want %d", len(seen), 3*20_000)
	}
	again, err := run("select payload from sdu_bench where id = 7")
	if err != nil || again[0][0] != rows[6][1] {
		t.Errorf("row 7 is not the same every time: %v, %v", again, err)
	}
}

func TestRowsAreTheCallersToKeep(t *testing.T) {
	rows, err := run("select level, standard_hash('a' || level, 'MD5') from dual connect by level <= 2")
	if err != nil {
		t.Fatal(err)
	}
	if cell(rows[0][1]) == cell(rows[1][1]) || rows[0][0] == rows[1][0] {
		t.Errorf("the second row overwrote the first: %s", printed(rows))
	}
}

func TestStatementIsOpenedManyTimesAtOnce(t *testing.T) {
	statement, err := Parse("select level + (select 1 from dual) from dual connect by level <= :1")
	if err != nil {
		t.Fatal(err)
	}
	results := make(chan string)
	for n := range 4 {
		go func() {
			rows, err := statement.Open(testEnvironment{}, []Value{decimalOf(n + 1)})
			count := 0
			for err == nil {
				if _, err = rows.Next(); err == nil {
					count++
				}
			}
			results <- fmt.Sprint(n+1-count, err)
		}()
	}
	for range 4 {
		if got := <-results; got != "0 "+io.EOF.Error() {
			t.Error(got)
		}
	}
}
