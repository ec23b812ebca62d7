// What one attempt to open a link left behind, whether it succeeded or not.

package link

import "time"

// Attempt is the record of one attempt to connect, from the host name to
// however far it got. A failed attempt keeps what it had measured until then.
type Attempt struct {
	Phases       map[Phase]time.Duration // time spent in each finished phase; redirects and second addresses add up
	DNSLookups   []time.Duration         // each completed look-up of a host name (none for an address literal)
	Address      string                  // host:port whose listener accepted, as the descriptor or a redirect names it
	TCPConnect   time.Duration           // SYN to SYN/ACK of the last connection that was opened
	RoundTrips   int                     // the TCP handshakes, and every write-then-read on the socket up to a usable session
	TLSVersion   string                  // "1.2" or "1.3", empty without TLS
	TLSHandshake time.Duration           // the last completed handshake
	ServerCerts  []Certificate           // what the server showed, also when the handshake failed
	ClientCerts  []Certificate           // what the wallet holds for us
	RequestedSDU int                     // asked for in CONNECT, bytes; 0 if it never came to that
	Accepted     Negotiated              // zero if the listener accepted nothing
	Dials        int                     // TCP connects tried
	Resends      int                     // RESEND packets answered
	Redirects    int                     // REDIRECT packets followed
	Err          error                   // *Failure, nil if the link was opened
}

// Certificate is one certificate's identity and last day.
type Certificate struct {
	Subject  string
	NotAfter time.Time
}

// Negotiated is what the ACCEPT packet granted.
type Negotiated struct {
	Version int // TNS protocol version, e.g. 319
	SDU     int // session data unit, bytes, not above TDU
	TDU     int // transport data unit, bytes
}

// Elapsed is the sum of the phases.
func (a *Attempt) Elapsed() time.Duration {
	var sum time.Duration
	for _, d := range a.Phases {
		sum += d
	}
	return sum
}
