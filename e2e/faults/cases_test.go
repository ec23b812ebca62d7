package faults

import (
	"fmt"

	"oranet_exporter/link"
	"oranet_exporter/probes"
	"oranet_exporter/simulator"
)

// row is a fault, the probe that meets it, and what the run must say: a phase
// and a reason, or success.
type row struct {
	fault  string // as simulator.ParseFault reads it
	over   transport
	probe  *probes.Definition
	phase  link.Phase
	reason link.Reason // empty: success
}

// everywhere are the faults that can strike wherever an answer is due, and what
// a run says of them.
var everywhere = []struct {
	action string
	reason link.Reason
}{
	{"silence", link.ReasonTimeout},
	{"close", link.ReasonPeerClosed},
	{"reset", link.ReasonReset},
	{"truncate", link.ReasonPeerClosed},
	{"garbage", link.ReasonProtocol},
	{"http", link.ReasonProtocol},
	{"marker", link.ReasonTimeout}, // a break, for which the driver waits to be told why
	{"length=0", link.ReasonProtocol},
	{"length=7", link.ReasonProtocol},
	{"length=65535", link.ReasonTimeout}, // a possible length, whose bytes do not come
	{"length=4294967295", link.ReasonProtocol},
}

var (
	holding = []*probes.Definition{probes.RoundTrip, probes.Pool} // a session, from one run to the next
	opening = []*probes.Definition{probes.RoundTrip, probes.Pool, probes.Connect, probes.Fetch}
	asking  = append([]*probes.Definition{probes.SDU}, opening...)
)

// steps are where the faults of everywhere strike: the phase in which a probe
// then is, and the probes that come there.
var steps = []struct {
	at    simulator.Step
	phase link.Phase
	over  []transport
	by    []*probes.Definition
}{
	{simulator.StepAccept, link.PhaseTNS, []transport{plain}, asking},
	{simulator.StepAccept, link.PhaseTLS, []transport{overTLS}, asking},
	{simulator.StepTLS, link.PhaseTLS, []transport{overTLS}, asking},
	{simulator.StepSecured, link.PhaseTNS, []transport{overTLS}, asking},
	{simulator.StepConnect, link.PhaseTNS, []transport{plain, overTLS}, asking},
	{simulator.StepServices, link.PhaseTNS, []transport{plain}, opening},
	{simulator.StepProtocol, link.PhaseTNS, []transport{plain}, opening},
	{simulator.StepDataTypes, link.PhaseTNS, []transport{plain}, opening},
	{simulator.StepAuthOne, link.PhaseAuth, []transport{plain}, opening},
	{simulator.StepAuthTwo, link.PhaseAuth, []transport{plain, overTLS}, opening},
	{simulator.StepSession, link.PhaseSession, []transport{plain}, opening},
	{simulator.StepExecute, link.PhaseQuery, []transport{plain, overTLS}, []*probes.Definition{probes.Pool, probes.Fetch}},
	{simulator.StepFetch, link.PhaseFetch, []transport{plain, overTLS}, []*probes.Definition{probes.Fetch}},
	{simulator.StepPing, link.PhaseQuery, []transport{plain, overTLS}, []*probes.Definition{probes.RoundTrip, probes.Fetch}},
	{simulator.StepLogoff, link.PhaseClose, []transport{plain}, []*probes.Definition{probes.Connect, probes.Fetch}},
}

