// Packets of real servers, 9i to 26ai, read from beside the checkout.

package tns

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// captured is one packet of a capture with what its description says.
type captured struct {
	file  string
	what  string // "ACCEPT version=314 …"
	wide  bool
	whole bool
	bytes []byte
}

// captures reads every TNS packet that has a description.
func captures(t *testing.T) []captured {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(besideCheckout(t, "captures"), "*.hex"))
	if len(files) == 0 {
		t.Skip("no captures of real servers beside this checkout (../shared/captures)")
	}
	var all []captured
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, parseCapture(t, filepath.Base(file), string(text))...)
	}
	return all
}

func parseCapture(t *testing.T, file, text string) []captured {
	var all []captured
	for _, part := range strings.Split(text, "# packet:")[1:] {
		p := captured{file: file, whole: true}
		tns := false
		for _, line := range strings.Split(part, "\n")[1:] {
			note, isNote := strings.CutPrefix(line, "# ")
			switch {
			case strings.HasPrefix(note, "framing: TNS"):
				tns, p.wide = true, strings.Contains(note, "32-bit")
			case strings.HasPrefix(note, "what: "):
				p.what = strings.TrimPrefix(note, "what: ")
			case strings.HasPrefix(note, "complete: no"):
				p.whole = false
			case !isNote && line != "#":
				b, err := hex.DecodeString(strings.ReplaceAll(line, " ", ""))
				if err != nil {
					t.Fatalf("%s: %v", file, err)
				}
				p.bytes = append(p.bytes, b...)
			}
		}
		if tns {
			all = append(all, p)
		}
	}
	return all
}

// besideCheckout returns the folder of that name in shared/ beside the module.
func besideCheckout(t *testing.T, name string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, "..", "shared", name)
		}
		if filepath.Dir(dir) == dir {
			t.Fatal("no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
}

// number finds key=NUMBER in a description; -1 if it is not there.
func (p captured) number(t *testing.T, key string) int {
	m := regexp.MustCompile(`\b` + key + `=(\d+)`).FindStringSubmatch(p.what)
	if m == nil {
		return -1
	}
	n, err := strconv.Atoi(m[1])
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestHeadersOfRealServers(t *testing.T) {
	types := map[string]Type{"CONNECT": Connect, "ACCEPT": Accept, "REFUSE": Refuse, "REDIRECT": Redirect,
		"RESEND": Resend, "MARKER": Marker, "CONTROL": Control, "DATA": Data}
	for _, p := range captures(t) {
		h, err := ParseHeader(p.bytes, p.wide, MaxSDU)
		if err != nil {
			t.Errorf("%s: %s: %v", p.file, p.what, err)
			continue
		}
		if p.whole && h.Length != len(p.bytes) {
			t.Errorf("%s: %s: length %d, the packet has %d bytes", p.file, p.what, h.Length, len(p.bytes))
		}
		word, _, _ := strings.Cut(strings.TrimSuffix(p.what, ":"), " ")
		if want, known := types[strings.TrimSuffix(word, ":")]; known && h.Type != want {
			t.Errorf("%s: %s: read as %s", p.file, p.what, h.Type)
		}
	}
}

func TestAcceptsOfRealServers(t *testing.T) {
	seen := 0
	for _, p := range captures(t) {
		if !strings.HasPrefix(p.what, "ACCEPT ") {
			continue
		}
		seen++
		sdu, tdu := p.number(t, "SDU16"), p.number(t, "TDU16")
		if p.number(t, "SDU32") >= 0 {
			sdu, tdu = p.number(t, "SDU32"), p.number(t, "TDU32")
		}
		a, err := ParseAccept(p.bytes)
		if err != nil || a.Version != p.number(t, "version") || a.SDU != sdu || a.TDU != tdu {
			t.Errorf("%s: %s: read as %+v, error %v", p.file, p.what, a, err)
		}
		again, err := ParseAccept(a.Bytes())
		if err != nil || again != a {
			t.Errorf("%s: %s: rendered and read again as %+v, error %v", p.file, p.what, again, err)
		}
	}
	if seen == 0 {
		t.Error("the captures hold no ACCEPT")
	}
}

func TestRefusalsAndRedirectsOfRealServers(t *testing.T) {
	seen := 0
	for _, p := range captures(t) {
		switch {
		case strings.HasPrefix(p.what, "REFUSE "):
			seen++
			r := ParseRefuse(p.bytes)
			if !strings.HasSuffix(p.what, r.Text) || r.Code() == 0 || !strings.Contains(p.what, "ERR="+strconv.Itoa(r.Code())) {
				t.Errorf("%s: %s: read as %+v, code %d", p.file, p.what, r, r.Code())
			}
		case strings.HasPrefix(p.what, "REDIRECT "):
			seen++
			text, following, err := RedirectText(p.bytes)
			if err != nil || len(text)+following != p.number(t, "data_len") {
				t.Errorf("%s: %s: %d bytes inside, %d behind, error %v", p.file, p.what, len(text), following, err)
			}
		}
	}
	if seen < 4 {
		t.Errorf("the captures hold %d refusals and redirects, 4 were expected", seen)
	}
}

// The first two captures are described in their heading instead.
func TestAcceptsOfTheFirstCaptures(t *testing.T) {
	for file, want := range map[string]Acceptance{
		"01-logon-start-12c.hex":    {Version: 315, SDU: 8192, TDU: 2097152},
		"02-accept-315-unknown.hex": {Version: 315, SDU: 8192, TDU: 65535},
	} {
		text, err := os.ReadFile(filepath.Join(besideCheckout(t, "captures"), file))
		if err != nil {
			t.Skipf("no captures of real servers beside this checkout: %v", err)
		}
		a, err := ParseAccept(packetAfter(t, string(text), "ACCEPT"))
		if err != nil || a.Version != want.Version || a.SDU != want.SDU || a.TDU != want.TDU {
			t.Errorf("%s: read as %+v, error %v, want %+v", file, a, err, want)
		}
	}
}

// packetAfter returns the bytes that follow the comment with the given word.
func packetAfter(t *testing.T, text, word string) []byte {
	var packet []byte
	found := false
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "#") {
			if found && len(packet) > 0 {
				break
			}
			found = found || strings.Contains(line, "S>C "+word)
			continue
		}
		if found {
			b, err := hex.DecodeString(strings.ReplaceAll(line, " ", ""))
			if err != nil {
				t.Fatal(err)
			}
			packet = append(packet, b...)
		}
	}
	return packet
}
