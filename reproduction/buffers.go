// M5: socket buffers. They are the kernel's, and tcp_rmem is a network
// namespace's: the package netproof measures them, between two of its hosts.

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
)

const (
	buffersPackage = "./netproof"
	buffersTest    = "TestThroughputIsTheReceiveBufferOverTheRoundTrip"
)

// The published RTT, and the one of the test, in seconds.
const (
	publishedBufferRTT = 0.014
	bufferRTT          = 0.042
)

// Published: MB/s by the limit of the receive buffer in bytes.
var publishedThroughput = []struct {
	limit      int
	throughput printed
}{
	{6 << 20, "41.0"},
	{256 << 10, "10.7"},
	{64 << 10, "2.0"},
}

// buffers are the attributes of the test, by the limit of the receive buffer.
type buffers map[int]map[string]float64

func reproduceBuffers(l *lab) ([]section, error) {
	cmd := exec.CommandContext(l.ctx, "go", "test", "-count=1", "-json", "-run", "^"+buffersTest+"$", buffersPackage)
	out, err := cmd.Output()
	got, told, readErr := readTest(bytes.NewReader(out))
	if err := errors.Join(err, readErr); err != nil {
		return nil, fmt.Errorf("%s of %s: %w\n%s", buffersTest, buffersPackage, err, told)
	}
	for _, p := range publishedThroughput {
		if got[p.limit]["throughput"] <= 0 {
			return nil, fmt.Errorf("%s of %s measured nothing; it needs Linux, root, and network namespaces\n%s", buffersTest, buffersPackage, told)
		}
	}
	return []section{compareBuffers(got)}, nil
}

// readTest reads the output of go test -json: the figures, which are the
// test's attributes, and what it said.
func readTest(output io.Reader) (got buffers, told string, err error) {
	got = make(buffers)
	var said strings.Builder
	for events := json.NewDecoder(output); ; {
		var event struct{ Action, Test, Key, Value, Output string }
		err := events.Decode(&event)
		if errors.Is(err, io.EOF) {
			return got, said.String(), nil
		}
		if err != nil {
			return nil, said.String(), err
		}
		said.WriteString(event.Output)
		if event.Action == "attr" {
			if err := got.add(event.Test, event.Key, event.Value); err != nil {
				return nil, said.String(), err
			}
		}
	}
}

func (b buffers) add(test, key, text string) error {
	limit, err := strconv.Atoi(strings.TrimPrefix(test, buffersTest+"/"))
	if err != nil {
		return fmt.Errorf("a figure of %s is of no limit: %w", test, err)
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return fmt.Errorf("%s of %s: %w", key, test, err)
	}
	if b[limit] == nil {
		b[limit] = make(map[string]float64)
	}
	b[limit][key] = value
	return nil
}

// compareBuffers compares ratios. MEASUREMENTS M5 is no oracle: what the
// kernel takes of a buffer for itself depends on its version.
func compareBuffers(got buffers) section {
	const roughly allowance = 0.5
	full := publishedThroughput[0]
	s := section{title: "M5 Socket buffers"}
	s.add(
		figure{name: "receive buffer after connecting", unit: "B", published: count(131072), ours: got[full.limit]["receive_connected"]},
		figure{name: "receive buffer after 20 MB", unit: "MB", decimals: 1, published: span{5.4, 4.5, 6.35}, ours: got[full.limit]["receive_fetched"] / 1e6},
		figure{name: "send buffer after connecting", unit: "B", published: count(87040), ours: got[full.limit]["send_connected"], allowed: shown},
		figure{name: "send buffer after 20 MB ÷ after connecting", decimals: 2, published: count(1),
			ours: got[full.limit]["send_fetched"] / got[full.limit]["send_connected"]},
	)
	for _, p := range publishedThroughput[1:] {
		name := fmt.Sprintf("at most %d KB", p.limit>>10)
		s.add(
			figure{name: name + ": throughput ÷ that of 6 MB", decimals: 3, published: p.throughput.over(full.throughput),
				ours: got[p.limit]["throughput"] / got[full.limit]["throughput"], allowed: roughly},
			figure{name: name + ": throughput × RTT ÷ buffer", decimals: 2,
				published: p.throughput.span().times(1e6 * publishedBufferRTT / float64(p.limit)),
				ours:      got[p.limit]["throughput"] * bufferRTT / float64(p.limit), allowed: roughly},
		)
	}
	s.text = buffersText
	return s
}
