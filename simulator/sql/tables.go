package sql

// This file holds the tables that a query can name: DUAL and SDU_BENCH. The views of the dictionary are in dictionary.go.

// table is a table or a view.
type table struct {
	columns []Column
	// grantedAs is the SYS view that a user needs a grant for to read this one; "" for what everyone may read.
	grantedAs string
	// rows starts a scan. Only SDU_BENCH heeds the bounds.
	rows func(env Environment, within bounds) iterator
}

// record is one row of a table. A column's value is made only when it is asked for.
type record interface{ column(index int) Value }

// iterator returns the next row of a scan and false behind the last one.
type iterator func() (record, bool)

// bounds are the first and the last ID that a scan of SDU_BENCH has to visit.
type bounds struct{ low, high int }

// values is a row whose values are at hand.
type values []Value

func (v values) column(index int) Value { return v[index] }

// scanOf is the scan of a table of few rows.
func scanOf(rows ...values) iterator {
	return func() (record, bool) {
		if len(rows) == 0 {
			return nil, false
		}
		row := rows[0]
		rows = rows[1:]
		return row, true
	}
}

func numberColumn(name string) Column {
	return Column{Name: name, Type: Number, Size: 22, Scale: plainScale, Nullable: true}
}

func textColumn(name string, size int) Column {
	return Column{Name: name, Type: Varchar2, Size: size, Nullable: true}
}

// tables are all tables and views. A V$ name is the public synonym of a V_$ view, to which privileges are granted.
var tables = map[string]*table{
	"DUAL": dual, "SDU_BENCH": sduBench, "ALL_OBJECTS": allObjects, "USER_USERS": userUsers,
	"V$MYSTAT": myStat, "V$STATNAME": statName, "V$SESSION": session, "V$SQL": sqlArea,
	"V_$MYSTAT": myStat, "V_$STATNAME": statName, "V_$SESSION": session, "V_$SQL": sqlArea,
}

// findTable looks a table up. Dual and the dictionary belong to SYS.
func findTable(name tableSyntax) (*table, *Error) {
	found, ok := tables[name.name]
	bySchema := name.schema == "" || name.schema == "SYS" && found != sduBench
	if !ok || !bySchema {
		return nil, errNoTable(name.position())
	}
	return found, nil
}

var dual = &table{
	columns: []Column{textColumn("DUMMY", 1)},
	rows:    func(Environment, bounds) iterator { return scanOf(values{"X"}) },
}

// benchRows is the number of rows of SDU_BENCH.
const benchRows = 500_000

const benchPayloadSize = 200

// sduBench is the table of the throughput measurements: an ID from 1, in ascending order, and a payload that is random to the eye,
// of printable characters, and another one in every row.
var sduBench = &table{
	columns: []Column{
		{Name: "ID", Type: Number, Size: 22, Scale: plainScale},
		textColumn("PAYLOAD", benchPayloadSize),
	},
	rows: func(_ Environment, within bounds) iterator {
		id := max(within.low, 1) - 1
		last := min(within.high, benchRows)
		return func() (record, bool) {
			if id++; id > last {
				return nil, false
			}
			return benchRow(id), true
		}
	},
}

// benchRow is a row of SDU_BENCH, which its ID determines.
type benchRow int

func (id benchRow) column(index int) Value {
	if index == 0 {
		return decimalOf(int(id))
	}
	return benchPayload(uint64(id))
}

// benchAlphabet has 64 characters, so that six random bits make one of them.
const benchAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// benchPayload generates the payload of a row by SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
func benchPayload(id uint64) string {
	const perDraw = 10 // characters from the 64 bits of one draw
	var payload [benchPayloadSize]byte
	state := id * benchPayloadSize * 0x9E3779B97F4A7C15
	for i := 0; i < len(payload); i += perDraw {
		state += 0x9E3779B97F4A7C15
		draw := (state ^ state>>30) * 0xBF58476D1CE4E5B9
		draw = (draw ^ draw>>27) * 0x94D049BB133111EB
		draw ^= draw >> 31
		for j := range perDraw {
			payload[i+j] = benchAlphabet[draw&63]
			draw >>= 6
		}
	}
	return string(payload[:])
}
