package sql

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// The caret marks the position that is expected; it is not part of the statement. Without one the position is 0.
func TestErrorsOfParse(t *testing.T) {
	for _, c := range []struct {
		text, want string
	}{
		{"", "ORA-00900: invalid SQL statement"},
		{"^hello", "ORA-00900: invalid SQL statement"},
		{"select * from ^nowhere", "ORA-00942: table or view does not exist"},
		{"select x from ^scott.sdu_bench", "ORA-00942: table or view does not exist"},
		{"select ^x from dual", `ORA-00904: "X": invalid identifier`},
		{"select ^d.x from dual d", `ORA-00904: "D"."X": invalid identifier`},
		{`select ^"level" from dual`, `ORA-00904: "level": invalid identifier`},
		{"select 1, ^nothing(2) from dual", `ORA-00904: "NOTHING": invalid identifier`},
		{"select ^e.* from dual d", `ORA-00904: "E": invalid identifier`},
		{"select name from v$statname join v$mystat using (^nothing)", `ORA-00904: "NOTHING": invalid identifier`},
		{"select ^statistic# from v$statname n, v$mystat m", "ORA-00918: column ambiguously defined"},
		{"select ^from dual", "ORA-00936: missing expression"},
		{"select 1 + ^from dual", "ORA-00936: missing expression"},
		{"select 1 from dual where ^", "ORA-00936: missing expression"},
		{"select 1^", "ORA-00923: FROM keyword not found where expected"},
		{"select 1 a ^b from dual", "ORA-00923: FROM keyword not found where expected"},
		{"select 1 ^= 1 from dual", "ORA-00923: FROM keyword not found where expected"},
		{"select 1 from ^", "ORA-00903: invalid table name"},
		{"select 1 from dual^;", "ORA-00933: SQL command not properly ended"},
		{"select 1 from dual ^union select 2 from dual", "ORA-00933: SQL command not properly ended"},
		{"select 1 from dual ^group by 1", "ORA-00933: SQL command not properly ended"},
		{"select id from sdu_bench ^connect by level <= 2", "ORA-00933: SQL command not properly ended"},
		{"select ^'abc from dual", "ORA-01756: quoted string not properly terminated"},
		{"select ^q'[abc]x' from dual", "ORA-01756: quoted string not properly terminated"},
		{`select 1 ^"abc from dual`, "ORA-01740: missing double quote in identifier"},
		{`select 1 ^"" from dual`, "ORA-01741: illegal zero-length identifier"},
		{"select 1 ^? from dual", "ORA-00911: invalid character"},
		{"select ^? from dual", "ORA-00911: invalid character"},
		{"select ^:- from dual", "ORA-01745: invalid host/bind variable name"},
		{"select 1 ^/* from dual", "ORA-01742: comment not terminated properly"},
		{"select (1 ^from dual", "ORA-00907: missing right parenthesis"},
		{"select (1 ^= 1) from dual", "ORA-00907: missing right parenthesis"},
		{"select 1 from dual where ^1", "ORA-00920: invalid relational operator"},
		{"select 1 from dual where 1 between 2 ^or 3", "ORA-00905: missing keyword"},
		{"select 1 from dual where 1 is ^1", "ORA-00908: missing NULL keyword"},
		{"select 1 from dual order ^1", "ORA-00924: missing BY keyword"},
		{"select 1 from dual order by ^2", "ORA-01785: ORDER BY item must be the number of a SELECT-list expression"},
		{"select ^level from dual", "ORA-01788: CONNECT BY clause required in this query block"},
		{"select ^upper('a', 'b') from dual", "ORA-00909: invalid number of arguments"},
		{"select ^standard_hash('a', 'CRC') from dual", "ORA-01760: illegal argument for function"},
		{"select cast(1 as ^blob) from dual", "ORA-00902: invalid datatype"},
		{"select cast(1 as varchar2^) from dual", "ORA-00906: missing left parenthesis"},
		{"select cast(1 as number(^39)) from dual", "ORA-01727: numeric precision specifier is out of range (1 to 38)"},
		{"select date ^'2026-13-01' from dual", "ORA-01861: literal does not match format string"},
		{"select ^(select 1, 2 from dual) from dual", "ORA-00913: too many values"},
		{"select count(*), ^id from sdu_bench", "ORA-00937: not a single-group group function"},
		{"select 1 from sdu_bench where ^count(*) > 1", "ORA-00934: group function is not allowed here"},
		{"select max(^min(id)) from sdu_bench", "ORA-00934: group function is not allowed here"},
		{"create table t (a number)", "ORA-01031: insufficient privileges"},
		{"drop table ^t", "ORA-00942: table or view does not exist"},
		{"drop table sdu_bench", "ORA-01031: insufficient privileges"},
		{"alter system flush shared_pool", "ORA-01031: insufficient privileges"},
		{"alter table ^t add (a number)", "ORA-00942: table or view does not exist"},
		{"alter session^", "ORA-02248: invalid option for ALTER SESSION"},
		{"insert ^t values (1)", "ORA-00925: missing INTO keyword"},
		{"insert into ^t values (1)", "ORA-00942: table or view does not exist"},
		{"commit^;", "ORA-00933: SQL command not properly ended"},
		{"begin\n  ^nothing(1);\nend;", "ORA-06550: line 2, column 3:\nPLS-00201: identifier 'NOTHING' must be declared"},
	} {
		t.Run(c.text, func(t *testing.T) {
			position := max(0, strings.Index(c.text, "^"))
			text := strings.Replace(c.text, "^", "", 1)
			_, err := Parse(text)
			var oracle *Error
			if !errors.As(err, &oracle) {
				t.Fatalf("got %v, want an *Error", err)
			}
			if oracle.Message != c.want || oracle.Position != position {
				t.Errorf("got %q at %d, want %q at %d", oracle.Message, oracle.Position, c.want, position)
			}
		})
	}
}

