// A session: the driver on an accepted link, under our deadline.

package link

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/user"
	"sync"

	goora "github.com/sijms/go-ora/v2"
	"github.com/sijms/go-ora/v2/configurations"

	"oranet_exporter/link/tns"
)

// DriverChooses as an arraysize lets the driver size its fetches itself.
const DriverChooses = 25

// MaxArraysize is the most rows that the driver can ask for in one fetch.
const MaxArraysize = 65535

// Session is one logged-on database session on a connection of its own. It is
// for one user at a time. After any error it is broken: Broken reports so,
// and only Close is left to do.
type Session struct {
	attempt *Attempt
	meter   *meter
	usage   *Usage
	peer    string
	wire    *wire
	packets *packetConn
	conn    *goora.Connection
	broken  bool
	closing sync.Once
	release func() // makes room for another session
}

// Open connects, logs on and returns a usable session whose fetches ask for
// arraysize rows. ctx's deadline bounds all of it. The error is a *Failure;
// the Attempt is returned in both cases.
func (l *Link) Open(ctx context.Context, arraysize int) (*Session, *Attempt, error) {
	o := l.newOpening(l.SDU())
	s, err := o.openLimited(ctx, arraysize)
	o.finish(err)
	return s, o.attempt, err
}

// openLimited opens a session if the target's limit has room for it.
func (o *opening) openLimited(ctx context.Context, arraysize int) (*Session, error) {
	sessions := o.link.sessions
	if err := sessions.take(ctx); err != nil {
		return nil, err
	}
	s, err := o.open(ctx, arraysize)
	if err != nil {
		sessions.give()
		return nil, err
	}
	s.release = sessions.give
	return s, nil
}

func (o *opening) open(ctx context.Context, arraysize int) (*Session, error) {
	o.enter(PhaseConfig)
	password, err := o.link.cfg.Password.Reveal()
	if err != nil {
		return nil, unreadable(ReasonConfig, err)
	}
	c, err := o.accept(ctx)
	if err != nil {
		return nil, err
	}
	s := &Session{attempt: o.attempt, meter: o.meter, usage: o.link.usage, peer: o.peer, wire: c.wire}
	s.packets = newPacketConn(c.conn, o.meter, c.accepted)
	s.packets.onCall = o.logonProgress
	if s.packets.wide { // from 12.1 on
		s.packets.named = endToEnd(o.link.program(), o.link.usage.Name)
	}
	if err := o.logOn(ctx, s, password, arraysize); err != nil {
		s.abandon()
		return nil, err
	}
	s.packets.onCall = nil
	return s, nil
}

// logOn shows the password to the guard first, to the database then.
func (o *opening) logOn(ctx context.Context, s *Session, password string, arraysize int) error {
	answered, err := o.passGuard(ctx, password)
	if err != nil {
		return err
	}
	s.conn, err = goora.NewConnection("", o.link.driverConfig(s.packets, password, arraysize))
	if err == nil {
		// The driver's own watch over a context races with its reads; the
		// socket is bound to ctx instead.
		err = s.do(ctx, func() error { return s.conn.OpenWithContext(context.Background()) })
	}
	if err != nil {
		failure := o.fail(ctx, err)
		answered(o.judge(failure))
		return failure
	}
	answered(Accepted)
	return nil
}

// TTC function codes by which a logon's progress shows on the connection.
const (
	callAuthPhaseOne = 0x76
	callAuthPhaseTwo = 0x73 // carries the password, encrypted
	callVersion      = 0x3b
)

func (o *opening) logonProgress(function byte) {
	switch function {
	case callAuthPhaseOne:
		o.enter(PhaseAuth)
	case callAuthPhaseTwo:
		o.judged = NoAnswer
	case callVersion:
		o.judged = Accepted
		o.enter(PhaseSession)
	}
}

