// What happens before the database: TLS, CONNECT, and the listener's decision.
package simulator

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"regexp"
	"strings"
	"time"

	"oranet_exporter/simulator/tns"
)

// logonTimeout bounds every wait until a user is logged on, as SQLNET.INBOUND_CONNECT_TIMEOUT does by default.
const logonTimeout = 60 * time.Second

// The errors of a listener.
const (
	errNoServiceName       = 12504
	errUnknownSID          = 12505
	errUnknownService      = 12514
	errVersionIncompatible = 12618
)

// errRefused ends a connection that the listener refused.
var errRefused = errors.New("refused by the listener")

// countedSocket counts the bytes on the socket.
type countedSocket struct {
	net.Conn
	meter *meter
}

func (c countedSocket) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.meter.socketReceived.Add(int64(n))
	return n, err
}

func (c countedSocket) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.meter.socketSent.Add(int64(n))
	return n, err
}

// serveConnection serves a connection from its first byte to its last, and returns how it ended.
func serveConnection(s *Server, m *meter, socket net.Conn, config *tls.Config) (how string) {
	t := newTransport(m, socket)
	err := s.converse(t, config)
	t.end(err)
	if errors.Is(err, errLoggedOff) {
		return loggedOff
	}
	return err.Error()
}

// converse goes from TLS to the end of the session; its error says what the end was.
func (s *Server) converse(t *transport, config *tls.Config) error {
	if err := t.meet(s, StepAccept); err != nil {
		return err
	}
	if config != nil {
		if err := s.shakeHands(t, config); err != nil {
			return err
		}
	}
	if err := t.meet(s, StepSecured); err != nil {
		return err
	}
	session := newSession(s, t, config)
	if err := session.accept(); err != nil {
		return err
	}
	return session.run()
}

// shakeHands does the handshake, or what a fault makes of it.
func (s *Server) shakeHands(t *transport, config *tls.Config) error {
	if f := s.faultAt(StepTLS); f != nil && !f.Do.needsAnswer() {
		t.awaitHello()
	}
	if err := t.meet(s, StepTLS); err != nil {
		return err
	}
	if err := t.handshake(config); err != nil {
		return fmt.Errorf("TLS handshake failed: %w", err)
	}
	return nil
}

// accept answers the client's CONNECT. It returns errRefused when the listener refuses.
func (s *session) accept() error {
	request, err := s.conn.ReadConnect(logonTimeout)
	if err == nil && s.server.options.Resend {
		request, err = s.resend(false)
	}
	if err != nil {
		return err
	}
	request, version, err := s.meetConnect(request)
	if err != nil {
		return err
	}
	service, code := s.server.chooseService(request)
	if code != 0 {
		return s.refuse(code)
	}
	granted := request.Grant(version, s.server.options.SDU)
	s.service = service
	s.meter.describe(func(c *ConnectionTruth) {
		c.Service, c.Version, c.RequestedSDU, c.GrantedSDU = service, granted.Version, request.SDU, granted.SDU
	})
	if err := s.conn.WriteAccept(granted); err != nil {
		return err
	}
	return s.flush("connect")
}

// resend asks for CONNECT again, over a new TLS handshake if renegotiate says so and there is TLS, and reads it.
func (s *session) resend(renegotiate bool) (*tns.ConnectRequest, error) {
	if err := s.conn.WriteResend(renegotiate); err != nil {
		return nil, err
	}
	if err := s.flush("resend"); err != nil {
		return nil, err
	}
	if renegotiate && s.config != nil {
		if err := s.transport.handshake(s.config); err != nil {
			return nil, fmt.Errorf("TLS handshake after RESEND failed: %w", err)
		}
	}
	return s.conn.ReadConnect(logonTimeout)
}

// refuse refuses the connection with a listener's error.
func (s *session) refuse(code int) error {
	s.server.ledger.refused()
	if err := s.conn.WriteRefuse(tns.RefuseText(code, versionNumber)); err != nil {
		return err
	}
	return errors.Join(errRefused, s.flush("connect"))
}

// The parts of a connect descriptor that the listener looks at.
var (
	serviceName = regexp.MustCompile(`(?i)\(\s*SERVICE_NAME\s*=\s*"?([^)"]*)"?\s*\)`)
	sid         = regexp.MustCompile(`(?i)\(\s*SID\s*=\s*([^)]*)\)`)
)

// chooseService returns the service that a client asks for, or the listener's error code.
func (s *Server) chooseService(request *tns.ConnectRequest) (service string, code int) {
	if request.Version < tns.OldestVersion || request.Lowest > s.options.Version {
		return "", errVersionIncompatible
	}
	match := serviceName.FindStringSubmatch(request.Data)
	if match == nil {
		if sid.MatchString(request.Data) {
			return "", errUnknownSID
		}
		return "", errNoServiceName
	}
	for _, known := range s.options.Services {
		if strings.EqualFold(known, strings.TrimSpace(match[1])) {
			return known, 0
		}
	}
	return "", errUnknownService
}
