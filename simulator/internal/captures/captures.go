// Package captures reads the packets of real servers that lie beside the checkout, for tests.
package captures

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Packet is a packet of a captured sequence.
type Packet struct {
	FromServer bool
	Complete   bool
	What       string
	Bytes      []byte // with its TNS header, unless the source had none
}

// Load returns the packets of the sequence with the given number, such as "43", by their own numbers less 1. It skips the test where
// there are no captures.
func Load(t testing.TB, number string) []Packet {
	t.Helper()
	directory := find(t)
	names, err := filepath.Glob(filepath.Join(directory, number+"-*.hex"))
	if err != nil || len(names) != 1 {
		t.Fatalf("captures: %d files of number %s, %v", len(names), number, err)
	}
	text, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, string(text))
}

// find walks up to the root of the project and looks beside it.
func find(t testing.TB) string {
	t.Helper()
	directory, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; ; directory = filepath.Dir(directory) {
		if _, err := os.Stat(filepath.Join(directory, "go.mod")); err == nil {
			break
		}
		if directory == filepath.Dir(directory) {
			t.Fatal("captures: no go.mod above the working directory")
		}
	}
	captured := filepath.Join(filepath.Dir(directory), "shared", "captures")
	if _, err := os.Stat(captured); err != nil {
		t.Skip("the captures of real servers are not beside the checkout (../shared/captures)")
	}
	return captured
}

func parse(t testing.TB, text string) (packets []Packet) {
	t.Helper()
	for _, line := range strings.Split(text, "\n") {
		comment, isComment := strings.CutPrefix(line, "#")
		if !isComment {
			data, err := hex.DecodeString(strings.ReplaceAll(line, " ", ""))
			if err != nil {
				t.Fatalf("captures: %v in %q", err, line)
			}
			if len(packets) > 0 {
				packets[len(packets)-1].Bytes = append(packets[len(packets)-1].Bytes, data...)
			}
			continue
		}
		key, value, _ := strings.Cut(strings.TrimSpace(comment), ": ")
		if key == "packet" {
			packets = append(packets, Packet{})
		}
		if len(packets) == 0 {
			continue
		}
		last := &packets[len(packets)-1]
		switch key {
		case "direction":
			last.FromServer = value == "S>C"
		case "complete":
			last.Complete = value == "yes"
		case "what":
			last.What = value
		}
	}
	return packets
}
