// Package ttc is the simulated database's side of the two-task common layer in its universal encoding: length-prefixed big-endian
// integers, as every thin driver negotiates. It reads a client's messages and writes a server's; it does no I/O and holds no session.
//
// Layouts come from python-oracledb and node-oracledb (lib/thin/protocol/messages), go-ora (network/session.go, command.go) and the
// captures of go-ora and python-oracledb sessions with 19c (43, 44) and 26ai (46 to 58).
//
// This file holds the encoding of a server's answer.
package ttc

const (
	// longestShort is the longest value whose length is one byte; longer ones are sent in chunks.
	longestShort = 252
	// longMark opens a value sent in chunks.
	longMark = 254
	// longestChunk is the most that the drivers put into a chunk.
	longestChunk = 32767
)

// Writer collects an answer. The zero value is ready.
type Writer struct {
	buffer []byte
}

// Bytes returns what was written since the last Reset; it is valid until the next write.
func (w *Writer) Bytes() []byte { return w.buffer }

// Len is the number of bytes written since the last Reset.
func (w *Writer) Len() int { return len(w.buffer) }

// Reset empties the writer and keeps its memory.
func (w *Writer) Reset() { w.buffer = w.buffer[:0] }

// Byte writes bytes as they are.
func (w *Writer) Byte(b ...byte) { w.buffer = append(w.buffer, b...) }

// Raw writes bytes as they are.
func (w *Writer) Raw(b []byte) { w.buffer = append(w.buffer, b...) }

// UB writes an unsigned integer of any width: the number of its bytes, then the bytes.
func (w *Writer) UB(n uint64) { w.integer(n, 0) }

// Int writes an unsigned integer that is held as an int and never negative.
func (w *Writer) Int(n int) { w.integer(uint64(n), 0) }

// SB writes a signed integer: as UB, with the top bit of the length set for a negative one.
func (w *Writer) SB(n int) {
	if n < 0 {
		w.integer(uint64(-n), 0x80)
		return
	}
	w.integer(uint64(n), 0)
}

func (w *Writer) integer(n uint64, sign byte) {
	size := 0
	for rest := n; rest > 0; rest >>= 8 {
		size++
	}
	w.buffer = append(w.buffer, byte(size)|sign)
	for shift := (size - 1) * 8; shift >= 0; shift -= 8 {
		w.buffer = append(w.buffer, byte(n>>shift))
	}
}

// CLR writes a value with its length; an empty one, which Oracle does not tell from NULL, is a single 0.
func (w *Writer) CLR(value []byte) { w.buffer = appendCLR(w.buffer, value) }

// Text writes a text with its length.
func (w *Writer) Text(value string) { w.buffer = appendCLR(w.buffer, value) }

// DLC writes the length of a text as an integer and, unless it is 0, the text with its length once more.
func (w *Writer) DLC(value string) {
	w.Int(len(value))
	if value != "" {
		w.Text(value)
	}
}

// Pair writes a key, its value and a number that says more about the value.
func (w *Writer) Pair(key, value string, number int) {
	w.DLC(key)
	w.DLC(value)
	w.Int(number)
}

// appendCLR appends a value with its length. Chunks have integers as lengths, as every server from 12.1 does.
func appendCLR[T string | []byte](buffer []byte, value T) []byte {
	if len(value) <= longestShort {
		buffer = append(buffer, byte(len(value)))
		return append(buffer, value...)
	}
	w := Writer{buffer: append(buffer, longMark)}
	for len(value) > 0 {
		n := min(len(value), longestChunk)
		w.Int(n)
		w.buffer = append(w.buffer, value[:n]...)
		value = value[n:]
	}
	return append(w.buffer, 0)
}
