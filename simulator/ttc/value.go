// Oracle's own formats of numbers and dates.
package ttc

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"time"
)

const (
	// mantissaDigits is the most base-100 digits of a NUMBER.
	mantissaDigits = 20
	// The exponents, to base 100, of the biggest and smallest NUMBER, for a mantissa of 0.d1d2….
	largestExponent, smallestExponent = 63, -64
)

// utcHour and utcMinute end a TIMESTAMP WITH TIME ZONE that is in UTC: the offset in excess of 20 hours and 60 minutes, and the bit
// that says that the fields before are local to it (captures 43 and 46).
const utcHour, utcMinute = 0x40 | 20, 60

// AppendNumber appends a NUMBER, given as decimal text: one byte of sign and exponent to base 100, then the digits to base 100, each
// one higher than it is, or for a negative number 101 less it (python-oracledb impl/base/decoders.pyx; captures 49 and 50).
func AppendNumber(buffer []byte, text string) ([]byte, error) {
	negative, digits, point, err := splitDecimal(text)
	if err != nil {
		return buffer, err
	}
	digits, point = normalize(digits, point)
	if digits == "" {
		return append(buffer, 0x80), nil
	}
	exponent := point / 2
	if exponent > largestExponent || exponent < smallestExponent {
		return buffer, fmt.Errorf("%s is outside the range of NUMBER", text)
	}
	if negative {
		buffer = append(buffer, byte(0x3f-exponent))
	} else {
		buffer = append(buffer, byte(0xc0+exponent))
	}
	n := min(len(digits)/2, mantissaDigits)
	for i := range n {
		pair := (digits[2*i]-'0')*10 + digits[2*i+1] - '0'
		if negative {
			buffer = append(buffer, 101-pair)
		} else {
			buffer = append(buffer, pair+1)
		}
	}
	if negative && n < mantissaDigits {
		buffer = append(buffer, 102)
	}
	return buffer, nil
}

// splitDecimal takes decimal text apart: its sign, its digits, and after how many of them the point is.
func splitDecimal(text string) (negative bool, digits string, point int, err error) {
	mantissa, exponentText, hasExponent := strings.Cut(strings.ToUpper(text), "E")
	exponent := 0
	if hasExponent {
		if exponent, err = strconv.Atoi(exponentText); err != nil {
			return false, "", 0, fmt.Errorf("%q is not a number", text)
		}
	}
	negative = strings.HasPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(strings.TrimLeft(mantissa, "+-"), ".")
	digits = whole + fraction
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return false, "", 0, fmt.Errorf("%q is not a number", text)
	}
	return negative, digits, len(whole) + exponent, nil
}

// normalize drops zeros at both ends and adds those that make both the point and the length even.
func normalize(digits string, point int) (string, int) {
	trimmed := strings.TrimLeft(digits, "0")
	point -= len(digits) - len(trimmed)
	trimmed = strings.TrimRight(trimmed, "0")
	if trimmed == "" {
		return "", 0
	}
	if point%2 != 0 {
		trimmed = "0" + trimmed
		point++
	}
	if len(trimmed)%2 != 0 {
		trimmed += "0"
	}
	return trimmed, point
}

// NumberText returns the decimal text of a NUMBER.
func NumberText(number []byte) (string, error) {
	if len(number) == 0 || len(number) > mantissaDigits+2 {
		return "", fmt.Errorf("a NUMBER of %d bytes", len(number))
	}
	if len(number) == 1 && number[0] == 0x80 {
		return "0", nil
	}
	negative := number[0] < 0x80
	mantissa := number[1:]
	exponent := int(number[0]) - 0xc0
	if negative {
		exponent = 0x3f - int(number[0])
		if n := len(mantissa); n > 0 && mantissa[n-1] == 102 {
			mantissa = mantissa[:n-1]
		}
	}
	var digits strings.Builder
	for _, b := range mantissa {
		pair := int(b) - 1
		if negative {
			pair = 101 - int(b)
		}
		if pair < 0 || pair > 99 {
			return "", fmt.Errorf("% x is not a NUMBER", number)
		}
		fmt.Fprintf(&digits, "%02d", pair)
	}
	return placePoint(digits.String(), 2*exponent, negative), nil
}

// placePoint writes digits as decimal text, with the point after so many of them.
func placePoint(digits string, point int, negative bool) string {
	if point > len(digits) {
		digits += strings.Repeat("0", point-len(digits))
	}
	if point < 0 {
		digits, point = strings.Repeat("0", -point)+digits, 0
	}
	whole, fraction := strings.TrimLeft(digits[:point], "0"), strings.TrimRight(digits[point:], "0")
	if whole == "" {
		whole = "0"
	}
	if negative {
		whole = "-" + whole
	}
	if fraction == "" {
		return whole
	}
	return whole + "." + fraction
}

// AppendDate appends a DATE: century and year of it in excess of 100, month, day, and hour, minute and second in excess of 1.
func AppendDate(buffer []byte, t time.Time) []byte {
	year := t.Year()
	return append(buffer, byte(year/100+100), byte(year%100+100), byte(t.Month()), byte(t.Day()), byte(t.Hour()+1), byte(t.Minute()+1),
		byte(t.Second()+1))
}

// AppendTimestamp appends a TIMESTAMP: a DATE and the nanoseconds.
func AppendTimestamp(buffer []byte, t time.Time) []byte {
	return binary.BigEndian.AppendUint32(AppendDate(buffer, t), uint32(t.Nanosecond()))
}

// AppendTimestampTZ appends a TIMESTAMP WITH TIME ZONE in UTC.
func AppendTimestampTZ(buffer []byte, t time.Time) []byte {
	return append(AppendTimestamp(buffer, t.UTC()), utcHour, utcMinute)
}

// ParseDate returns the time of a DATE or TIMESTAMP; the offset of a TIMESTAMP WITH TIME ZONE, whose time is UTC, is dropped.
func ParseDate(date []byte) (time.Time, error) {
	if len(date) < 7 {
		return time.Time{}, fmt.Errorf("a DATE of %d bytes", len(date))
	}
	nanoseconds := 0
	if len(date) >= 11 {
		nanoseconds = int(binary.BigEndian.Uint32(date[7:]))
	}
	year := (int(date[0])-100)*100 + int(date[1]) - 100
	return time.Date(year, time.Month(date[2]), int(date[3]), int(date[4])-1, int(date[5])-1, int(date[6])-1, nanoseconds, time.UTC), nil
}
