package sql

// This file holds the arithmetic of NUMBER: exact decimals, rounded as Oracle rounds them.

import (
	"math/big"
	"strconv"
	"strings"
)

// Decimal is the value of a NUMBER as canonical text: a sign where it is negative, digits without leading zeros, and a fraction
// without trailing zeros; "0", "-12", "0.5". It has at most 40 significant digits and no exponent.
type Decimal string

// The bounds of NUMBER: values are below 1e126, those below 1e-130 are 0, and the mantissa has 20 digits to the base of 100.
const (
	maxMagnitude   = 126
	minMagnitude   = -129
	mantissaDigits = 40
)

// scaled is a decimal under arithmetic: coefficient × 10^exponent.
type scaled struct {
	coefficient *big.Int
	exponent    int
}

func decimalOf(n int) Decimal { return Decimal(strconv.Itoa(n)) }

func powerOfTen(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// parseDecimal reads a number with or without sign, fraction and exponent, blanks around it ignored. What is not one is ORA-01722.
func parseDecimal(text string) (Decimal, *Error) {
	text = strings.Trim(text, " ")
	if isCanonicalInteger(text) {
		return Decimal(text), nil
	}
	unsigned := strings.TrimLeft(text, "+-")
	mantissa, exponentText, hasExponent := strings.Cut(strings.ToUpper(unsigned), "E")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := whole + fraction
	exponent, err := 0, error(nil)
	if hasExponent {
		exponent, err = strconv.Atoi(exponentText)
	}
	switch {
	case len(text)-len(unsigned) > 1, digits == "", strings.Trim(digits, "0123456789") != "", isSyntaxError(err):
		return "", fail(1722, 0, "invalid number")
	case strings.Trim(digits, "0") == "":
		return "0", nil
	case err != nil && strings.HasPrefix(exponentText, "-"):
		return "0", nil
	case err != nil:
		return "", errOverflow()
	}
	return canonical(text[0] == '-', digits, exponent-len(fraction))
}

// isSyntaxError tells an exponent that is no number from one that is too big.
func isSyntaxError(err error) bool {
	numError, ok := err.(*strconv.NumError)
	return ok && numError.Err == strconv.ErrSyntax
}

func errOverflow() *Error { return fail(1426, 0, "numeric overflow") }

// isCanonicalInteger reports whether a text is a Decimal without sign and fraction.
func isCanonicalInteger(text string) bool {
	if len(text) == 0 || len(text) > mantissaDigits-2 || text[0] == '0' && len(text) > 1 {
		return false
	}
	for i := range len(text) {
		if !isDigit(text[i]) {
			return false
		}
	}
	return true
}

// canonical writes digits × 10^exponent, rounded to what a NUMBER can hold. Half is rounded away from zero.
func canonical(negative bool, digits string, exponent int) (Decimal, *Error) {
	digits = strings.TrimLeft(digits, "0")
	magnitude := len(digits) + exponent // the value is 0.digits × 10^magnitude
	if kept := mantissaDigits - magnitude&1; len(digits) > kept {
		return canonical(negative, roundDigits(digits, kept), exponent+len(digits)-kept)
	}
	digits, exponent = trimZeros(digits, exponent)
	switch {
	case digits == "" || magnitude < minMagnitude:
		return "0", nil
	case magnitude > maxMagnitude:
		return "", errOverflow()
	}
	sign := ""
	if negative {
		sign = "-"
	}
	return Decimal(sign + positional(digits, exponent)), nil
}

// roundDigits keeps the first digits of a number and rounds by the next one. A carry out of the first digit makes the result one
// digit longer.
func roundDigits(digits string, kept int) string {
	head, _ := new(big.Int).SetString("0"+digits[:kept], 10)
	if digits[kept] >= '5' {
		head.Add(head, big.NewInt(1))
	}
	return head.String()
}

func trimZeros(digits string, exponent int) (string, int) {
	trimmed := strings.TrimRight(digits, "0")
	return trimmed, exponent + len(digits) - len(trimmed)
}

// positional writes digits × 10^exponent without an exponent.
func positional(digits string, exponent int) string {
	switch point := len(digits) + exponent; {
	case exponent >= 0:
		return digits + strings.Repeat("0", exponent)
	case point > 0:
		return digits[:point] + "." + digits[point:]
	default:
		return "0." + strings.Repeat("0", -point) + digits
	}
}

func (d Decimal) scaled() scaled {
	whole, fraction, _ := strings.Cut(string(d), ".")
	coefficient, ok := new(big.Int).SetString(whole+fraction, 10)
	if !ok { // a bind that is not what its type promises
		coefficient = new(big.Int)
	}
	return scaled{coefficient, -len(fraction)}
}

func (s scaled) decimal() (Decimal, *Error) {
	digits := new(big.Int).Abs(s.coefficient).String()
	return canonical(s.coefficient.Sign() < 0, digits, s.exponent)
}

// aligned returns the coefficients of two decimals for the smaller of their exponents, and that exponent.
func aligned(a, b Decimal) (x, y *big.Int, exponent int) {
	left, right := a.scaled(), b.scaled()
	exponent = min(left.exponent, right.exponent)
	left.coefficient.Mul(left.coefficient, powerOfTen(left.exponent-exponent))
	right.coefficient.Mul(right.coefficient, powerOfTen(right.exponent-exponent))
	return left.coefficient, right.coefficient, exponent
}

func add(a, b Decimal) (Decimal, *Error) {
	x, y, exponent := aligned(a, b)
	return scaled{x.Add(x, y), exponent}.decimal()
}

func subtract(a, b Decimal) (Decimal, *Error) {
	x, y, exponent := aligned(a, b)
	return scaled{x.Sub(x, y), exponent}.decimal()
}

func multiply(a, b Decimal) (Decimal, *Error) {
	x, y := a.scaled(), b.scaled()
	return scaled{x.coefficient.Mul(x.coefficient, y.coefficient), x.exponent + y.exponent}.decimal()
}

func divide(a, b Decimal) (Decimal, *Error) {
	x, y := a.scaled(), b.scaled()
	if y.coefficient.Sign() == 0 {
		return "", fail(1476, 0, "divisor is equal to zero")
	}
	// Digits enough for the quotient to be rounded from a digit that it really has.
	shift := mantissaDigits + 2 + len(y.coefficient.String())
	x.coefficient.Mul(x.coefficient, powerOfTen(shift))
	return scaled{x.coefficient.Quo(x.coefficient, y.coefficient), x.exponent - y.exponent - shift}.decimal()
}

// modulo is Oracle's MOD: the remainder has the sign of a, and MOD(a, 0) is a.
func modulo(a, b Decimal) (Decimal, *Error) {
	x, y, exponent := aligned(a, b)
	if y.Sign() == 0 {
		return a, nil
	}
	return scaled{x.Rem(x, y), exponent}.decimal()
}

func negative(d Decimal) Decimal {
	switch {
	case d == "0":
		return d
	case d[0] == '-':
		return d[1:]
	}
	return "-" + d
}

// round rounds to a number of digits behind the decimal point, or in front of it where scale is negative.
func (d Decimal) round(scale int) (Decimal, *Error) {
	value := d.scaled()
	if excess := -value.exponent - scale; excess > 0 {
		half := new(big.Int).Div(powerOfTen(excess), big.NewInt(2))
		if value.coefficient.Sign() < 0 {
			half.Neg(half)
		}
		value.coefficient.Add(value.coefficient, half).Quo(value.coefficient, powerOfTen(excess))
		value.exponent += excess
	}
	return value.decimal()
}

// integer is the whole part of the number, at most limit and at least -limit.
func (d Decimal) integer(limit int) int {
	whole, _, _ := strings.Cut(string(d), ".")
	n, err := strconv.Atoi(whole)
	if err == nil {
		return max(-limit, min(n, limit))
	}
	if d != "" && d[0] == '-' {
		return -limit
	}
	return limit
}

// compareDecimals is negative, zero or positive, as a is less than, equal to or greater than b. Most comparisons are of counts, which need no arithmetic.
func compareDecimals(a, b Decimal) int {
	if !isCanonicalInteger(string(a)) || !isCanonicalInteger(string(b)) {
		x, y, _ := aligned(a, b)
		return x.Cmp(y)
	}
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(string(a), string(b))
}

// maxTextDigits is how many characters Oracle's implicit conversion of a number takes, its sign not counted.
const maxTextDigits = 40

// text converts the number as TO_CHAR does without a format: no zero in front of the point, at most 40 characters, and scientific
// notation for what does not fit.
func (d Decimal) text() string {
	unsigned := strings.TrimPrefix(string(d), "-")
	sign := string(d[:len(d)-len(unsigned)])
	short := unsigned
	if strings.HasPrefix(unsigned, "0.") {
		short = unsigned[1:]
	}
	if len(short) <= maxTextDigits {
		return sign + short
	}
	whole, fraction, _ := strings.Cut(unsigned, ".")
	if len(whole) < maxTextDigits && !strings.HasPrefix(short, ".0") {
		return sign + shorten(unsigned, maxTextDigits-1-len(strings.TrimPrefix(whole, "0")))
	}
	return sign + scientific(whole, fraction)
}

// shorten rounds to a number of digits behind the point.
func shorten(unsigned string, scale int) string {
	rounded, err := Decimal(unsigned).round(scale)
	if err != nil {
		return unsigned
	}
	return strings.TrimPrefix(string(rounded), "0")
}

// scientific writes a number as 1.2300000000000000000000000000000000E+50: always 40 characters, or 41 with an exponent of three digits.
func scientific(whole, fraction string) string {
	const kept = 35
	digits := strings.TrimLeft(whole+fraction, "0")
	magnitude := len(whole) - 1 - (len(whole+fraction) - len(digits))
	if len(digits) > kept {
		rounded := roundDigits(digits, kept)
		magnitude += len(rounded) - kept
		digits = rounded[:kept]
	}
	digits += strings.Repeat("0", kept-len(digits))
	sign := "+"
	if magnitude < 0 {
		sign, magnitude = "-", -magnitude
	}
	exponent := strconv.Itoa(magnitude)
	return digits[:1] + "." + digits[1:] + "E" + sign + strings.Repeat("0", max(0, 2-len(exponent))) + exponent
}