func TestErrorsOfOpen(t *testing.T) {
	for _, c := range []struct {
		text  string
		binds []Value
		want  int
	}{
		{"select :1, :1 from dual", []Value{"a"}, 1008}, // each occurrence is a bind
		{"select :1 from dual", []Value{"a", "b"}, 1036},
		{"insert into sdu_bench values (:1, 'x')", []Value{Decimal("1")}, 1031},
		{"update sdu_bench set id = 1", nil, 1031},
		{"delete sdu_bench", nil, 1031},
		{"merge into sdu_bench using dual on (1 = 1)", nil, 1031},
	} {
		statement, err := Parse(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		_, err = statement.Open(testEnvironment{}, c.binds)
		var oracle *Error
		if !errors.As(err, &oracle) || oracle.Code != c.want {
			t.Errorf("%s: got %v, want ORA-%05d", c.text, err, c.want)
		}
	}
}

func TestErrorsOfAFetchComeAtTheirRow(t *testing.T) {
	for _, c := range []struct {
		text  string
		binds []Value
		rows  int
		want  int
	}{
		{text: "select 1/(level-5) from dual connect by level <= 9", rows: 4, want: 1476},
		{text: "select 1/0 from dual", want: 1476},
		{text: "select to_number('1x') from dual", want: 1722},
		{text: "select id from sdu_bench where id = 'x'", want: 1722},
		{text: "select id from sdu_bench where id <= 2 and 1/(id-2) < 9", rows: 1, want: 1476},
		{text: "select level from dual connect by level <= :1", binds: []Value{"x"}, rows: 1, want: 1722},
		{text: "select rpad('x', 4000) || rpad('x', level - 1) from dual connect by level < 3", rows: 1, want: 1489},
		{text: "select hextoraw('xy') from dual", want: 1465},
		{text: "select standard_hash(level) from dual connect by level < 3", want: 932},
		{text: "select standard_hash(:1) from dual", binds: []Value{Decimal("1")}, want: 932},
		{text: "select cast(level * 4 as number(1)) from dual connect by level < 4", rows: 2, want: 1438},
		{text: "select 1e125 * 1e5 from dual", want: 1426},
		{text: "select sys_context('USERENV', 'NOTHING') from dual", want: 2003},
		{text: "select to_char(sysdate, 'QQ') from dual", want: 1821},
		{text: "select (select level from dual connect by level < 3) from dual", want: 1427},
		{text: "select max(1/(level-2)) from dual connect by level < 3", want: 1476},
		{text: "select level from dual connect by level < 3 order by 1/(level-2)", want: 1476},
		{text: "select date '9999-12-31' + 1 from dual", want: 1841},
		{text: "select count(*) from sdu_bench, sdu_bench other", want: 2393},
	} {
		rows, err := run(c.text, c.binds...)
		var oracle *Error
		if !errors.As(err, &oracle) || oracle.Code != c.want || len(rows) != c.rows {
			t.Errorf("%s: got %d rows, then %v, want %d, then ORA-%05d", c.text, len(rows), err, c.rows, c.want)
		}
	}
}

func TestAFailedFetchStaysFailed(t *testing.T) {
	statement, err := Parse("select 1/(2-level) from dual connect by level < 4")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := statement.Open(testEnvironment{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{false, true, true} {
		if _, err := rows.Next(); (err != nil) != want {
			t.Errorf("call %d: %v", i+1, err)
		}
	}
}

// A view without a grant does not exist, and is not among ALL_OBJECTS. The caret marks the position.
func TestViewsNeedTheirGrants(t *testing.T) {
	for _, c := range []struct {
		text, withheld string
		refused        bool
	}{
		{"select value from ^v$mystat", "V_$MYSTAT", true},
		{"select value from v$mystat m join ^v$statname n using (statistic#)", "V_$STATNAME", true},
		{"select elapsed_time from ^sys.v_$sql", "V_$SQL", true},
		{"select 1 from dual where 'x' = (select prev_sql_id from ^v$session)", "V_$SESSION", true},
		{"select sid from v$session", "V_$SQL", false},
		{"select 1 from dual", "V_$MYSTAT", false},
	} {
		at := max(strings.Index(c.text, "^"), 0)
		statement, err := Parse(strings.Replace(c.text, "^", "", 1))
		if err != nil {
			t.Fatalf("%s: %v", c.text, err)
		}
		env := testEnvironment{withheld: []string{c.withheld}}
		_, err = statement.Open(env, nil)
		var oracle *Error
		switch {
		case !c.refused && err != nil:
			t.Errorf("%s: %v", c.text, err)
		case c.refused && (!errors.As(err, &oracle) || oracle.Code != 942 || oracle.Position != at):
			t.Errorf("%s without %s: %v, want ORA-00942 at %d", c.text, c.withheld, err, at)
		}
		listed, err := Parse("select object_name from all_objects where object_name = '" + c.withheld + "'")
		if err != nil {
			t.Fatal(err)
		}
		rows, err := listed.Open(env, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := rows.Next(); err != io.EOF {
			t.Errorf("%s is listed without a grant", c.withheld)
		}
	}
}
