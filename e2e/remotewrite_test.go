// The remote write protocol, as far as one sample takes it:
// https://prometheus.io/docs/specs/prw/remote_write_spec/

package e2e

import (
	"bytes"
	"encoding/binary"
	"io"
	"maps"
	"math"
	"net/http"
	"slices"
	"testing"
	"time"
)

// remoteWrite sends one sample to a Prometheus, which must take it.
func remoteWrite(t *testing.T, p *prometheus, labels map[string]string, value float64, at time.Time) {
	t.Helper()
	var series []byte
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		series = field(series, 1, field(field(nil, 1, []byte(name)), 2, []byte(labels[name])))
	}
	sample := binary.LittleEndian.AppendUint64([]byte{1<<3 | 1}, math.Float64bits(value)) // field 1, 64 bits
	sample = binary.AppendUvarint(append(sample, 2<<3), uint64(at.UnixMilli()))           // field 2, varint
	request := field(nil, 1, field(series, 2, sample))
	response, err := http.Post("http://"+p.address+"/api/v1/write", "application/x-protobuf", bytes.NewReader(snappy(request)))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		said, _ := io.ReadAll(response.Body)
		t.Fatalf("a sample of %v: %s %s", at.Format(time.RFC3339), response.Status, said)
	}
}

// field appends one whose value has a length, as protobuf writes it.
func field(to []byte, number byte, value []byte) []byte {
	return append(binary.AppendUvarint(append(to, number<<3|2), uint64(len(value))), value...)
}

// snappy is a block of up to 64 KiB with nothing compressed: its length, and
// one literal whose length less one is in two bytes.
func snappy(text []byte) []byte {
	block := append(binary.AppendUvarint(nil, uint64(len(text))), 61<<2)
	return append(binary.LittleEndian.AppendUint16(block, uint16(len(text)-1)), text...)
}
