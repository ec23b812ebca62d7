package text

import "testing"

func TestPrintableIsOneLineThatSteersNoTerminal(t *testing.T) {
	for given, want := range map[string]string{
		"":                     "",
		"it's \"ß\" → \\n":     "it's \"ß\" → \\n",
		"a\nb\r\tc":            `a\nb\r\tc`,
		"\x1b[31m\x00\x7f":     `\x1b[31m\x00\x7f`,
		"\u009b2J\u2028\u202e": `\u009b2J\u2028\u202e`,
		"a\xff":                "a\uFFFD",
	} {
		if got := Printable(given); got != want {
			t.Errorf("%q became %q, want %q", given, got, want)
		}
	}
}
