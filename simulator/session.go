// One session: its state, and the loop that reads a client's calls and answers them.
package simulator

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"

	"oranet_exporter/simulator/logon"
	"oranet_exporter/simulator/tns"
	"oranet_exporter/simulator/ttc"
)

// errLoggedOff ends a session that the client has logged off or closed in order.
var errLoggedOff = errors.New("logged off")

// errInterrupted is returned by a read that met the client's break or interrupt marker.
var errInterrupted = errors.New("interrupted by the client")

// phase is how far a session has come.
type phase int

const (
	phaseProtocol phase = iota // nothing but native services may come before the protocol negotiation
	phaseDataTypes
	phaseLogon
	phaseReady
)

// session is a connection after its ACCEPT. One goroutine owns it.
type session struct {
	server    *Server
	meter     *meter
	transport *transport
	config    *tls.Config // for another handshake; nil over plain TCP
	conn      *tns.Conn
	reader    *ttc.Reader
	writer    ttc.Writer

	service   string
	phase     phase
	agreement ttc.Agreement
	challenge *logon.Challenge

	id         int
	user       string
	sequence   uint16 // of the call
	callNumber byte   // the client's number of the call
	call       string // what the next flush answers
	warning    int    // with which the log-on succeeds, 0: none
	cursors    cursors
	executed   executed
}

func newSession(server *Server, t *transport, config *tls.Config) *session {
	s := &session{server: server, meter: t.meter, transport: t, config: config, cursors: newCursors()}
	s.conn = tns.NewConn(t.top, &t.meter.traffic)
	s.reader = ttc.NewReader(s.nextPayload)
	return s
}

// nextPayload waits for the client's next DATA packet: for the part of a message that is missing.
func (s *session) nextPayload() ([]byte, error) {
	idle := logonTimeout
	if s.phase == phaseReady && s.reader.Unread() == 0 {
		idle = 0
	}
	packet, err := s.conn.ReadPacket(idle)
	if err != nil {
		return nil, err
	}
	if packet.Type == tns.Marker {
		return s.marker(packet)
	}
	payload, last, err := packet.Payload()
	if err != nil {
		return nil, err
	}
	if last && len(payload) == 0 {
		return nil, errLoggedOff
	}
	return payload, nil
}

// marker takes a marker where a message was expected: a break or an interrupt, or a reset that crossed the server's own.
func (s *session) marker(packet tns.Packet) ([]byte, error) {
	kind, err := packet.MarkerKind()
	if err != nil {
		return nil, err
	}
	if kind == tns.Reset {
		return s.nextPayload()
	}
	return nil, errInterrupted
}

// flush sends what was written as the answer to a call.
func (s *session) flush(call string) error {
	s.meter.roundTrip(call)
	return s.conn.Flush()
}

// reply sends the collected answer to the call in progress.
func (s *session) reply() error {
	if err := s.part(); err != nil {
		return err
	}
	return s.flush(s.call)
}

// part hands what was collected so far to the connection.
func (s *session) part() error {
	_, err := s.conn.Write(s.writer.Bytes())
	s.writer.Reset()
	return err
}

// run answers calls until the session ends, and returns why it ended.
func (s *session) run() error {
	for {
		s.reader.Next()
		err := s.message()
		if errors.Is(err, errInterrupted) {
			err = canceled.of(nil)
		}
		if failed := (*callError)(nil); errors.As(err, &failed) {
			err = s.tell(failed)
		}
		if errors.Is(err, io.EOF) {
			return errors.New("the client closed the connection without logging off")
		}
		if err != nil {
			return err
		}
	}
}

// message reads one message and answers it.
func (s *session) message() error {
	message := ttc.Message(s.reader.Byte())
	if err := s.reader.Err(); err != nil {
		return err
	}
	switch {
	case message == ttc.MessageServices && s.phase == phaseProtocol:
		return s.services()
	case message == ttc.MessageProtocol && s.phase == phaseProtocol:
		return s.protocol()
	case message == ttc.MessageDataTypes && s.phase == phaseDataTypes:
		return s.dataTypes()
	case message == ttc.MessagePiggyback && s.phase == phaseReady:
		return s.piggyback()
	case message == ttc.MessageFunction && s.phase >= phaseLogon:
		return s.function()
	}
	return fmt.Errorf("message %d is not expected at this point of the session", message)
}

// header reads the function and the client's number of a call.
func (s *session) header() ttc.Function {
	function := ttc.Function(s.reader.Byte())
	s.callNumber = s.reader.Byte()
	s.sequence++
	return function
}

// piggyback reads a function that comes in front of a call and has no answer of its own.
func (s *session) piggyback() error {
	function := s.header()
	var closed []int
	var named ttc.EndToEnd
	switch function {
	case ttc.FunctionCloseCursors, ttc.FunctionCancelCursors:
		closed = s.reader.CursorList()
	case ttc.FunctionEndToEnd:
		named = s.reader.EndToEnd()
	case ttc.FunctionSetSchema:
		s.reader.SetSchema()
	default:
		return fmt.Errorf("a piggyback with %s, which the simulator does not know", function)
	}
	if err := s.reader.Err(); err != nil {
		return err
	}
	if function == ttc.FunctionCloseCursors {
		s.cursors.close(closed)
	}
	s.meter.describe(func(c *ConnectionTruth) {
		if named.Module != nil {
			c.Module = *named.Module
		}
		if named.Action != nil {
			c.Action = *named.Action
		}
	})
	s.meter.piggybacked(function.String())
	return nil
}

// function answers a call.
func (s *session) function() error {
	function := s.header()
	s.call = function.String()
	if err := s.meet(stepsOfCalls[function]); err != nil {
		return err
	}
	if s.phase == phaseLogon {
		switch function {
		case ttc.FunctionAuthPhaseOne:
			return s.authPhaseOne()
		case ttc.FunctionAuthPhaseTwo:
			return s.authPhaseTwo()
		}
		return fmt.Errorf("a call of %s before the log-on", function)
	}
	switch function {
	case ttc.FunctionVersion:
		return s.version()
	case ttc.FunctionPing, ttc.FunctionCommit, ttc.FunctionRollback:
		return s.status()
	case ttc.FunctionLogoff:
		return s.logoff()
	case ttc.FunctionExecute:
		return s.execute()
	case ttc.FunctionReexecute, ttc.FunctionReexecuteAndFetch:
		return s.reexecute()
	case ttc.FunctionFetch:
		return s.fetch()
	}
	return fmt.Errorf("a call of %s, which the simulator does not know", function)
}

// status answers a call that returns nothing.
func (s *session) status() error {
	if err := s.reader.Err(); err != nil {
		return err
	}
	s.writer.Status(s.sequence)
	return s.reply()
}

// logoff answers the client's last call, whose sequence is 0 (captures 43 and 44). The connection is the client's to close.
func (s *session) logoff() error {
	s.sequence = 0
	return s.status()
}

// version answers a version call.
func (s *session) version() error {
	s.reader.VersionCall(s.agreement)
	if err := s.reader.Err(); err != nil {
		return err
	}
	s.writer.Version(banner, versionNumber)
	s.writer.Status(s.sequence)
	return s.reply()
}
