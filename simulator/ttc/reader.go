// The decoding of a client's messages, which may be spread over any number of packets.
package ttc

import (
	"errors"
	"fmt"
)

// longestMessage bounds what one message may take; no client of the simulator comes near.
const longestMessage = 16 << 20

// Reader reads a client's message. After the first error every read returns zero and Err the error, so that a layout reads as a
// list of its fields; lengths are checked before anything is allocated.
type Reader struct {
	more   func() ([]byte, error)
	buffer []byte
	at     int
	err    error
}

// NewReader returns a reader that calls more for the payload of the next packet when it needs one.
func NewReader(more func() ([]byte, error)) *Reader {
	return &Reader{more: more}
}

// Err returns what went wrong first.
func (r *Reader) Err() error { return r.err }

// Drop forgets what is left of the message, and its error.
func (r *Reader) Drop() { r.buffer, r.at, r.err = r.buffer[:0], 0, nil }

// Next makes ready for the next message: it forgets what was read, and keeps what was not.
func (r *Reader) Next() {
	n := copy(r.buffer, r.buffer[r.at:])
	r.buffer, r.at = r.buffer[:n], 0
}

// Unread is the number of bytes that were received and not read.
func (r *Reader) Unread() int { return len(r.buffer) - r.at }

func (r *Reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("malformed message at byte %d: "+format, append([]any{r.at}, args...)...)
	}
}

// Raw reads n bytes as they are; they are valid until the next message.
func (r *Reader) Raw(n int) []byte {
	if n < 0 || r.at+n > longestMessage {
		r.fail("a field of %d bytes", n)
	}
	for r.err == nil && r.Unread() < n {
		payload, err := r.more()
		if err != nil {
			r.err = err
			return nil
		}
		if len(payload) == 0 {
			r.err = errors.New("the client sent an empty DATA packet in the middle of a message")
			return nil
		}
		r.buffer = append(r.buffer, payload...)
	}
	if r.err != nil {
		return nil
	}
	r.at += n
	return r.buffer[r.at-n : r.at]
}

// Byte reads one byte.
func (r *Reader) Byte() byte {
	if b := r.Raw(1); b != nil {
		return b[0]
	}
	return 0
}

// Peek returns the next n bytes without reading them.
func (r *Reader) Peek(n int) []byte {
	b := r.Raw(n)
	if b != nil {
		r.at -= n
	}
	return b
}

// Skip reads n bytes that do not matter.
func (r *Reader) Skip(n int) { r.Raw(n) }

// UB reads an unsigned integer. A negative one, which some drivers send where the value does not matter, reads as its absolute value.
func (r *Reader) UB() uint64 {
	size := int(r.Byte() &^ 0x80)
	if size > 8 {
		r.fail("an integer of %d bytes", size)
		return 0
	}
	var n uint64
	for _, b := range r.Raw(size) {
		n = n<<8 | uint64(b)
	}
	return n
}

// Int reads an unsigned integer that must be at most limit.
func (r *Reader) Int(limit int) int {
	n := r.UB()
	if n > uint64(limit) {
		r.fail("%d where at most %d is allowed", n, limit)
		return 0
	}
	return int(n)
}

// CLR reads a value with its length; nil is NULL. The value is the caller's.
func (r *Reader) CLR() []byte {
	length := r.Byte()
	switch length {
	case 0, 255:
		return nil
	case longMark:
		return r.chunks()
	}
	return append([]byte(nil), r.Raw(int(length))...)
}

func (r *Reader) chunks() []byte {
	var value []byte
	for r.err == nil {
		n := r.Int(longestMessage)
		if n == 0 {
			break
		}
		value = append(value, r.Raw(n)...)
	}
	return value
}

// DLC reads a text that has its length twice.
func (r *Reader) DLC() string {
	if r.Int(longestMessage) == 0 {
		return ""
	}
	return string(r.CLR())
}

// Pair reads a key, its value and the number behind it.
func (r *Reader) Pair() (key, value string, number uint64) {
	return r.DLC(), r.DLC(), r.UB()
}
