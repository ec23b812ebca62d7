// What a failed run says of itself: the phase it was in and the reason.
// Both are closed lists, because they become labels that alerts select on.

package link

import "fmt"

// Phase is the step of a link's use in which something failed or time passed.
type Phase string

// The phases, in the order in which a link is used.
const (
	PhaseConfig  Phase = "config"  // descriptor, tnsnames.ora, wallet: before any packet
	PhaseResolve Phase = "resolve" // host name to addresses
	PhaseProxy   Phase = "proxy"   // HTTP CONNECT through https_proxy
	PhaseTCP     Phase = "tcp"     // SYN to SYN/ACK
	PhaseTLS     Phase = "tls"     // handshake
	PhaseTNS     Phase = "tns"     // CONNECT to ACCEPT, native services, protocol and data types
	PhaseAuth    Phase = "auth"    // both O5LOGON exchanges
	PhaseSession Phase = "session" // from the accepted logon to a usable session
	PhaseQuery   Phase = "query"   // execute, ping
	PhaseFetch   Phase = "fetch"   // rows after the first execute
	PhaseClose   Phase = "close"   // logoff
)

// Reason is why a run failed, as an operator would group it.
type Reason string

// The reasons; docs/errors.md says which errors become which.
const (
	ReasonTimeout          Reason = "timeout"
	ReasonCanceled         Reason = "canceled"
	ReasonDNS              Reason = "dns"
	ReasonRefused          Reason = "refused"
	ReasonUnreachable      Reason = "unreachable"
	ReasonReset            Reason = "reset"
	ReasonPeerClosed       Reason = "peer_closed"
	ReasonUnknownService   Reason = "unknown_service"
	ReasonACLDenied        Reason = "acl_denied"
	ReasonNoHandler        Reason = "no_handler"
	ReasonLimit            Reason = "limit"
	ReasonDBUnavailable    Reason = "db_unavailable"
	ReasonListenerRefused  Reason = "listener_refused"
	ReasonAuthFailed       Reason = "auth_failed"
	ReasonAccountLocked    Reason = "account_locked"
	ReasonPasswordExpired  Reason = "password_expired"
	ReasonAuthProtocol     Reason = "auth_protocol"
	ReasonPrivilege        Reason = "privilege"
	ReasonObjectMissing    Reason = "object_missing"
	ReasonSessionKilled    Reason = "session_killed"
	ReasonDBResources      Reason = "db_resources"
	ReasonORAOther         Reason = "ora_other"
	ReasonTLSUntrusted     Reason = "tls_untrusted"
	ReasonTLSExpired       Reason = "tls_expired"
	ReasonTLSNameMismatch  Reason = "tls_name_mismatch"
	ReasonTLSClientCert    Reason = "tls_client_cert"
	ReasonTLSHandshake     Reason = "tls_handshake"
	ReasonProtocol         Reason = "protocol"
	ReasonRedirectLoop     Reason = "redirect_loop"
	ReasonWalletMissing    Reason = "wallet_missing"
	ReasonWalletPermission Reason = "wallet_permission"
	ReasonWalletInvalid    Reason = "wallet_invalid"
	ReasonConfig           Reason = "config"
	ReasonLocalResources   Reason = "local_resources"
	ReasonOther            Reason = "other"
)

// Failure is the error of every operation of this package: the phase that was
// under way, the reason, the peer if one was chosen, and the cause in words.
type Failure struct {
	Phase  Phase
	Reason Reason
	ORA    int    // the ORA- code, 0 if the cause was none
	Peer   string // host:port, empty before one was chosen
	Err    error
}

// Error reads as a sentence on one line, whatever the driver or a peer wrote:
// "tls: db:2484: certificate expired on 2026-11-02".
func (f *Failure) Error() string {
	if f.Peer == "" {
		return fmt.Sprintf("%s: %s", f.Phase, printable(f.Err.Error()))
	}
	return fmt.Sprintf("%s: %s: %s", f.Phase, f.Peer, printable(f.Err.Error()))
}

// Unwrap gives the cause.
func (f *Failure) Unwrap() error { return f.Err }
