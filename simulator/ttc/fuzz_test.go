package ttc

import (
	"encoding/hex"
	"strings"
	"testing"
)

// messages are all that a client can say, behind its header.
var messages = []func(*Reader){
	(*Reader).ProtocolRequest,
	(*Reader).ServicesRequest,
	func(r *Reader) { r.DataTypesRequest() },
	func(r *Reader) { r.AuthCall() },
	func(r *Reader) { r.ExecuteCall(Agreement{FieldVersion: FieldVersion}) },
	func(r *Reader) { r.ReexecuteCall() },
	func(r *Reader) {
		r.BindValues([]BindType{{Type: 1}, {Type: TypeLong}, {Repeated: true}, {Size: longString + 1}})
	},
	func(r *Reader) { r.FetchCall() },
	func(r *Reader) { r.CursorList() },
	func(r *Reader) { r.VersionCall(Agreement{FieldVersion: 12}) },
	(*Reader).SetSchema,
	func(r *Reader) { r.EndToEnd() },
}

// FuzzReader reads any bytes, in packets of any size, as each of the messages.
func FuzzReader(f *testing.F) {
	for i, text := range []string{
		"0600 6f7261636c6500",
		"adbeef 0006 00000000 0000 00",
		"6903 6903 01 26" + strings.Repeat("01", 38) + " 02 0101 0001 0001 0001 0000 0000",
		"01 0105 0102 01 0101 01 01 0570726f6265 010d 0d 415554485f50415353574f5244 0102 02 4142 00",
		"028021 00 01 0112 01 010d 0000 00 0119 043fffffff 0000 0000000000 0000 000001 0000000000 000000 0000000000 0000" +
			"12 53454c45435420312046524f4d204455414c 0101 00 00 00 00 00 00 0101 00 028000 00 00 00",
		"0101 0119 0120 00",
		"07 03 616263 fe 0102 6162 0101 63 00 01 78",
		"0101 0164",
		"01 0102 0101 0102",
		"01 020100 01 01 0101",
		"01 0103 03 616263",
		"00 00 0112 01 0103 000000000000 0000 0000 0000 0000 0000 03 616263",
	} {
		seed, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(i), seed, uint8(0))
		f.Add(uint8(i), seed, uint8(3))
	}
	f.Fuzz(func(t *testing.T, which uint8, payload []byte, size uint8) {
		n := int(size)
		if n == 0 {
			n = max(1, len(payload))
		}
		r := packetsOf(payload, n)
		messages[int(which)%len(messages)](r)
		if r.Unread() < 0 || r.at > len(payload) {
			t.Fatalf("%d bytes were read of %d", r.at, len(payload))
		}
		r.Next()
		if r.Err() == nil && r.Unread() > n {
			t.Fatalf("%d bytes were fetched and not read, packets have %d", r.Unread(), n)
		}
	})
}
