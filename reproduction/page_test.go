// What the page is made of.

package main

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPrintedNumbersSayHowPreciseTheyAre(t *testing.T) {
	for _, c := range []struct {
		p           printed
		value, half float64
	}{
		{"18.33", 18.33, 0.005},
		{"0.4", 0.4, 0.05},
		{"131,072", 131072, 0.5},
	} {
		if math.Abs(c.p.value()-c.value) > 1e-9 || math.Abs(c.p.half()-c.half) > 1e-9 {
			t.Errorf("%s is %v ± %v, want %v ± %v", c.p, c.p.value(), c.p.half(), c.value, c.half)
		}
	}
	ratio := printed("0.16").over("0.06")
	if math.Abs(ratio.value-8.0/3) > 1e-9 || math.Abs(ratio.low-0.155/0.065) > 1e-9 || math.Abs(ratio.high-0.165/0.055) > 1e-9 {
		t.Errorf("0.16 ÷ 0.06 is %+v", ratio)
	}
}

func TestFigureHoldsWithinItsToleranceAndThePublishedRounding(t *testing.T) {
	for _, c := range []struct {
		name string
		f    figure
		want bool
	}{
		{"a count", figure{published: count(1002), ours: 1002}, true},
		{"a count that is off by one", figure{published: count(1002), ours: 1001}, false},
		{"a tenth more", figure{published: count(100), ours: 110, allowed: within}, true},
		{"more than a tenth more", figure{published: count(100), ours: 111, allowed: within}, false},
		{"more than a tenth less", figure{published: count(100), ours: 89, allowed: within}, false},
		{"what rounding hides", figure{published: printed("0.06").span(), ours: 0.07, allowed: within}, true},
		{"beyond it", figure{published: printed("0.06").span(), ours: 0.072, allowed: within}, false},
		{"not compared", figure{published: count(1), ours: 2, allowed: shown}, true},
		{"nothing measured", figure{published: count(1), ours: math.NaN(), allowed: within}, false},
		{"nothing published", figure{published: printed("").span(), ours: 1, allowed: within}, false},
	} {
		if got := c.f.holds(); got != c.want {
			t.Errorf("%s: holds %t, want %t", c.name, got, c.want)
		}
	}
}

func TestRowsShowWhatIsComparedAndWhatDoesNotHold(t *testing.T) {
	for want, f := range map[string]figure{
		"| trips | 5,002 | 5,002 | 1.00 | exact |":                      {name: "trips", published: count(5002), ours: 5002},
		"| ratio | 7.54 | 7.91 | 1.05 | 10 % |":                         {name: "ratio", decimals: 2, published: printed("7.54").span(), ours: 7.91, allowed: within},
		"| elapsed | 4.070 s | 4.181 s | 1.03 | – |":                    {name: "elapsed", unit: "s", decimals: 3, published: printed("4.07").span(), ours: 4.181, allowed: shown},
		"| none | 0.00 RTT | 0.00 RTT | – | exact |":                    {name: "none", unit: "RTT", decimals: 2, published: printed("0.00").span(), ours: 0.001},
		"| wrong | 1,234,567 | 12 | 0.00 | exact, **not held** |":       {name: "wrong", published: count(1234567), ours: 12},
		"| wrong | 1.00 | 2.00 | 2.00 | 10 %, **not held** |":           {name: "wrong", decimals: 2, published: count(1), ours: 2, allowed: within},
		"| less | -1,000.5 ms | 100.5 ms | -0.10 | 5 %, **not held** |": {name: "less", unit: "ms", decimals: 1, published: printed("-1000.5").span(), ours: 100.5, allowed: 0.05},
	} {
		if got := f.row(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// The shaper is the one under which both cells it was fitted to come out.
func TestShaperIsTheOneOfTheFittedCells(t *testing.T) {
	s := fitShaper()
	for _, q := range fittedTo {
		answers := float64(q.shape.Rows / q.shape.Arraysize)
		transfer := answers * (answerBytes(q.shape.Arraysize) - s.burst) * 8 / s.bitsPerSecond
		elapsed := transfer + q.server.Seconds() + float64(q.shape.RoundTrips())*milliseconds(m3RTTs[0]).Seconds()
		if math.Abs(elapsed-q.elapsed[0].value()) > 1e-6 {
			t.Errorf("%s: %v s, published %s", q.name, elapsed, q.elapsed[0])
		}
	}
	if s.bitsPerSecond < 0.9e9 || s.bitsPerSecond > 1.1e9 {
		t.Errorf("%.0f Mbit/s on interfaces of 1 Gbit/s", s.bitsPerSecond/1e6)
	}
}

// The committed page is one on which every figure held.
func TestCommittedPageHolds(t *testing.T) {
	text, err := os.ReadFile("../" + pageFile)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(text), introduction) || !strings.Contains(string(text), ", 0 are outside their tolerance.") ||
		strings.Contains(string(text), "not held") {
		t.Errorf("%s does not hold, or has another introduction; run make reproduce", pageFile)
	}
	for _, title := range []string{"## M1 ", "## M2 ", "## M3 ", "## M4 ", "## M5 "} {
		if !strings.Contains(string(text), "\n"+title) {
			t.Errorf("%s has no section %s", pageFile, title)
		}
	}
}

func TestPageIsWrittenInOrderWithItsCharts(t *testing.T) {
	dir := t.TempDir()
	file, charts := filepath.Join(dir, "page.md"), filepath.Join(dir, "charts")
	p := page{
		{title: "M2 later", text: "text", figures: []figure{{name: "a", published: count(1), ours: 2}}},
		{title: "M1 first", chart: &chart{file: "c.svg", title: "A < B", series: []series{{"one & two", style{0, joined}, []point{{1, 2}, {3, 4}}}}}},
	}
	if err := p.write(file, charts); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "1 figures are compared, 1 are outside") || strings.Index(string(text), "M1 first") > strings.Index(string(text), "M2 later") {
		t.Errorf("the page:\n%s", text)
	}
	svg, err := os.Open(filepath.Join(charts, "c.svg"))
	if err != nil {
		t.Fatal(err)
	}
	defer svg.Close()
	for decoder := xml.NewDecoder(svg); ; {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("the chart is no XML: %v", err)
		}
	}
}

func TestAxesEndAtRoundNumbers(t *testing.T) {
	for v, want := range map[float64]float64{0: 1, 14.2: 15, 9: 10, 4.9: 5, 0.03: 0.05, 230: 250, 101: 150, 260: 500} {
		if got := roundUp(v); math.Abs(got-want) > 1e-9 {
			t.Errorf("an axis up to %v ends at %v, want %v", v, got, want)
		}
	}
}

func TestBuffersAreReadFromTheTestsAttributes(t *testing.T) {
	const test = `"Test":"` + buffersTest + `/65536"`
	got, told, err := readTest(strings.NewReader(`{"Action":"run",` + test + `}
{"Action":"attr",` + test + `,"Key":"throughput","Value":"2.3e+06"}
{"Action":"output",` + test + `,"Output":"said\n"}
`))
	if err != nil || got[65536]["throughput"] != 2.3e6 || told != "said\n" {
		t.Errorf("got %v, %q, %v", got, told, err)
	}
	for _, broken := range []string{
		`{"Action":"attr","Test":"Other","Key":"throughput","Value":"1"}`,
		`{"Action":"attr",` + test + `,"Key":"throughput","Value":"fast"}`,
		`FAIL`,
	} {
		if _, _, err := readTest(strings.NewReader(broken)); err == nil {
			t.Errorf("%s was read", broken)
		}
	}
}
