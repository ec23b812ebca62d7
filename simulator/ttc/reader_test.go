package ttc

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

var errNoMore = errors.New("no more packets")

// packetsOf returns a reader of the payload, cut into packets of n bytes.
func packetsOf(payload []byte, n int) *Reader {
	return NewReader(func() ([]byte, error) {
		if len(payload) == 0 {
			return nil, errNoMore
		}
		part := payload[:min(n, len(payload))]
		payload = payload[len(part):]
		return part, nil
	})
}

func TestWhatWasWrittenIsReadWhereverThePacketsAreCut(t *testing.T) {
	long := strings.Repeat("0123456789", 10_000)
	var w Writer
	w.UB(0)
	w.UB(1)
	w.UB(1 << 40)
	w.SB(-127)
	w.Text("short")
	w.Text(strings.Repeat("x", 252))
	w.Text(strings.Repeat("x", 253))
	w.Text(long)
	w.DLC("")
	w.DLC("twice")
	w.Pair("key", "value", 7)
	for _, size := range []int{1, 7, 251, 8192, 1 << 20} {
		r := packetsOf(w.Bytes(), size)
		if a, b, c, d := r.UB(), r.UB(), r.UB(), r.UB(); a != 0 || b != 1 || c != 1<<40 || d != 127 {
			t.Errorf("integers: %d %d %d %d", a, b, c, d)
		}
		for _, want := range []string{"short", strings.Repeat("x", 252), strings.Repeat("x", 253), long} {
			if got := r.CLR(); string(got) != want {
				t.Errorf("packets of %d bytes: a text of %d bytes came as %d", size, len(want), len(got))
			}
		}
		if a, b := r.DLC(), r.DLC(); a != "" || b != "twice" {
			t.Errorf("texts: %q %q", a, b)
		}
		if key, value, number := r.Pair(); key != "key" || value != "value" || number != 7 {
			t.Errorf("pair: %q %q %d", key, value, number)
		}
		if r.Err() != nil || r.Unread() != 0 {
			t.Errorf("%v, %d bytes left", r.Err(), r.Unread())
		}
	}
}

func TestTheFirstErrorStays(t *testing.T) {
	r := packetsOf([]byte{9, 1, 2}, 3)
	if n := r.UB(); n != 0 || r.Err() == nil {
		t.Fatalf("an integer of 9 bytes became %d, %v", n, r.Err())
	}
	first := r.Err()
	if b := r.Byte(); b != 0 || r.Err() != first {
		t.Errorf("after an error: byte %d, %v", b, r.Err())
	}
	r.Drop()
	if r.Err() != nil {
		t.Errorf("after Drop: %v", r.Err())
	}
}

func TestAValueNeverTakesMoreMemoryThanItsMessageMay(t *testing.T) {
	endless := NewReader(func() ([]byte, error) { return bytes.Repeat([]byte{254, 2, 0xff, 0xff}, 1024), nil })
	endless.CLR()
	if endless.Err() == nil || len(endless.buffer) > longestMessage+8192 {
		t.Errorf("%d bytes were kept, %v", len(endless.buffer), endless.Err())
	}
}

func TestACutOffMessageIsAnError(t *testing.T) {
	var w Writer
	w.DLC(strings.Repeat("x", 300))
	for n := range w.Len() {
		r := packetsOf(w.Bytes()[:n], 64)
		r.DLC()
		if !errors.Is(r.Err(), errNoMore) {
			t.Fatalf("after %d bytes: %v", n, r.Err())
		}
	}
}
