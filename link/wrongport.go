// Plain Oracle Net spoken to a TLS port, and the reverse: how to tell, and what
// to say.

package link

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"

	"oranet_exporter/link/tns"
)

var errTLSPort = fmt.Errorf("%w: this looks like a TLS port: use PROTOCOL=TCPS", tns.ErrMalformed)

// isTLSRecord tells whether an answer to CONNECT starts a TLS record, such as
// the alert by which a TLS server objects to it: content type 20 to 23, version
// 3.1 to 3.4 (RFC 8446, section 5.1). Oracle Net has a checksum in place of the
// version's second byte, which is 0.
func isTLSRecord(b []byte) bool {
	return len(b) >= 3 && b[0] >= 20 && b[0] <= 23 && b[1] == 3 && b[2] >= 1 && b[2] <= 4
}

// notPlain says what a TLS port may have made of a plain CONNECT: it closes the
// connection, as listeners do whose valid-node checking turns a host away.
func notPlain(err error, plain bool) error {
	if plain && (errors.Is(err, io.EOF) || systemReason(err) == ReasonReset) {
		return fmt.Errorf("%w; if this is a TLS port, use PROTOCOL=TCPS; else see the listener's valid-node checking", err)
	}
	return err
}

// notTLS says so where the answer to a TLS handshake is one that a plain port
// gives: an Oracle Net packet, or nothing.
func notTLS(err error, received int64) error {
	var record tls.RecordHeaderError
	switch {
	case errors.As(err, &record):
		if _, parsed := tns.ParseHeader(append(record.RecordHeader[:], 0, 0, 0), false, tns.MaxSDU); parsed == nil {
			return fmt.Errorf("%w; this looks like a port without TLS: use PROTOCOL=TCP", err)
		}
	case received == 0:
		return &unansweredError{err}
	}
	return err
}

// unansweredError is a TLS handshake of which the peer took no notice. How it
// ended says less than that.
type unansweredError struct{ err error }

func (e *unansweredError) Error() string {
	return "nothing answered the TLS handshake; if this is a port without TLS, use PROTOCOL=TCP"
}

func (e *unansweredError) Unwrap() error { return e.err }
