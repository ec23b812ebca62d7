// What the simulator writes after the log-on, against the packets of real servers, byte by byte.
package ttc

import (
	"bytes"
	"encoding/hex"
	"strconv"
	"strings"
	"testing"
	"time"

	"oranet_exporter/simulator/internal/captures"
)

const packetHeader = 10 // TNS header and data flags

// goOra and python are what the two drivers of the captures agreed on with the server.
var goOra, python = Agreement{FieldVersion: 11, UniversalSB1: true}, Agreement{FieldVersion: 12}

// text is a text column, number one of NUMBER.
func text(name string, size int) Column {
	return Column{Name: name, Type: TypeVarchar2, Size: size, Nullable: true}
}

func number(name string) Column {
	return Column{Name: name, Type: TypeNumber, Size: 22, Nullable: true}
}

// answer is an answer of a server: a description and rows, or rows alone.
type answer struct {
	name      string
	sequence  string
	packet    int
	agreement Agreement
	columns   []Column
	describe  bool
	requested int
	before    []any   // the last row of the call before a fetch
	rows      [][]any // string: text, float64: number, []byte: raw, time.Time: date
	scn       uint64
	summary   Summary
	// differs are the bytes that differ, captured and ours, in hex; docs/simulator.md says why.
	differs []string
}

func (a answer) write(t *testing.T, captured []byte) []byte {
	t.Helper()
	var w, before Writer
	rows := NewRows(len(a.columns))
	if a.describe {
		signature, parsed := [16]byte(captured[2:18]), dateOf(t, captured[18:25])
		w.Describe(a.columns, signature, parsed, a.now(t, captured), a.agreement)
		rows.StartExecute(a.requested)
	} else {
		rows.StartExecute(1)
		if a.before != nil {
			addRow(t, rows, &before, a.before)
		}
		rows.StartFetch(a.requested)
	}
	for _, row := range a.rows {
		addRow(t, rows, &w, row)
	}
	if a.describe {
		w.ReturnParameters(a.scn, a.summary.CursorID)
	}
	w.Summary(a.summary)
	return w.Bytes()
}

func addRow(t *testing.T, rows *Rows, w *Writer, row []any) {
	t.Helper()
	for _, value := range row {
		switch v := value.(type) {
		case nil:
			rows.Null()
		case string:
			rows.Text(v)
		case []byte:
			rows.Raw(v)
		case float64:
			if err := rows.Number(strconv.FormatFloat(v, 'f', -1, 64)); err != nil {
				t.Fatal(err)
			}
		case time.Time:
			rows.Date(v)
		}
	}
	rows.End(w)
}

// now finds the date behind the columns: the only one in a description besides that of the parse.
func (a answer) now(t *testing.T, captured []byte) time.Time {
	t.Helper()
	at := bytes.Index(captured[25:], []byte{1, 7, 7})
	if at < 0 {
		t.Fatal("no date behind the columns")
	}
	return dateOf(t, captured[25+at+3:25+at+10])
}

func dateOf(t *testing.T, b []byte) time.Time {
	t.Helper()
	date, err := ParseDate(b)
	if err != nil {
		t.Fatal(err)
	}
	return date
}

func day(month time.Month, d int) time.Time { return time.Date(2024, month, d, 0, 0, 0, 0, time.UTC) }

const noData = "ORA-01403: no data found\n"

