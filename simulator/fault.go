// Faults: what a simulated database can be told to do wrong, and where.
package simulator

// Step is a point of a connection's life at which a fault can strike: each is where the client waits for something.
type Step string

// The steps, in the order of a connection's life. From StepServices on they are the client's calls, whose answer the fault replaces.
const (
	StepAccept    Step = "accept"     // the TCP connection has been accepted, nothing was read
	StepTLS       Step = "tls"        // the client's first bytes of the TLS handshake have come
	StepSecured   Step = "secured"    // TLS is done; over plain TCP the same as StepAccept
	StepConnect   Step = "connect"    // CONNECT
	StepServices  Step = "services"   // native services
	StepProtocol  Step = "protocol"   // protocol negotiation
	StepDataTypes Step = "data_types" // data type negotiation
	StepAuthOne   Step = "auth_one"   // first log-on call
	StepAuthTwo   Step = "auth_two"   // second log-on call
	StepSession   Step = "session"    // the version call, by which go-ora sets its session up
	StepExecute   Step = "execute"    // execute or re-execute
	StepFetch     Step = "fetch"      // rows after those that came with the execute
	StepPing      Step = "ping"
	StepLogoff    Step = "logoff"
)

// Steps are all steps, in their order.
func Steps() []Step {
	return []Step{StepAccept, StepTLS, StepSecured, StepConnect, StepServices, StepProtocol, StepDataTypes, StepAuthOne, StepAuthTwo,
		StepSession, StepExecute, StepFetch, StepPing, StepLogoff}
}

// Action is what a database does in place of what it should. Its text is that of ParseFault.
type Action struct {
	kind   kind
	number uint32
	text   string
}

type kind string

const (
	kindSilence        kind = "silence"
	kindClose          kind = "close"
	kindReset          kind = "reset"
	kindTrickle        kind = "trickle"
	kindTruncate       kind = "truncate"
	kindGarbage        kind = "garbage"
	kindHTTP           kind = "http"
	kindMarker         kind = "marker"
	kindLength         kind = "length"
	kindAnswer         kind = "answer"
	kindError          kind = "error"
	kindWarning        kind = "warning"
	kindRefuse         kind = "refuse"
	kindResend         kind = "resend"
	kindResendTLS      kind = "resend_tls"
	kindRedirect       kind = "redirect"
	kindRedirectBehind kind = "redirect_behind"
	kindAccept         kind = "accept"
)

// The actions that need no more to be said.
var (
	Silence  = Action{kind: kindSilence}  // answers nothing, and reads on until the client closes
	Close    = Action{kind: kindClose}    // closes the socket, without a goodbye of TLS
	Reset    = Action{kind: kindReset}    // resets the TCP connection
	Trickle  = Action{kind: kindTrickle}  // gives the right answer, one byte every 50 ms
	Truncate = Action{kind: kindTruncate} // sends half of the right answer and closes
	Garbage  = Action{kind: kindGarbage}  // answers 256 bytes that are nothing, then is silent
	HTTP     = Action{kind: kindHTTP}     // answers as a web server, then is silent
	Marker   = Action{kind: kindMarker}   // sends a break marker out of turn, then is silent
)

// Length answers with the header of a packet that announces n bytes in all, and with no more than that. After the ACCEPT of a version
// with 32-bit lengths n can be up to 4 GiB, before it up to 65,535.
func Length(n uint32) Action { return Action{kind: kindLength, number: n} }

// Answer sends the given bytes, then is silent.
func Answer(b []byte) Action { return Action{kind: kindAnswer, text: string(b)} }

// Error answers with an ORA- error: at StepConnect as the listener's REFUSE, later as the database does, and the session goes on.
func Error(code uint32) Action { return Action{kind: kindError, number: code} }

// Warning lets the log-on succeed with a warning, such as ORA-28002. It belongs to StepAuthTwo.
func Warning(code uint32) Action { return Action{kind: kindWarning, number: code} }

// Refuse answers CONNECT with a REFUSE of that text.
func Refuse(text string) Action { return Action{kind: kindRefuse, text: text} }

// Resend asks n times for CONNECT again, then goes on; 0 is without end.
func Resend(n uint32) Action { return Action{kind: kindResend, number: n} }

// ResendTLS is Resend with a new TLS handshake each time, which header flag 0x08 asks for.
func ResendTLS(n uint32) Action { return Action{kind: kindResendTLS, number: n} }

// Redirect sends the client to an address such as (ADDRESS=(PROTOCOL=TCP)(HOST=h)(PORT=1521)), with its own connect data for there.
func Redirect(address string) Action { return Action{kind: kindRedirect, text: address} }

// RedirectBehind is Redirect with the text in a DATA packet behind the REDIRECT, as RAC listeners send it.
func RedirectBehind(address string) Action { return Action{kind: kindRedirectBehind, text: address} }

// Accept accepts with a protocol version of at most that, and goes on with it: 314 is an 11g server's.
func Accept(version uint32) Action { return Action{kind: kindAccept, number: version} }

// Fault is an action at a step.
type Fault struct {
	At Step
	Do Action
}

// SetFault makes the database misbehave from now on, on the sessions that are open too: whenever a connection comes to the fault's step,
// until another fault is set or ClearFault is called. A connection that a fault has struck silent stays so. The error says what of the
// fault cannot be played.
func (s *Server) SetFault(f Fault) error {
	if err := f.validate(); err != nil {
		return err
	}
	s.fault.Store(&f)
	return nil
}

// ClearFault makes the database behave from now on.
func (s *Server) ClearFault() { s.fault.Store(nil) }
