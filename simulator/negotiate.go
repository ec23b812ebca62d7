// The session's negotiations before the log-on: native services, protocol, data types.
package simulator

import (
	"oranet_exporter/simulator/ttc"
)

// services answers a native services request.
func (s *session) services() error {
	s.reader.ServicesRequest()
	if err := s.reader.Err(); err != nil {
		return err
	}
	if err := s.meet(StepServices); err != nil {
		return err
	}
	s.writer.ServicesReply()
	err := s.conn.WriteServices(s.writer.Bytes())
	s.writer.Reset()
	if err != nil {
		return err
	}
	return s.flush("native_services")
}

// protocol answers the protocol negotiation.
func (s *session) protocol() error {
	s.reader.ProtocolRequest()
	if err := s.reader.Err(); err != nil {
		return err
	}
	if err := s.meet(StepProtocol); err != nil {
		return err
	}
	s.phase, s.call = phaseDataTypes, "protocol"
	s.writer.ProtocolReply()
	return s.reply()
}

// dataTypes answers the data type negotiation. A client older than the layouts that the simulator knows is turned away.
func (s *session) dataTypes() error {
	s.agreement = s.reader.DataTypesRequest()
	if err := s.reader.Err(); err != nil {
		return err
	}
	s.call = "data_types"
	if err := s.meet(StepDataTypes); err != nil {
		return err
	}
	if s.agreement.FieldVersion < ttc.OldestFieldVersion {
		return clientTooOld.of(nil)
	}
	s.phase = phaseLogon
	s.writer.DataTypesReply(s.agreement)
	return s.reply()
}