// special is what everywhere and steps do not say: other reasons than
// elsewhere, and faults of one step.
func special() []row {
	connect, sdu := probes.Connect, probes.SDU
	rows := []row{
		// A pool's query ends with a ping that closes its cursor.
		{"ping:silence", plain, probes.Pool, link.PhaseFetch, link.ReasonTimeout},
		{"ping:error=28", plain, probes.Pool, link.PhaseFetch, link.ReasonSessionKilled},

		// The SYN/ACK is all that tcp asks for.
		{"accept:silence", plain, probes.TCP, "", ""},
		{"accept:reset", plain, probes.TCP, "", ""},
		{"accept:garbage", overTLS, probes.TCP, "", ""},

		// One byte every 50 ms: the right answer, if there is time enough.
		{"tls:trickle", overTLS, connect, link.PhaseTLS, link.ReasonTimeout},
		{"connect:trickle", plain, connect, "", ""},
		{"connect:trickle", plain, probes.RoundTrip, link.PhaseTNS, link.ReasonTimeout},
		{"services:trickle", plain, connect, "", ""},
		{"protocol:trickle", plain, connect, "", ""},
		{"data_types:trickle", plain, connect, link.PhaseTNS, link.ReasonTimeout},
		{"auth_one:trickle", plain, connect, link.PhaseAuth, link.ReasonTimeout},
		{"auth_two:trickle", plain, connect, link.PhaseAuth, link.ReasonTimeout},
		{"session:trickle", plain, connect, "", ""},
		{"execute:trickle", plain, probes.Pool, link.PhaseQuery, link.ReasonTimeout},
		{"execute:trickle", plain, probes.Fetch, link.PhaseQuery, link.ReasonTimeout},
		{"fetch:trickle", plain, probes.Fetch, link.PhaseFetch, link.ReasonTimeout},
		{"ping:trickle", plain, probes.RoundTrip, "", ""},
		{"ping:trickle", overTLS, probes.RoundTrip, "", ""},
		{"logoff:trickle", plain, connect, "", ""},

		// RESEND is ordinary once; more than three times it is not.
		{"connect:resend=1", plain, connect, "", ""},
		{"connect:resend=1", overTLS, connect, "", ""},
		{"connect:resend=2", plain, connect, "", ""},
		{"connect:resend=0", plain, connect, link.PhaseTNS, link.ReasonProtocol},
		{"connect:resend=0", overTLS, connect, link.PhaseTNS, link.ReasonProtocol},
		{"connect:resend_tls=1", overTLS, connect, "", ""},
		{"connect:resend_tls=1", overTLS, probes.Fetch, "", ""},
		{"connect:resend_tls=2", overTLS, connect, "", ""},
		{"connect:resend_tls=0", overTLS, connect, link.PhaseTNS, link.ReasonProtocol},
		{"connect:resend_tls=1", plain, connect, "", ""}, // the flag means nothing there

		// An 11g server: 16-bit lengths.
		{"connect:accept=314", plain, connect, "", ""},
		{"connect:accept=314", plain, probes.Fetch, "", ""},
		{"connect:accept=314", overTLS, probes.Fetch, "", ""},
		{"connect:accept=315", plain, probes.Fetch, "", ""},

		// A REFUSE is a refusal, however much of it there is; REDIRECTs that lead nowhere.
		{"connect:refuse=", plain, sdu, link.PhaseTNS, link.ReasonListenerRefused},
		{"connect:refuse=nonsense", plain, sdu, link.PhaseTNS, link.ReasonListenerRefused},
		{"connect:answer=0008000005000000", plain, sdu, link.PhaseTNS, link.ReasonProtocol},
		{"connect:answer=000a0000050000000000", plain, sdu, link.PhaseTNS, link.ReasonProtocol},
		{"connect:answer=000a0000050000000131", plain, sdu, link.PhaseTNS, link.ReasonTimeout},
		{"connect:redirect=nonsense", plain, sdu, link.PhaseTNS, link.ReasonProtocol},

		// What a database says of a logon.
		{"auth_two:error=1017", plain, connect, link.PhaseAuth, link.ReasonAuthFailed},
		{"auth_one:error=1017", plain, connect, link.PhaseAuth, link.ReasonAuthFailed},
		{"auth_two:error=1017", overTLS, connect, link.PhaseAuth, link.ReasonAuthFailed},
		{"auth_two:error=28000", plain, connect, link.PhaseAuth, link.ReasonAccountLocked},
		{"auth_two:error=28001", plain, connect, link.PhaseAuth, link.ReasonPasswordExpired},
		{"auth_two:warning=28002", plain, connect, "", ""},
		{"auth_two:warning=28002", plain, probes.Fetch, "", ""},
		{"auth_two:error=18", plain, connect, link.PhaseAuth, link.ReasonLimit},
		{"auth_two:error=1033", plain, connect, link.PhaseAuth, link.ReasonDBUnavailable},
		{"auth_one:error=28040", plain, connect, link.PhaseAuth, link.ReasonAuthProtocol},
		{"auth_two:error=1045", plain, connect, link.PhaseAuth, link.ReasonPrivilege},
		{"data_types:error=3134", plain, connect, link.PhaseTNS, link.ReasonAuthProtocol},
		{"session:error=1012", plain, connect, link.PhaseSession, link.ReasonSessionKilled},

		// What it says of a session in use.
		{"execute:error=1033", plain, probes.Fetch, link.PhaseQuery, link.ReasonDBUnavailable},
		{"execute:error=12345", plain, probes.Pool, link.PhaseQuery, link.ReasonORAOther},
		{"fetch:error=3113", plain, probes.Fetch, link.PhaseFetch, link.ReasonReset},
		{"fetch:error=4036", plain, probes.Fetch, link.PhaseFetch, link.ReasonDBResources},
		{"ping:error=28", plain, probes.RoundTrip, link.PhaseQuery, link.ReasonSessionKilled},
		{"ping:error=2396", overTLS, probes.RoundTrip, link.PhaseQuery, link.ReasonSessionKilled},
		{"ping:error=3113", plain, probes.RoundTrip, link.PhaseQuery, link.ReasonReset},
		{"logoff:error=1012", plain, connect, link.PhaseClose, link.ReasonProtocol},
	}
	// Every REFUSE shorter than its text's place.
	for length := 8; length <= 16; length++ {
		rows = append(rows, row{fmt.Sprintf("connect:answer=%x", packetOf(4, length)), plain, sdu, link.PhaseTNS, link.ReasonListenerRefused})
	}
	// An ACCEPT that is cut, of any length; the whole one of 314 has 24 bytes and more, but grants an SDU of 0 here.
	for length := 8; length <= 48; length++ {
		rows = append(rows, row{fmt.Sprintf("connect:answer=%x", packetOf(2, length)), plain, sdu, link.PhaseTNS, link.ReasonProtocol})
	}
	// What listeners say, as a code.
	for code, reason := range map[int]link.Reason{
		12504: link.ReasonUnknownService, 12505: link.ReasonUnknownService, 12514: link.ReasonUnknownService, 12521: link.ReasonUnknownService,
		12506: link.ReasonACLDenied, 12516: link.ReasonNoHandler, 12518: link.ReasonNoHandler, 12519: link.ReasonNoHandler,
		12520: link.ReasonNoHandler, 12526: link.ReasonDBUnavailable, 12527: link.ReasonDBUnavailable, 12528: link.ReasonDBUnavailable,
		12535: link.ReasonTimeout, 12537: link.ReasonPeerClosed, 12541: link.ReasonRefused, 12560: link.ReasonUnreachable,
		12564: link.ReasonListenerRefused, 1153: link.ReasonListenerRefused, 12618: link.ReasonORAOther,
	} {
		rows = append(rows, row{fmt.Sprintf("connect:error=%d", code), plain, sdu, link.PhaseTNS, reason})
	}
	return rows
}

// packetOf is a packet of that type and length, all else 0.
func packetOf(kind byte, length int) []byte {
	packet := make([]byte, length)
	packet[1], packet[4] = byte(length), kind
	return packet
}

// table is every row.
func table() []row {
	var rows []row
	for _, s := range steps {
		for _, e := range everywhere {
			for _, over := range s.over {
				for _, probe := range s.by {
					r := row{fmt.Sprintf("%s:%s", s.at, e.action), over, probe, s.phase, e.reason}
					if _, err := simulator.ParseFault(r.fault); err != nil {
						continue // it cannot strike there
					}
					rows = append(rows, r.corrected())
				}
			}
		}
	}
	return append(rows, special()...)
}

// corrected is a row of everywhere as its step has it.
func (r row) corrected() row {
	switch r.fault {
	case "accept:garbage", "accept:http", "tls:garbage", "tls:http":
		if r.over == overTLS {
			r.reason = link.ReasonTLSHandshake
		}
	case "connect:marker":
		r.reason = link.ReasonProtocol // nothing is under way that could be broken into
	case "connect:length=4294967295":
		r.reason = link.ReasonTimeout // lengths have 16 bits there: 65,535
	}
	return r
}
