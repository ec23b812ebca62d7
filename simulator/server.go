// The simulated database's life: its listeners, one goroutine for each connection, and its end.
package simulator

import (
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"oranet_exporter/simulator/logon"
)

// acceptRetry is how long a listener waits after an accept failed, such as for want of file descriptors.
const acceptRetry = 10 * time.Millisecond

// brokeDown begins the end of a connection whose goroutine panicked, which is a mistake of the simulator's.
const brokeDown = "the simulator broke down"

// Server is a running simulated database. Its methods may be called from any goroutine.
type Server struct {
	options  Options
	verifier *logon.Verifier
	ledger   *ledger
	started  time.Time

	plain, tls net.Listener
	running    sync.WaitGroup
	fault      atomic.Pointer[Fault] // nil: it behaves

	mutex   sync.Mutex
	closed  bool
	sockets map[net.Conn]struct{}
}

// Start starts a simulated database, which listens when Start returns. The error names the option or the address that is wrong.
func Start(o Options) (*Server, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	verifier, err := logon.NewVerifier(o.Password)
	if err != nil {
		return nil, fmt.Errorf("simulator: %w", err)
	}
	s := &Server{options: o, verifier: verifier, ledger: newLedger(), started: time.Now(), sockets: map[net.Conn]struct{}{}}
	s.fault.Store(o.Fault)
	if s.plain, err = s.listen(o.ListenAddress); err == nil {
		s.tls, err = s.listen(o.TLSListenAddress)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.serve(s.plain, nil)
	s.serve(s.tls, o.TLSConfig)
	return s, nil
}

// listen opens a listener; an empty address opens none.
func (s *Server) listen(address string) (net.Listener, error) {
	if address == "" {
		return nil, nil
	}
	listener, err := s.options.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("simulator: cannot listen on %s: %w", address, err)
	}
	return listener, nil
}

// serve accepts connections until the listener is closed.
func (s *Server) serve(listener net.Listener, config *tls.Config) {
	if listener == nil {
		return
	}
	s.running.Go(func() {
		for {
			socket, err := listener.Accept()
			if errors.Is(err, net.ErrClosed) || s.isClosed() {
				if socket != nil {
					_ = socket.Close()
				}
				return
			}
			if err != nil {
				time.Sleep(acceptRetry)
				continue
			}
			s.connection(socket, config)
		}
	})
}

// connection serves one connection in a goroutine of its own.
func (s *Server) connection(socket net.Conn, config *tls.Config) {
	if !s.remember(socket) {
		_ = socket.Close()
		return
	}
	s.running.Go(func() {
		defer s.forget(socket)
		m := s.ledger.started(config != nil, time.Now())
		how := serveRecovered(s, m, socket, config)
		s.ledger.finished(m, how, s.isClosed())
	})
}

// serveRecovered serves a connection; a panic ends that connection alone.
func serveRecovered(s *Server, m *meter, socket net.Conn, config *tls.Config) (how string) {
	defer func() {
		if r := recover(); r != nil {
			how = fmt.Sprintf("%s: %v", brokeDown, r)
		}
	}()
	return serveConnection(s, m, socket, config)
}

func (s *Server) remember(socket net.Conn) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if !s.closed {
		s.sockets[socket] = struct{}{}
	}
	return !s.closed
}

func (s *Server) forget(socket net.Conn) {
	_ = socket.Close()
	s.mutex.Lock()
	defer s.mutex.Unlock()
	delete(s.sockets, socket)
}

func (s *Server) isClosed() bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.closed
}

// Addr is the address of the plain listener, "" when there is none.
func (s *Server) Addr() string { return address(s.plain) }

// TLSAddr is the address of the TLS listener, "" when there is none.
func (s *Server) TLSAddr() string { return address(s.tls) }

func address(listener net.Listener) string {
	if listener == nil {
		return ""
	}
	return listener.Addr().String()
}

// Truth returns what the database did since it started.
func (s *Server) Truth() Truth { return s.ledger.truth() }

// Handler serves the ground truth as JSON on /truth.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /truth", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		// An error means that the client went away; there is nobody to tell.
		_ = encoder.Encode(s.Truth())
	})
	return mux
}

// Close ends the listeners and every session, and returns when all their goroutines have ended.
func (s *Server) Close() error {
	s.mutex.Lock()
	s.closed = true
	for socket := range s.sockets {
		_ = socket.Close()
	}
	s.mutex.Unlock()
	var errs []error
	for _, listener := range []net.Listener{s.plain, s.tls} {
		if listener == nil {
			continue
		}
		if err := listener.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
			errs = append(errs, fmt.Errorf("simulator: cannot close the listener on %s: %w", listener.Addr(), err))
		}
	}
	s.running.Wait()
	return errors.Join(errs...)
}
