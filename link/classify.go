// From an error to the phase and the reason that an operator sees. By type
// and ORA- code, never by text.

package link

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"reflect"
	"strings"

	"github.com/sijms/go-ora/v2/network"

	"oranet_exporter/link/tns"
	"oranet_exporter/link/wallet"
)

// Classify makes a Failure of any error that came up in phase. An error that
// is one already is returned as it is.
func Classify(ctx context.Context, phase Phase, err error) *Failure {
	var f *Failure
	if errors.As(err, &f) {
		return f
	}
	if code := oraCode(err); code != 0 {
		return &Failure{Phase: phase, Reason: oraReason(code), ORA: code, Err: sentence(err)}
	}
	if reason, ok := tlsReason(err); ok {
		// Under TLS 1.3 a server's objection to our certificate arrives after
		// the handshake, in answer to the first packet.
		return &Failure{Phase: PhaseTLS, Reason: reason, Err: err}
	}
	if phase == PhaseTLS && ctx.Err() == nil && !isNetwork(err) {
		return &Failure{Phase: phase, Reason: ReasonTLSHandshake, Err: err}
	}
	return &Failure{Phase: phase, Reason: reasonOf(ctx, err), Err: sentence(err)}
}

// sentence says what the terse errors of a socket mean, and drops what the
// driver adds to a database's.
func sentence(err error) error {
	var op *net.OpError
	var oracle *network.OracleError
	switch {
	case errors.As(err, &oracle) && oracle.ErrMsg != "":
		// The driver adds where in the statement, which for a logon is nowhere.
		return &toldError{code: oracle.ErrCode, text: strings.TrimSpace(oracle.ErrMsg)}
	case errors.As(err, &op) && op.Op == "read" && op.Timeout():
		return fmt.Errorf("no answer before the deadline: %w", err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("the peer closed the connection: %w", err)
	}
	return err
}

// reasonOf classifies what is neither Oracle's nor TLS's.
func reasonOf(ctx context.Context, err error) Reason {
	var dnsErr *net.DNSError
	var refused *refusedError
	var proxy *proxyRefusal
	var puzzled *puzzledError
	switch {
	case errors.As(err, &refused):
		return ReasonListenerRefused
	case errors.As(err, &proxy):
		return proxy.reason()
	case errors.Is(err, tns.ErrMalformed), errors.Is(err, errDriverPanic), errors.Is(err, errNotProxy),
		errors.As(err, &puzzled):
		return ReasonProtocol
	case errors.Is(ctx.Err(), context.Canceled):
		return ReasonCanceled
	case ctx.Err() != nil, isTimeout(err), errors.Is(err, context.DeadlineExceeded):
		return ReasonTimeout
	case systemReason(err) != "":
		return systemReason(err)
	case errors.As(err, &dnsErr):
		return ReasonDNS
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, driver.ErrBadConn):
		return ReasonPeerClosed
	}
	return ReasonOther
}

// systemReason is what the operating system's error number in err stands for,
// empty if there is none that stands for anything.
func systemReason(err error) Reason {
	for reason, numbers := range errnos {
		for _, number := range numbers {
			if errors.Is(err, number) {
				return reason
			}
		}
	}
	return ""
}

// unreadable is the Failure of a file that could not be read or used, before
// any packet. It is not the file's fault if this process may open no more.
func unreadable(reason Reason, err error) *Failure {
	if systemReason(err) == ReasonLocalResources {
		reason = ReasonLocalResources
	}
	return &Failure{Phase: PhaseConfig, Reason: reason, Err: err}
}

func isNetwork(err error) bool {
	var opErr *net.OpError
	return errors.As(err, &opErr) && opErr.Op != "remote error" && opErr.Op != "local error" ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

func oraCode(err error) int {
	var oracle *network.OracleError
	if errors.As(err, &oracle) {
		return oracle.ErrCode
	}
	var refused *refusedError
	if errors.As(err, &refused) {
		return refused.code
	}
	var told *toldError
	if errors.As(err, &told) {
		return told.code
	}
	return 0
}

// tlsReason recognises what TLS and the certificate rules object to.
func tlsReason(err error) (Reason, bool) {
	var (
		invalid   x509.CertificateInvalidError
		authority x509.UnknownAuthorityError
		host      x509.HostnameError
		name      *wallet.NameMismatchError
		record    tls.RecordHeaderError
	)
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return ReasonTLSExpired, true
	case errors.As(err, &invalid), errors.As(err, &authority):
		return ReasonTLSUntrusted, true
	case errors.As(err, &host), errors.As(err, &name):
		return ReasonTLSNameMismatch, true
	case errors.As(err, &record):
		return ReasonTLSHandshake, true
	}
	alert, ok := remoteAlert(err)
	if !ok {
		return "", false
	}
	switch alert {
	case alertBadCertificate, alertCertificateRevoked, alertCertificateExpired,
		alertCertificateUnknown, alertUnknownCA, alertCertificateRequired:
		return ReasonTLSClientCert, true
	}
	return ReasonTLSHandshake, true
}

// The TLS alerts by which a server rejects a client's certificate, RFC 8446
// section 6.
const (
	alertBadCertificate      = 42
	alertCertificateRevoked  = 44
	alertCertificateExpired  = 45
	alertCertificateUnknown  = 46
	alertUnknownCA           = 48
	alertCertificateRequired = 116
)

// remoteAlert returns the alert that the peer sent. crypto/tls keeps its type
// private, but not its kind: a number of eight bits.
func remoteAlert(err error) (uint8, bool) {
	var opErr *net.OpError
	if !errors.As(err, &opErr) || opErr.Op != "remote error" {
		return 0, false
	}
	v := reflect.ValueOf(opErr.Err)
	if v.Kind() != reflect.Uint8 {
		return 0, false
	}
	return uint8(v.Uint()), true
}
