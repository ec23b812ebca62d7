// Faults in a session: where they strike, and those that are made of packets.
package simulator

import (
	"errors"

	"oranet_exporter/simulator/tns"
	"oranet_exporter/simulator/ttc"
)

// stepsOfCalls are the steps of the client's calls. A call that is not in it meets no fault.
var stepsOfCalls = map[ttc.Function]Step{
	ttc.FunctionAuthPhaseOne: StepAuthOne, ttc.FunctionAuthPhaseTwo: StepAuthTwo, ttc.FunctionVersion: StepSession,
	ttc.FunctionExecute: StepExecute, ttc.FunctionReexecute: StepExecute, ttc.FunctionReexecuteAndFetch: StepExecute,
	ttc.FunctionFetch: StepFetch, ttc.FunctionPing: StepPing, ttc.FunctionLogoff: StepLogoff,
}

// faultTexts are the texts of errors and warnings that only a fault plays.
var faultTexts = map[uint32]string{
	18:    "maximum number of sessions exceeded",
	1033:  "ORACLE initialization or shutdown in progress",
	3113:  "end-of-file on communication channel",
	28000: "The account is locked.",
	28001: "the password has expired",
	28002: "the password will expire within 7 days",
}

// faultAt returns the fault that is set for a step, nil when there is none.
func (s *Server) faultAt(step Step) *Fault {
	if f := s.fault.Load(); f != nil && f.At == step {
		return f
	}
	return nil
}

// meet plays the fault that is set for a step before a CONNECT, if one is. It returns nil when the connection is to go on.
func (t *transport) meet(s *Server, step Step) error {
	f := s.faultAt(step)
	t.strike(f)
	if f == nil {
		return nil
	}
	return t.play(*f)
}

// meet plays the fault that is set for a call, if one is. It returns nil when the call is to be answered.
func (s *session) meet(step Step) error {
	f := s.server.faultAt(step)
	s.transport.strike(f)
	s.warning = 0
	if f == nil {
		return nil
	}
	switch f.Do.kind {
	case kindWarning:
		s.warning = int(f.Do.number)
		return nil
	case kindError:
		if step == StepAuthOne || step == StepAuthTwo {
			s.server.ledger.denied()
		}
		return faultText(f.Do.number).of(nil)
	}
	return s.play(*f, tns.Data)
}

// faultText is an error or a warning with its text.
func faultText(code uint32) oracleError {
	text, known := faultTexts[code]
	if !known {
		text = "an error that the simulator was told to give"
	}
	return oracleError{int(code), text}
}

// play plays a fault that needs no more than packets; the one due is of the given type.
func (s *session) play(f Fault, due tns.Type) error {
	switch f.Do.kind {
	case kindMarker:
		return s.leave(f, s.conn.WriteMarker(tns.Break))
	case kindLength:
		return s.leave(f, s.conn.WriteHeader(due, f.Do.number))
	}
	return s.transport.play(f)
}

// leave sends what was written and is silent until the client has gone.
func (s *session) leave(f Fault, err error) error {
	if err == nil {
		err = s.conn.Flush()
	}
	if err == nil {
		s.transport.hold()
	}
	return errors.Join(&faultError{f}, err)
}

// meetConnect plays the fault that is set for a CONNECT, if one is. It returns the request that is to be answered, and the highest
// protocol version to accept it with.
func (s *session) meetConnect(request *tns.ConnectRequest) (*tns.ConnectRequest, uint16, error) {
	version := s.server.options.Version
	f := s.server.faultAt(StepConnect)
	s.transport.strike(f)
	if f == nil {
		return request, version, nil
	}
	switch f.Do.kind {
	case kindError:
		return nil, 0, s.refuse(int(f.Do.number))
	case kindRefuse:
		return nil, 0, s.leave(*f, s.conn.WriteRefuse(f.Do.text))
	case kindRedirect, kindRedirectBehind:
		return nil, 0, s.leave(*f, s.conn.WriteRedirect(f.Do.text, request.Data, f.Do.kind == kindRedirectBehind))
	case kindResend, kindResendTLS:
		request, err := s.askAgain(*f)
		return request, version, err
	case kindAccept:
		return request, min(version, uint16(f.Do.number)), nil
	}
	return request, version, s.play(*f, tns.Accept)
}

// askAgain asks for CONNECT again as often as the fault says.
func (s *session) askAgain(f Fault) (request *tns.ConnectRequest, err error) {
	for i := uint32(0); i == 0 || f.Do.number == 0 || i < f.Do.number; i++ {
		if request, err = s.resend(f.Do.kind == kindResendTLS); err != nil {
			return nil, errors.Join(&faultError{f}, err)
		}
	}
	return request, nil
}
