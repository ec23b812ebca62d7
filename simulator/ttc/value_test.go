package ttc

import (
	"bytes"
	"encoding/hex"
	"testing"
	"time"
)

// The encodings up to 123456789 are those of Oracle's DUMP; 100, 1.5 and 1014 are in captures 44 and 49 as well.
func TestNumbersAreOraclesNumbers(t *testing.T) {
	tests := []struct{ text, encoded, back string }{
		{"0", "80", "0"},
		{"-0", "80", "0"},
		{"1", "c102", "1"},
		{"10", "c10b", "10"},
		{"100", "c202", "100"},
		{"1014", "c20b0f", "1014"},
		{"1.5", "c10233", "1.5"},
		{"0.01", "c002", "0.01"},
		{"0.001", "bf0b", "0.001"},
		{"-1", "3e6466", "-1"},
		{"-123.45", "3d644e3866", "-123.45"},
		{"123456789", "c502182e445a", "123456789"},
		{"1E+20", "cb02", "100000000000000000000"},
		{".5", "c033", "0.5"},
		{"12345678901234567890123456789012345678", "d30d23394f5b0d23394f5b0d23394f5b0d23394f", "12345678901234567890123456789012345678"},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			encoded, err := AppendNumber(nil, test.text)
			if err != nil {
				t.Fatal(err)
			}
			if got := hex.EncodeToString(encoded); got != test.encoded {
				t.Errorf("%s is %s, want %s", test.text, got, test.encoded)
			}
			if back, err := NumberText(encoded); err != nil || back != test.back {
				t.Errorf("back: %q, %v; want %q", back, err, test.back)
			}
		})
	}
}

func TestWhatIsNoNumberIsRefused(t *testing.T) {
	for _, text := range []string{"", "-", "one", "1.2.3", "0x10", "1E", "1E+200", "1E-200"} {
		if encoded, err := AppendNumber(nil, text); err == nil {
			t.Errorf("%q became % x", text, encoded)
		}
	}
	for _, encoded := range [][]byte{nil, {0xc1, 0}, {0x3e, 102, 102}, bytes.Repeat([]byte{0xc1}, 30)} {
		if text, err := NumberText(encoded); err == nil {
			t.Errorf("% x became %q", encoded, text)
		}
	}
}

func TestDatesComeBack(t *testing.T) {
	for _, want := range []time.Time{
		time.Date(2024, 2, 29, 23, 59, 59, 0, time.UTC),
		time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(9999, 12, 31, 23, 59, 59, 999999999, time.UTC),
	} {
		encoded := AppendDate(nil, want)
		if want.Nanosecond() != 0 {
			encoded = AppendTimestamp(nil, want)
		}
		if got, err := ParseDate(encoded); err != nil || !got.Equal(want) {
			t.Errorf("%v came back as %v, %v", want, got, err)
		}
	}
	if _, err := ParseDate([]byte{120, 124}); err == nil {
		t.Error("two bytes became a date")
	}
}
