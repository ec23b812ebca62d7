// Columns, rows and binds between the SQL engine and the wire.
package simulator

import (
	"fmt"
	"time"

	"oranet_exporter/simulator/sql"
	"oranet_exporter/simulator/ttc"
)

// wireTypes are the data types of the engine's columns.
var wireTypes = map[sql.Type]ttc.DataType{
	sql.Number: ttc.TypeNumber, sql.Varchar2: ttc.TypeVarchar2, sql.Raw: ttc.TypeRaw, sql.Date: ttc.TypeDate, sql.Timestamp: ttc.TypeTimestamp,
}

// zonedColumns are the columns whose type is TIMESTAMP WITH TIME ZONE, which the engine describes as TIMESTAMP. go-ora asks for
// SYSTIMESTAMP to learn the server's time zone, and cannot read a plain TIMESTAMP before it knows it.
var zonedColumns = map[string]bool{"SYSTIMESTAMP": true, "CURRENT_TIMESTAMP": true}

// describeColumns returns the columns as a describe has them.
func describeColumns(columns []sql.Column) []ttc.Column {
	described := make([]ttc.Column, len(columns))
	for i, c := range columns {
		described[i] = ttc.Column{
			Name: c.Name, Type: wireTypes[c.Type], Precision: c.Precision, Scale: c.Scale, Size: c.Size, Nullable: c.Nullable,
		}
		if c.Type == sql.Timestamp && zonedColumns[c.Name] {
			described[i].Type = ttc.TypeTimestampTZ
		}
	}
	return described
}

// encodeRow encodes a row of the engine.
func encodeRow(encoder *ttc.Rows, columns []ttc.Column, row []sql.Value) error {
	if len(row) != len(columns) {
		return fmt.Errorf("a row of %d values for %d columns", len(row), len(columns))
	}
	for i, value := range row {
		if columns[i].Size == 0 {
			encoder.Nothing()
			continue
		}
		switch v := value.(type) {
		case nil:
			encoder.Null()
		case string:
			encoder.Text(v)
		case []byte:
			encoder.Raw(v)
		case sql.Decimal:
			if err := encoder.Number(string(v)); err != nil {
				return fmt.Errorf("column %s: %w", columns[i].Name, err)
			}
		case time.Time:
			switch columns[i].Type {
			case ttc.TypeDate:
				encoder.Date(v)
			case ttc.TypeTimestampTZ:
				encoder.TimestampTZ(v)
			default:
				encoder.Timestamp(v)
			}
		default:
			return fmt.Errorf("column %s: a value of type %T", columns[i].Name, value)
		}
	}
	return nil
}

// decodeBinds returns the values of binds as the engine takes them.
func decodeBinds(types []ttc.BindType, values [][]byte) ([]sql.Value, error) {
	binds := make([]sql.Value, len(values))
	for i, value := range values {
		if value == nil {
			continue
		}
		var err error
		switch types[i].Type {
		case ttc.TypeNumber, ttc.TypeInteger:
			var text string
			text, err = ttc.NumberText(value)
			binds[i] = sql.Decimal(text)
		case ttc.TypeDate, ttc.TypeTimestamp, ttc.TypeTimestampTZ, ttc.TypeTimestampLTZ:
			binds[i], err = ttc.ParseDate(value)
		case ttc.TypeRaw, ttc.TypeLongRaw:
			binds[i] = value
		default:
			binds[i] = string(value)
		}
		if err != nil {
			return nil, fmt.Errorf("bind %d: %w", i+1, err)
		}
	}
	return binds, nil
}