func TestAnswersAreThoseOfRealServers(t *testing.T) {
	tests := []answer{
		{
			name: "three columns, rows that repeat", sequence: "48", packet: 2, agreement: goOra, describe: true, requested: 1000,
			columns: []Column{{Name: "GRP", Type: TypeChar, Size: 3, Nullable: true}, number("NUM"), text("OPT", 41)},
			rows: [][]any{
				{"AAA", 1.0, "x1"}, {"AAA", 2.0, "x2"}, {"AAA", 3.0, nil}, {"AAA", 4.0, "x4"}, {"BBB", 5.0, "x5"}, {"BBB", 6.0, nil},
				{"BBB", 7.0, "x7"}, {"BBB", 8.0, "x8"},
			},
			scn:     0x204e8c,
			summary: Summary{Sequence: 13, Rows: 8, CursorID: 3, Type: StatementSelect, Iterations: 1, Code: NoDataFound, Message: noData},
			differs: []string{
				"0103 59 60", "0103 5c 60", // the release's number behind that of the columns
				"07 03 414141 02c103 02 7832 15", "15 0102 06 07 02c103 02 7832 15", // the second row is compressed like all others
			},
		},
		{
			name: "numbers, fractions and dates", sequence: "49", packet: 2, agreement: goOra, describe: true, requested: 1000,
			columns: []Column{
				number("ID"), {Name: "GRP", Type: TypeNumber, Scale: -127, Size: 2, Nullable: true}, number("AMOUNT"),
				{Name: "MAYBE_DAY", Type: TypeDate, Size: 7, Nullable: true},
			},
			rows: [][]any{
				{1.0, 100.0, 1.5, day(1, 2)}, {2.0, 100.0, 2.5, nil}, {3.0, 100.0, 3.5, day(1, 4)}, {4.0, 200.0, 4.5, nil},
				{5.0, 200.0, 5.5, day(1, 6)}, {6.0, 200.0, 6.5, nil},
			},
			scn:     0x2077f6,
			summary: Summary{Sequence: 21, Rows: 6, CursorID: 1, Type: StatementSelect, Iterations: 1, Code: NoDataFound, Message: noData, Position: 185},
			differs: []string{
				"0104 59 02", "0104 5c 02",
				"07 02c103 02c202 03c10333 00", "15 0103 0d 07 02c103 03c10333 00",
			},
		},
		{
			name: "raw", sequence: "52", packet: 2, agreement: goOra, describe: true, requested: 1000,
			columns: []Column{{Name: "R1", Type: TypeRaw, Size: 5, Nullable: true}, {Name: "R2", Type: TypeRaw, Size: 4, Nullable: true}},
			rows:    [][]any{{[]byte("Hello"), []byte{0xde, 0xad, 0xbe, 0xef}}},
			scn:     0x213b3e,
			summary: Summary{Sequence: 9, Rows: 1, CursorID: 3, Type: StatementSelect, Iterations: 1, Code: NoDataFound, Message: noData, Position: 69},
			differs: []string{"0102 59 17", "0102 5c 17", "021fe8 0102 0102", "021fe8 010a 010a"},
		},
		{
			name: "a fetch whose first row repeats a column of the fetch before", sequence: "44", packet: 23, agreement: python,
			columns: []Column{text("OWNER", 128), text("OBJECT_TYPE", 23), number("CNT")}, requested: 100,
			before: []any{"USER", "TABLE", 1516.0},
			rows: [][]any{
				{"USER", "VIEW", 1014.0}, {"USER", "SEQUENCE", 313.0}, {"USER", "PACKAGE", 112.0},
			},
			summary: Summary{Sequence: 0xa96a, CallNumber: 8, Rows: 5, CursorID: 5, Type: StatementSelect, Code: NoDataFound, Message: noData},
		},
		{
			name: "an error", sequence: "46", packet: 22, agreement: goOra, requested: 0,
			summary: Summary{
				Sequence: 5, CursorID: 2, Type: 12, Code: 942, Position: 11,
				Message: "ORA-00942: table or view \"SYSTEM\".\"DBBAT_DML_TEST\" does not exist\n",
			},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			captured := captures.Load(t, test.sequence)[test.packet-1].Bytes[packetHeader:]
			want := hex.EncodeToString(captured)
			for i := 0; i < len(test.differs); i += 2 {
				from, to := strings.ReplaceAll(test.differs[i], " ", ""), strings.ReplaceAll(test.differs[i+1], " ", "")
				if !strings.Contains(want, from) {
					t.Fatalf("the captured packet has no %s", test.differs[i])
				}
				want = strings.Replace(want, from, to, 1)
			}
			got := hex.EncodeToString(test.write(t, captured))
			if got != want {
				t.Errorf("\n got %s\nwant %s", got, want)
			}
		})
	}
}

func TestStatusAndVersionAreThoseOfRealServers(t *testing.T) {
	tests := []struct {
		name     string
		sequence string
		packet   int
		write    func(*Writer)
	}{
		{"ping", "43", 19, func(w *Writer) { w.Status(0xacdc) }},
		{"logoff", "43", 33, func(w *Writer) { w.Status(0) }},
		{"version", "43", 15, func(w *Writer) {
			w.Version("Oracle Database 19c Standard Edition 2 Release 19.0.0.0.0 - Production\nVersion 19.22.0.0.0", 0x13160000)
			w.Status(0xacda)
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			want := captures.Load(t, test.sequence)[test.packet-1].Bytes[packetHeader:]
			var w Writer
			test.write(&w)
			if !bytes.Equal(w.Bytes(), want) {
				t.Errorf("\n got % x\nwant % x", w.Bytes(), want)
			}
		})
	}
}
