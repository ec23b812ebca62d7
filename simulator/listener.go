// What happens before the database: TLS, CONNECT, and the listener's decision.
package simulator

import (
	"context"
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
	var stream net.Conn = countedSocket{Conn: socket, meter: m}
	if config != nil {
		secure := tls.Server(stream, config)
		// Close says goodbye to the client; that it may have gone already does not matter.
		defer func() { _ = secure.Close() }()
		if err := handshake(secure); err != nil {
			return fmt.Sprintf("TLS handshake failed: %v", err)
		}
		stream = secure
	}
	session := newSession(s, m, tns.NewConn(stream, &m.traffic))
	err := session.accept()
	if err == nil {
		err = session.run()
	}
	if errors.Is(err, errLoggedOff) {
		return "logoff"
	}
	return err.Error()
}

// handshake does the server's side of TLS within the time for a log-on.
func handshake(secure *tls.Conn) error {
	ctx, cancel := context.WithTimeout(context.Background(), logonTimeout)
	defer cancel()
	return secure.HandshakeContext(ctx)
}

// accept answers the client's CONNECT. It returns errRefused when the listener refuses.
func (s *session) accept() error {
	request, err := s.conn.ReadConnect(logonTimeout)
	if err != nil {
		return err
	}
	if s.server.options.Resend {
		if err := s.conn.WriteResend(); err != nil {
			return err
		}
		if err := s.flush("resend"); err != nil {
			return err
		}
		if request, err = s.conn.ReadConnect(logonTimeout); err != nil {
			return err
		}
	}
	service, code := s.server.chooseService(request)
	if code != 0 {
		s.server.ledger.refused()
		if err := s.conn.WriteRefuse(code, versionNumber); err != nil {
			return err
		}
		return errors.Join(errRefused, s.flush("connect"))
	}
	granted := request.Grant(s.server.options.Version, s.server.options.SDU)
	s.service = service
	s.meter.describe(func(c *ConnectionTruth) {
		c.Service, c.Version, c.RequestedSDU, c.GrantedSDU = service, granted.Version, request.SDU, granted.SDU
	})
	if err := s.conn.WriteAccept(granted); err != nil {
		return err
	}
	return s.flush("connect")
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
