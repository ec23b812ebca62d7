// Counts that the driver would allocate memory for, before it has read what
// they count: an answer with one bit wrong could ask for more than there is,
// and nothing recovers from that.
//
// The two that stand at the start of an answer are checked here. Others stand
// behind rows and texts, where only the driver finds them: a database that
// means to harm its clients still can.

package link

import (
	"bytes"
	"encoding/binary"

	"oranet_exporter/link/tns"
)

// maxColumns is the most that any release returns, 26ai's 4,096.
const maxColumns = 4096

const messageDescribe = 16

// servicesArray begins the list of services in a server's native services
// reply (go-ora advanced_nego/comm.go); its length in 32 bits follows.
var servicesArray = []byte{0xde, 0xad, 0xbe, 0xef, 0, 3}

// plausible tells whether the counts at the start of an answer, which is that
// of a DATA packet, can be true.
func plausible(start []byte) bool {
	if len(start) <= tns.DataHeaderSize {
		return true
	}
	answer := start[tns.DataHeaderSize:]
	switch {
	case bytes.HasPrefix(answer, servicesArray[:4]):
		_, array, found := bytes.Cut(answer[4:], servicesArray)
		return !found || len(array) < 4 || uint64(binary.BigEndian.Uint32(array)) <= uint64(len(array)-4)/2
	case answer[0] == messageDescribe:
		return columns(answer[1:]) <= maxColumns
	}
	return true
}

// columns reads how many columns a description announces: behind a text with
// its length in one byte, and the longest row. 0 if that is not there.
func columns(b []byte) uint64 {
	if len(b) == 0 || len(b) <= int(b[0]) {
		return 0
	}
	_, b = ub(b[1+int(b[0]):])
	n, _ := ub(b)
	return n
}

// ub reads an integer with its length in one byte, whose highest bit is its
// sign. What is cut off or longer than eight bytes, the driver refuses itself.
func ub(b []byte) (n uint64, rest []byte) {
	if len(b) == 0 {
		return 0, nil
	}
	size := int(b[0] & 0x7f)
	if size > 8 || len(b) <= size {
		return 0, nil
	}
	for _, digit := range b[1 : 1+size] {
		n = n<<8 | uint64(digit)
	}
	return n, b[1+size:]
}
