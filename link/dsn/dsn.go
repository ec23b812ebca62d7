// Package dsn goes from what people write to what a client connects to: data
// source names, tnsnames.ora and sqlnet.ora. It reads text and files and never
// touches the network.
//
// The rules are those of the Oracle thin drivers (python-oracledb,
// node-oracledb) and of "Oracle Database Net Services Reference", chapters
// "Local Naming Parameters" and "sqlnet.ora". A comment says where this package
// is more lenient or stricter on purpose.
package dsn

import (
	"net"
	"strconv"
	"time"
)

// Protocol is a transport that Oracle Net runs over.
type Protocol string

// The protocols that a client without Oracle software can speak.
const (
	TCP  Protocol = "tcp"
	TCPS Protocol = "tcps" // TLS over TCP
)

// DefaultPort is the listener's port where none is written, for both protocols.
const DefaultPort = 1521

// Address is one place where a listener may answer.
type Address struct {
	Protocol       Protocol
	Host           string // name or address literal, IPv6 without brackets
	Port           int
	HTTPSProxy     string // host of the HTTP proxy to go through; empty: none
	HTTPSProxyPort int

	description int // index in Descriptor.descriptions
}

// HostPort is the address in one word, IPv6 in brackets.
func (a Address) HostPort() string { return net.JoinHostPort(a.Host, strconv.Itoa(a.Port)) }

// Server is the kind of server process that a session asks for.
type Server string

// The kinds. ServerDefault leaves the choice to the listener.
const (
	ServerDefault   Server = ""
	ServerDedicated Server = "dedicated"
	ServerShared    Server = "shared"
	ServerPooled    Server = "pooled" // database resident connection pooling
)

// Description is what one (DESCRIPTION=…) says beside its addresses.
type Description struct {
	ServiceName  string
	SID          string
	InstanceName string
	Server       Server
	SDU          int // session data unit to ask for, bytes; 0: not given

	SSLServerDNMatch *bool  // nil: not given
	SSLServerCertDN  string // empty: not given
	WalletLocation   string // directory; empty: not given

	// TCPConnectTimeout is TRANSPORT_CONNECT_TIMEOUT, else CONNECT_TIMEOUT:
	// how long one address may take. 0: not given.
	TCPConnectTimeout time.Duration

	tree   *node // as written, for ConnectData
	routed bool  // SOURCE_ROUTE: the other addresses are for the gateway at the first
}

// Descriptor is a parsed connect descriptor. The embedded Description is that
// of the first address; a DESCRIPTION_LIST has one for each of its members,
// see Of. Parse, Resolve and Names.Lookup make one.
type Descriptor struct {
	Description
	Addresses   []Address // in the order to try them
	LoadBalance bool      // LOAD_BALANCE=ON was written somewhere; Addresses are not shuffled
	Notes       []string  // what was ignored and why, each said once

	descriptions []Description
}

// Of is the description that the address belongs to.
func (d *Descriptor) Of(a Address) Description {
	if a.description < len(d.descriptions) {
		return d.descriptions[a.description]
	}
	return d.Description
}
