package sql

// This file converts values from one type to another, as Oracle does unasked and as CAST does, and compares them. The formats are those
// of the territory AMERICA.

import (
	"bytes"
	"encoding/hex"
	"strings"
	"time"
)

const (
	dateLayout      = "02-Jan-06"                    // DD-MON-RR
	timestampLayout = "02-Jan-06 03.04.05.000000 PM" // DD-MON-RR HH.MI.SSXFF AM
)

// as makes an expression one of a type: each value is converted where it is of another.
func as(to Type, e expression) expression {
	if e.Type == to && !e.untyped {
		return e
	}
	column := columnOf(to)
	if size := textSize(e); to == Varchar2 && !e.untyped {
		column = textOf(size)
	}
	from, eval := e.Type, e.eval
	return expression{Column: column, uses: e.uses, eval: func(r *row) (Value, *Error) {
		value, err := eval(r)
		if err != nil || value == nil {
			return nil, err
		}
		return convert(value, from, to)
	}}
}

// textSize is the largest size of the values of an expression as text.
func textSize(e expression) int {
	switch e.Type {
	case Number:
		return maxTextDigits
	case Raw:
		return 2 * e.Size
	case Date:
		return len(dateLayout)
	case Timestamp:
		return len(timestampLayout)
	}
	return e.Size
}

// convert converts a value that is not NULL. From matters for times alone, of which a Go value does not say which type it is.
func convert(value Value, from, to Type) (Value, *Error) {
	switch to {
	case Number:
		return toNumber(value)
	case Raw:
		return toRaw(value)
	case Date, Timestamp:
		return toTime(value, to)
	}
	return textValue(toText(value, from)), nil
}

func toText(value Value, from Type) string {
	switch v := value.(type) {
	case Decimal:
		return v.text()
	case []byte:
		return strings.ToUpper(hex.EncodeToString(v))
	case time.Time:
		if from == Timestamp {
			return strings.ToUpper(v.Format(timestampLayout))
		}
		return strings.ToUpper(v.Format(dateLayout))
	}
	text, _ := value.(string)
	return text
}

func toNumber(value Value) (Value, *Error) {
	switch v := value.(type) {
	case Decimal:
		return v, nil
	case string:
		number, err := parseDecimal(v)
		if err != nil {
			return nil, err
		}
		return number, nil
	}
	return nil, errInconsistent(Number, typeOf(value))
}

func toRaw(value Value) (Value, *Error) {
	switch v := value.(type) {
	case []byte:
		return v, nil
	case string:
		if len(v)%2 == 1 {
			v = "0" + v
		}
		raw, err := hex.DecodeString(v)
		if err != nil {
			return nil, fail(1465, 0, "invalid hex number")
		}
		return raw, nil
	}
	return nil, errInconsistent(Raw, typeOf(value))
}

func toTime(value Value, to Type) (Value, *Error) {
	switch v := value.(type) {
	case time.Time:
		if to == Date {
			return v.Truncate(time.Second), nil
		}
		return v, nil
	case string:
		for _, layout := range [...]string{"2-Jan-2006", "2-Jan-06", "2-Jan-06 3.4.5 PM"} {
			if moment, err := time.Parse(layout, v); err == nil {
				return moment, nil
			}
		}
		return nil, fail(1861, 0, "literal does not match format string")
	}
	return nil, errInconsistent(to, typeOf(value))
}

// typeOf is the type of a value that is not NULL, as far as the value says.
func typeOf(value Value) Type {
	switch value.(type) {
	case Decimal:
		return Number
	case []byte:
		return Raw
	case time.Time:
		return Timestamp
	}
	return Varchar2
}

func errInconsistent(expected, got Type) *Error {
	return fail(932, 0, "inconsistent datatypes: expected %s got %s", expected, got)
}

// sameType makes two expressions of one type: a number if either is one, else a time if either is one, else texts.
func sameType(left, right expression) (expression, expression) {
	to := Varchar2
	for _, t := range [...]Type{Number, Timestamp, Date} {
		if left.Type == t || right.Type == t {
			to = t
			break
		}
	}
	return as(to, left), as(to, right)
}

// compare is negative, zero or positive, as a is less than, equal to or greater than b. Both are of one type and not NULL.
func compare(a, b Value) int {
	switch left := a.(type) {
	case Decimal:
		if right, ok := b.(Decimal); ok {
			return compareDecimals(left, right)
		}
	case []byte:
		if right, ok := b.([]byte); ok {
			return bytes.Compare(left, right)
		}
	case time.Time:
		if right, ok := b.(time.Time); ok {
			return left.Compare(right)
		}
	}
	return strings.Compare(toText(a, Varchar2), toText(b, Varchar2))
}
