package sql

import (
	"io"
	"slices"
	"strings"
	"testing"
)

func TestStatementsAreTold(t *testing.T) {
	for _, c := range []struct {
		text  string
		kind  Kind
		binds []string
	}{
		{"select :1 || :name || :1 from dual", Query, []string{"1", "NAME", "1"}},
		{`select :"Name", : spaced from dual`, Query, []string{"Name", "SPACED"}},
		{"select ':no', 1 /* :no */ -- :no\n from dual", Query, nil},
		{"begin null; end;", Block, nil},
		{"begin dbms_application_info.set_module(:m, :a); dbms_session.set_identifier(:m); end;", Block, []string{"M", "A"}},
		{"DECLARE x number := 1; y date; BEGIN IF x = 1 THEN NULL; END IF; :o := x; END;", Block, []string{"O"}},
		{"begin begin sys.dbms_session.reset_package; exception when others then null; end; end main;", Block, nil},
		{"alter session set nls_date_format = 'YYYY-MM-DD' time_zone='+00:00'", Session, nil},
		{"commit", Session, nil},
		{"rollback to savepoint a", Session, nil},
		{"savepoint a", Session, nil},
		{"set transaction read only", Session, nil},
		{"insert into sdu_bench (id) values (:a)", DML, []string{"A"}},
	} {
		statement, err := Parse(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if statement.Kind != c.kind || !slices.Equal(statement.Binds, c.binds) {
			t.Errorf("%s: kind %d with binds %q, want %d with %q", c.text, statement.Kind, statement.Binds, c.kind, c.binds)
		}
		if c.kind == Query || c.kind == DML {
			continue
		}
		rows, err := statement.Open(testEnvironment{}, make([]Value, len(c.binds)))
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if _, err := rows.Next(); err != io.EOF {
			t.Errorf("%s: %v, want no rows", c.text, err)
		}
	}
}

func TestBlocksThatDoNotEnd(t *testing.T) {
	for _, text := range []string{"begin", "begin null;", "begin null; end", "begin null; end; select", "declare x number;"} {
		if _, err := Parse(text); err == nil || !strings.HasPrefix(err.Error(), "ORA-06550: line 1, column ") {
			t.Errorf("%s: %v, want ORA-06550", text, err)
		}
	}
}

func TestHugeStatementsAreRefused(t *testing.T) {
	for name, text := range map[string]string{
		"parentheses": "select " + strings.Repeat("(", 100_000) + "1 from dual",
		"operators":   "select 1" + strings.Repeat("+1", 100_000) + " from dual",
		"signs":       "select " + strings.Repeat("- ", 100_000) + "1 from dual",
		"inversions":  "select 1 from dual where " + strings.Repeat("not ", 100_000) + "1 = 1",
		"subqueries":  "select " + strings.Repeat("(select ", 100_000) + "1 from dual",
	} {
		if _, err := Parse(text); err == nil || !strings.HasPrefix(err.Error(), "ORA-04031") {
			t.Errorf("%s: %v, want ORA-04031", name, err)
		}
	}
}
