// The simulator's packets against those of real servers, up to the log-on: the client's side of a captured session is sent to the
// simulator, and every answer must be the captured one but for the differences that docs/simulator.md names.
package simulator

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"io"
	"net"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"oranet_exporter/simulator/internal/captures"
	"oranet_exporter/simulator/ttc"
)

// edit turns a packet into what is compared.
type edit func([]byte) []byte

// replay sends the client's side of the first packets of a sequence, and compares every answer with the captured one. expected, by
// the packet's number, makes of a captured packet what the simulator should send in its place; compared makes of both what is compared.
func replay(t *testing.T, o Options, sequence string, first int, expected, compared map[int]edit) {
	t.Helper()
	packets := captures.Load(t, sequence)
	server := startServer(t, o)
	socket, err := net.Dial("tcp", server.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	if err := socket.SetDeadline(time.Now().Add(clientTimeout)); err != nil {
		t.Fatal(err)
	}
	large := false
	for i, packet := range packets[:first] {
		if !packet.FromServer {
			if _, err := socket.Write(packet.Bytes); err != nil {
				t.Fatal(err)
			}
			continue
		}
		got, want := readPacket(t, socket, large), packet.Bytes
		large = large || got[4] == 2 && binary.BigEndian.Uint16(got[8:]) >= 315
		if e := expected[i+1]; e != nil {
			want = e(want)
		}
		if e := compared[i+1]; e != nil {
			got, want = e(got), e(want)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("packet %d (%s):\n%s", i+1, packet.What, firstDifference(got, want))
		}
	}
}

// firstDifference shows where two packets part.
func firstDifference(got, want []byte) string {
	i := 0
	for i < min(len(got), len(want)) && got[i] == want[i] {
		i++
	}
	show := func(b []byte) string { return hex.EncodeToString(b[min(i, len(b)):min(i+24, len(b))]) }
	return "at byte " + hex.EncodeToString([]byte{byte(i >> 8), byte(i)}) + "\n got " + show(got) + "\nwant " + show(want)
}

func readPacket(t *testing.T, r io.Reader, large bool) []byte {
	t.Helper()
	header := make([]byte, 8)
	if _, err := io.ReadFull(r, header); err != nil {
		t.Fatal(err)
	}
	length := int(binary.BigEndian.Uint16(header))
	if large {
		length = int(binary.BigEndian.Uint32(header))
	}
	packet := append(header, make([]byte, length-8)...)
	if _, err := io.ReadFull(r, packet[8:]); err != nil {
		t.Fatal(err)
	}
	return packet
}

// replaced returns an edit that replaces bytes, given as hex, and corrects the packet's length.
func replaced(pairs ...string) edit {
	return func(packet []byte) []byte {
		text := hex.EncodeToString(packet)
		for i := 0; i < len(pairs); i += 2 {
			text = strings.Replace(text, strings.ReplaceAll(pairs[i], " ", ""), strings.ReplaceAll(pairs[i+1], " ", ""), 1)
		}
		packet, _ = hex.DecodeString(text)
		binary.BigEndian.PutUint32(packet, uint32(len(packet)))
		return packet
	}
}

// The character set is AL32UTF8 in place of WE8ISO8859P15, with the list of character sets that a 26ai with AL32UTF8 sends.
var unicodeServer = replaced(
	"2e 00 01 00 00", "69 03 01 0a 00 66034003014003660301 66034803014803660301 66035203015203660301 66036103016103660301 66031f03081f03660301",
	"00 83 00 2e", "00 83 03 69")

// A client that says it is of 12.2 gets ORA-03134 behind the markers.
func TestAClientOlderThanTheLayoutsIsTurnedAway(t *testing.T) {
	packets := captures.Load(t, "43")
	server := startServer(t, Options{Services: []string{"servic"}, SDU: 8192, Version: 317})
	socket, err := net.Dial("tcp", server.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	old := replaced("01 01 0b 01 01 01 01 01 01 00 29", "01 01 08 01 01 01 01 01 01 00 29")(bytes.Clone(packets[7].Bytes))
	for _, sent := range [][]byte{append(bytes.Clone(packets[0].Bytes), packets[1].Bytes...), packets[5].Bytes, old} {
		if _, err := socket.Write(sent); err != nil {
			t.Fatal(err)
		}
	}
	readPacket(t, socket, false)
	readPacket(t, socket, true)
	for _, want := range []byte{1, 2} {
		if marker := readPacket(t, socket, true); marker[4] != 12 || marker[10] != want {
			t.Fatalf("got % x, want marker %d", marker, want)
		}
	}
	if _, err := socket.Write([]byte{0, 0, 0, 11, 12, 0, 0, 0, 1, 0, 2}); err != nil {
		t.Fatal(err)
	}
	if answer := readPacket(t, socket, true); !bytes.Contains(answer, []byte("ORA-03134")) {
		t.Errorf("got %q", answer)
	}
}

// secrets are hexadecimal values that are new in every session.
var secrets = regexp.MustCompile("[0-9A-F]{32,}")

func TestAGoOraSessionIsNegotiatedAs19cDid(t *testing.T) {
	replay(t, Options{Services: []string{"servic"}, SDU: 8192, Version: 317}, "43", 11,
		map[int]edit{7: unicodeServer, 11: replaced("04 01 01 02 ac d9", "04 01 01 01 01")}, // the sequence of a call starts at 1
		map[int]edit{11: func(p []byte) []byte { return secrets.ReplaceAll(p, nil) }})
}

func TestAPythonSessionIsNegotiatedAs19cDid(t *testing.T) {
	replay(t, Options{Services: []string{"servic"}, SDU: 8192, Version: 318}, "44", 7, map[int]edit{5: unicodeServer}, nil)
}

func TestTheLogonReturnsTheKeysThat19cReturned(t *testing.T) {
	packet := captures.Load(t, "43")[12].Bytes
	var want []string
	for _, match := range regexp.MustCompile(`AUTH_[A-Z0-9_]+`).FindAllString(string(packet), -1) {
		if match != "AUTH_TSTZ_ERROR_CHECK" { // go-ora's log-on alone has it
			want = append(want, match)
		}
	}
	server := startServer(t, Options{})
	s := &session{server: server}
	var got []string
	for _, p := range s.properties("") {
		if key := strings.TrimRight(p.Key, "\x00"); key != "AUTH_SC_REAL_DBUNIQUE_NAME" { // python-oracledb's alone (capture 44)
			got = append(got, key)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("keys:\n got %v\nwant %v", got, want)
	}
}

// The push is the captured one but for the character set.
func TestTheLogonPushesTheLanguageSettingsThat19cPushed(t *testing.T) {
	packet := captures.Load(t, "43")[12].Bytes
	want := replaced(hex.EncodeToString([]byte("\x01\x0d\x0dWE8ISO8859P15")), hex.EncodeToString([]byte("\x01\x08\x08AL32UTF8")),
		"80 00 00 00 3e 3c 3c", "80 00 00 00 3c 3c 3c")(packet) // the time zone is UTC
	var w ttc.Writer
	w.PushNLS()
	if !bytes.Contains(want, w.Bytes()) {
		t.Errorf("the pushed settings are not in the captured log-on:\n% x", w.Bytes())
	}
}
