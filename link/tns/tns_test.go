package tns

import (
	"bytes"
	"errors"
	"testing"
)

func TestParseHeaderBelievesNoLength(t *testing.T) {
	for _, c := range []struct {
		name  string
		bytes []byte
		wide  bool
		ok    bool
	}{
		{"16-bit length", []byte{0, 10, 0, 0, 6, 0, 0, 0}, false, true},
		{"32-bit length", []byte{0, 0, 0, 10, 6, 0, 0, 0}, true, true},
		{"shorter than a header", []byte{0, 7, 0, 0, 6, 0, 0, 0}, false, false},
		{"zero", make([]byte, 8), false, false},
		{"4 GiB", []byte{0xff, 0xff, 0xff, 0xff, 6, 0, 0, 0}, true, false},
		{"above what was allowed", []byte{0xff, 0xff, 0, 0, 6, 0, 0, 0}, false, false},
		{"cut off", []byte{0, 10, 0}, false, false},
		{"HTTP", []byte("HTTP/1.1"), false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ParseHeader(c.bytes, c.wide, 8192)
			if (err == nil) != c.ok {
				t.Fatalf("error %v, want ok = %v", err, c.ok)
			}
			if err != nil && !errors.Is(err, ErrMalformed) {
				t.Fatalf("error %v does not wrap ErrMalformed", err)
			}
		})
	}
}

func TestParseAcceptRefusesImpossibleSizes(t *testing.T) {
	granted := func(version, sdu, tdu int) []byte {
		return Acceptance{Version: version, SDU: sdu, TDU: tdu}.Bytes()
	}
	for _, c := range []struct {
		name   string
		packet []byte
		sdu    int // 0: refused
	}{
		{"version 314", granted(314, 8192, 65535), 8192},
		{"version 319", granted(319, 65536, 2097152), 65536},
		{"SDU above TDU is clamped to it", granted(319, 65536, 8192), 8192},
		{"SDU below 512", granted(319, 511, 8192), 0},
		{"SDU 0", granted(314, 0, 0), 0},
		{"SDU above 2 MiB", granted(319, MaxSDU+1, MaxSDU+1), 0},
		{"version 315 cut to 32 bytes", granted(315, 8192, 8192)[:32], 0},
		{"8 bytes", granted(315, 8192, 8192)[:8], 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, err := ParseAccept(c.packet)
			switch {
			case c.sdu == 0 && !errors.Is(err, ErrMalformed):
				t.Fatalf("accepted as %+v, error %v", a, err)
			case c.sdu != 0 && (err != nil || a.SDU != c.sdu):
				t.Fatalf("SDU %d, error %v, want %d", a.SDU, err, c.sdu)
			}
		})
	}
}

func TestConnectDataOverflowIntoADataPacketAbove230Bytes(t *testing.T) {
	for _, c := range []struct {
		length  int
		packets int
	}{{230, 1}, {231, 2}} {
		request := ConnectRequest{SDU: 8192, Data: string(bytes.Repeat([]byte("x"), c.length))}
		all, n := request.Packets(), 0
		for rest := all; len(rest) > 0; n++ {
			h, err := ParseHeader(rest, false, 0xffff)
			if err != nil {
				t.Fatal(err)
			}
			rest = rest[h.Length:]
		}
		if n != c.packets || !bytes.HasSuffix(all, []byte(request.Data)) {
			t.Errorf("%d bytes of connect data make %d packets, want %d", c.length, n, c.packets)
		}
	}
}

func TestRedirectTextInsideAndBehindThePacket(t *testing.T) {
	inside := append([]byte{0, 16, 0, 0, 5, 2, 0, 0, 0, 6}, "(A)\x00(B"...)
	text, following, err := RedirectText(inside)
	if err != nil || following != 0 {
		t.Fatalf("following %d, error %v", following, err)
	}
	if got := ParseRedirection(text); got != (Redirection{Address: "(A)", ConnectData: "(B"}) {
		t.Fatalf("got %+v", got)
	}
	_, following, err = RedirectText([]byte{0, 10, 0, 0, 5, 2, 0, 0, 1, 0x31})
	if err != nil || following != 305 {
		t.Fatalf("following %d, error %v, want 305", following, err)
	}
	for _, bad := range [][]byte{{0, 8, 0, 0, 5, 0, 0, 0}, {0, 10, 0, 0, 5, 0, 0, 0, 0, 0}, {0, 11, 0, 0, 5, 0, 0, 0, 0, 9, 'x'}} {
		if _, _, err := RedirectText(bad); !errors.Is(err, ErrMalformed) {
			t.Errorf("% x: error %v", bad, err)
		}
	}
}

func FuzzPackets(f *testing.F) {
	f.Add(Acceptance{Version: 319, SDU: 8192, TDU: 8192}.Bytes())
	f.Add([]byte{0, 10, 0, 0, 5, 2, 0, 0, 1, 0x31})
	f.Add([]byte{0, 12, 0, 0, 4, 0, 0, 0, 34, 0, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, p []byte) {
		if a, err := ParseAccept(p); err == nil && (a.SDU < MinSDU || a.SDU > MaxSDU) {
			t.Fatalf("SDU %d got through", a.SDU)
		}
		_ = ParseRefuse(p).Code()
		if text, _, err := RedirectText(p); err == nil {
			_ = ParseRedirection(text)
		}
		_, _ = ParseHeader(p, true, MaxSDU)
	})
}