// driverConfig is the least that the driver needs: to it the link is plain
// TCP, already dialled. It holds the password and is never printed.
func (l *Link) driverConfig(conn net.Conn, password string, arraysize int) *configurations.ConnectionConfig {
	dialed := false
	config := &configurations.ConnectionConfig{
		PrefetchRows: arraysize,
		DatabaseInfo: configurations.DatabaseInfo{
			UserID:      l.cfg.User,
			Password:    password,
			Servers:     []configurations.ServerAddr{{Protocol: "tcp", Addr: "link", Port: 1}},
			ServiceName: "link",
			// With a location the driver does not ask for SYSTIMESTAMP at
			// every logon, with a cursor that it would never close.
			Location: "UTC",
		},
		SessionInfo: configurations.SessionInfo{
			Protocol:              "tcp",
			SessionDataUnitSize:   tns.MaxSDU,
			TransportDataUnitSize: tns.MaxSDU,
		},
		ClientInfo: configurations.ClientInfo{
			ProgramName: l.program(),
			ProgramPath: l.program(),
			OSUserName:  osUser(),
			HostName:    hostName(),
			DriverName:  l.program() + " : go-ora",
			PID:         os.Getpid(),
			Territory:   "AMERICA",
			Language:    "AMERICAN",
		},
	}
	config.RegisterDial(func(context.Context, string, string) (net.Conn, error) {
		if dialed {
			return nil, errors.New("the driver tried to connect by itself")
		}
		dialed = true
		return conn, nil
	})
	return config
}

var errDriverPanic = errors.New("the driver panicked")

// do runs one call of the driver: ctx rules the socket, a panic becomes an
// error, and any error leaves the session broken.
func (s *Session) do(ctx context.Context, call func() error) (err error) {
	if s.broken {
		return errors.New("the session is broken by an earlier error")
	}
	release := s.wire.bind(ctx)
	defer release()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %s", errDriverPanic, PanicText(p))
		}
		if err != nil {
			err = s.cause(err)
			s.broken = true
		}
	}()
	return call()
}

// Ping makes one TTC ping: one round trip that parses no SQL.
func (s *Session) Ping(ctx context.Context) error {
	s.usage.enter(PhaseQuery)
	err := s.do(ctx, func() error { return s.conn.Ping(context.Background()) })
	if err != nil {
		return s.fail(ctx, PhaseQuery, err)
	}
	return nil
}

// Counts reads the session's meter.
func (s *Session) Counts() Counts { return s.meter.Counts() }

// Negotiated is what the listener granted this session.
func (s *Session) Negotiated() Negotiated { return s.attempt.Accepted }

// Broken tells whether an earlier error has made the session useless.
func (s *Session) Broken() bool { return s.broken }

// Close logs off within ctx's deadline and closes the socket, whatever
// happens. A broken session is not logged off: what it would read is not the
// answer to what it asked.
func (s *Session) Close(ctx context.Context) error {
	var err error
	s.closing.Do(func() {
		if s.conn != nil && !s.broken {
			s.usage.enter(PhaseClose)
			err = s.do(ctx, s.logoff)
		}
		s.abandon()
		s.release()
	})
	if err != nil {
		return s.fail(ctx, PhaseClose, err)
	}
	return nil
}

// fail turns err into the Failure of a phase.
func (s *Session) fail(ctx context.Context, phase Phase, err error) error {
	f := Classify(ctx, phase, err)
	f.Peer = s.peer
	return f
}

var errNoLogoff = errors.New("the server did not confirm the logoff")

// logoff logs off. The driver hides what goes wrong: no answer, or an error.
func (s *Session) logoff() error {
	before := s.meter.Counts()
	err := s.conn.Close()
	now := s.meter.Counts().Sub(before)
	if err == nil && (now.PacketsReceived == 0 || now.Markers > 0) {
		return errNoLogoff
	}
	return err
}

// abandon closes the socket without a word.
func (s *Session) abandon() {
	s.broken = true
	_ = s.packets.Close()
	_ = s.wire.Close()
}

var hostName = sync.OnceValue(func() string {
	name, err := os.Hostname()
	if err != nil {
		return "unknown"
	}
	return name
})

var osUser = sync.OnceValue(func() string {
	u, err := user.Current()
	if err != nil {
		return "unknown"
	}
	return u.Username
})
