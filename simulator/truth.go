// Ground truth: what the simulated database itself saw and did, to hold a client's figures against.
package simulator

import "time"

// Truth is what the simulated database did since it started.
type Truth struct {
	ConnectionsOpen  int   `json:"connections_open"` // sockets
	ConnectionsTotal int64 `json:"connections_total"`
	SessionsOpen     int   `json:"sessions_open"`  // sockets with a user logged on
	SessionsTotal    int64 `json:"sessions_total"` // log-ons that succeeded
	// Every session that is not open was logged off by its client, was killed by the database (a fault was what its client got last, or
	// the database closed), or was dropped by its client, who closed the connection without a word.
	SessionsLoggedOff int64 `json:"sessions_logged_off_total"`
	SessionsKilled    int64 `json:"sessions_killed_total"`
	SessionsDropped   int64 `json:"sessions_dropped_total"`
	LogonFailures     int64 `json:"logon_failures_total"`
	Refused           int64 `json:"refused_total"` // connections the listener refused

	Work // of all connections, those that have ended included

	Connections []ConnectionTruth `json:"connections"` // open ones, and the last 1,000 that have ended; by number
}

// Work is what went over one connection, or over all.
type Work struct {
	// RoundTrips is how often the server answered after it had read, the exchanges before the log-on included.
	RoundTrips int64 `json:"round_trips"`
	// RoundTripsByCall is the same by what was answered: the listener's and the negotiations' exchanges by their names, TTC
	// functions by theirs, and "marker" for the second half of an error's or an interrupt's exchange.
	RoundTripsByCall map[string]int64 `json:"round_trips_by_call"`
	// Piggybacks are functions that came in front of another one, without a round trip of their own.
	Piggybacks map[string]int64 `json:"piggybacks"`

	BytesReceived int64 `json:"bytes_received"` // on the socket, with TLS if any
	BytesSent     int64 `json:"bytes_sent"`
	// NetBytesReceived and NetBytesSent are Oracle Net's bytes: under TLS what is inside its records, else the same as above.
	NetBytesReceived int64 `json:"net_bytes_received"`
	NetBytesSent     int64 `json:"net_bytes_sent"`

	RowsSent              int64 `json:"rows_sent"`
	BiggestPacketReceived int64 `json:"biggest_packet_received"` // DATA packets after the ACCEPT, header included
	BiggestPacketSent     int64 `json:"biggest_packet_sent"`
}

// ConnectionTruth is what the simulated database knows of one connection.
type ConnectionTruth struct {
	Number       int64     `json:"number"` // from 1, in the order of their arrival
	Open         bool      `json:"open"`
	TLS          bool      `json:"tls"`
	SessionID    int       `json:"session_id,omitempty"` // 0 until the log-on
	User         string    `json:"user,omitempty"`
	Program      string    `json:"program,omitempty"`
	Module       string    `json:"module,omitempty"`
	Action       string    `json:"action,omitempty"`
	Service      string    `json:"service,omitempty"`
	Version      uint16    `json:"version,omitempty"`
	RequestedSDU uint32    `json:"requested_sdu,omitempty"`
	GrantedSDU   uint32    `json:"granted_sdu,omitempty"`
	Started      time.Time `json:"started"`
	// Fault is what the client got last in place of an answer; "" when that was a good one.
	Fault string `json:"fault,omitempty"`
	// Ended says how the connection ended: "logoff" when the client logged off, else what went wrong.
	Ended string `json:"ended,omitempty"`
	Work
}

// add adds the work of a connection to a total.
func (w *Work) add(other Work) {
	w.RoundTrips += other.RoundTrips
	w.BytesReceived += other.BytesReceived
	w.BytesSent += other.BytesSent
	w.NetBytesReceived += other.NetBytesReceived
	w.NetBytesSent += other.NetBytesSent
	w.RowsSent += other.RowsSent
	w.BiggestPacketReceived = max(w.BiggestPacketReceived, other.BiggestPacketReceived)
	w.BiggestPacketSent = max(w.BiggestPacketSent, other.BiggestPacketSent)
	for call, n := range other.RoundTripsByCall {
		w.RoundTripsByCall[call] += n
	}
	for function, n := range other.Piggybacks {
		w.Piggybacks[function] += n
	}
}

func newWork() Work {
	return Work{RoundTripsByCall: map[string]int64{}, Piggybacks: map[string]int64{}}
}
