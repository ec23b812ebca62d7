package sql

import (
	"strings"
	"testing"
)

func TestDecimalsAreCanonical(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"007", "7"},
		{"-0", "0"},
		{"+1.50", "1.5"},
		{".5", "0.5"},
		{"-.5", "-0.5"},
		{"5.", "5"},
		{" 5 ", "5"},
		{"1.5E+3", "1500"},
		{"12e-4", "0.0012"},
		{"1e125", "1" + zeros(125)},
		{"1e-130", "0." + zeros(129) + "1"},
		{"1e-131", "0"},
		{"1e-99999999999999999999", "0"},
		{"0e99999999999999999999", "0"},
		// 20 digits to the base of 100: 40 decimal digits, or 39 where the first pair has one only.
		{"0.1234567890123456789012345678901234567890" + "6", "0.1234567890123456789012345678901234567891"},
		{"1234567890123456789012345678901234567890", "1234567890123456789012345678901234567890"},
		{"123456789012345678901234567890123456789.5", "123456789012345678901234567890123456790"},
		{"9999999999999999999999999999999999999999" + "9", "1" + zeros(41)},
	} {
		got, err := parseDecimal(c.text)
		if err != nil || string(got) != c.want {
			t.Errorf("%q: got %s, %v, want %s", c.text, got, err, c.want)
		}
	}
}

func TestWhatIsNoDecimal(t *testing.T) {
	for text, code := range map[string]int{
		"": 1722, "x": 1722, "1x": 1722, "--1": 1722, "1 2": 1722, ".": 1722, "1e": 1722, "e5": 1722, "1.2.3": 1722,
		"1e126": 1426, "1e99999999999999999999": 1426,
	} {
		if got, err := parseDecimal(text); err == nil || err.Code != code {
			t.Errorf("%q: got %s, %v, want ORA-%05d", text, got, err, code)
		}
	}
}

func TestQuotients(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"1", "3", "0.3333333333333333333333333333333333333333"},
		{"10", "3", "3.33333333333333333333333333333333333333"},
		{"2", "3", "0.6666666666666666666666666666666666666667"},
		{"-1", "8", "-0.125"},
		{"1", "1" + zeros(125), "0." + zeros(124) + "1"},
	} {
		got, err := divide(Decimal(c.a), Decimal(c.b))
		if err != nil || string(got) != c.want {
			t.Errorf("%s / %s: got %s, %v, want %s", c.a, c.b, got, err, c.want)
		}
	}
}

func TestDecimalsAsText(t *testing.T) {
	for _, c := range []struct{ decimal, want string }{
		{"0", "0"},
		{"-12.5", "-12.5"},
		{"-0.5", "-.5"},
		{"0.3333333333333333333333333333333333333333", "." + strings.Repeat("3", 39)},
		{"1" + zeros(39), "1" + zeros(39)},
		{"1" + zeros(50), "1." + zeros(34) + "E+50"},
		{"-1" + zeros(125), "-1." + zeros(34) + "E+125"},
		{"0." + zeros(49) + "1", "1." + zeros(34) + "E-50"},
		{"0.0000115740740740740740740740740740740740740741", "1.1574074074074074074074074074074074E-05"},
	} {
		if got := Decimal(c.decimal).text(); got != c.want {
			t.Errorf("%s: got %s, want %s", c.decimal, got, c.want)
		}
	}
}

func TestDecimalsInOrder(t *testing.T) {
	ascending := []Decimal{"-100", "-9", "-0.5", "0", "0.01", "0.5", "2", "10", "10.5", "99999999999999999999999999999999999999", "1" + Decimal(zeros(39))}
	for i, a := range ascending {
		for j, b := range ascending {
			if got := compareDecimals(a, b); sign(got) != sign(i-j) {
				t.Errorf("compare %s with %s: %d", a, b, got)
			}
		}
	}
}

func sign(n int) int { return max(-1, min(n, 1)) }

func zeros(n int) string { return strings.Repeat("0", n) }
