package probes

import (
	"strings"
	"testing"
)

func TestArraysizeIsWhatWillBeOnTheWireOrRefused(t *testing.T) {
	for _, c := range []struct {
		text string
		want Arraysize
		err  string
	}{
		{"1", 1, ""},
		{"100", 100, ""},
		{"65535", 65535, ""},
		{"auto", Auto, ""},
		{"25", 0, "use 24, 26 or auto"},
		{"0", 0, "out of range"},
		{"65536", 0, "out of range"},
		{"-1", 0, "out of range"},
		{"many", 0, "neither a number of rows nor auto"},
	} {
		var a Arraysize
		err := a.UnmarshalYAML(func(into any) error {
			*into.(*string) = c.text
			return nil
		})
		switch {
		case c.err == "" && (err != nil || a != c.want):
			t.Errorf("%s: %d, %v; want %d", c.text, a, err, c.want)
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%s: %v, want an error with %q", c.text, err, c.err)
		}
	}
}

func TestPayloadRowsHaveTheSizeAskedFor(t *testing.T) {
	for rowBytes, columns := range map[int]int{1: 1, 64: 1, 200: 3, 1000: 15} {
		query := payloadQuery(rowBytes)
		if got := strings.Count(query, "standard_hash("); got != columns {
			t.Errorf("%d bytes: %d hashes of 64 bytes, want %d", rowBytes, got, columns)
		}
		if got := len(payloadBinds(rowBytes, 10)); got != columns+1 {
			t.Errorf("%d bytes: %d binds, want %d", rowBytes, got, columns+1)
		}
		if query != payloadQuery(rowBytes) {
			t.Errorf("%d bytes: the text changes, every run would be parsed anew", rowBytes)
		}
	}
}

func TestGridStepsByOneTwoFive(t *testing.T) {
	got := grid(50e-6, 0.005)
	want := []float64{0.00005, 0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005}
	if len(got) != len(want) {
		t.Fatalf("%v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("%v, want %v", got, want)
		}
	}
}
