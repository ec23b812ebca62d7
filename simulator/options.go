// Package simulator is an Oracle Net database that real clients accept: a listener over TCP and TCPS, logon, and rows from a small SQL
// engine. It behaves as the 19c and 26ai servers whose packets were captured, counts what it does, and tells it as ground truth.
// What it had to guess is in docs/simulator.md.
//
// This file holds what can be chosen about a simulated database.
package simulator

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"

	"oranet_exporter/simulator/sql"
	"oranet_exporter/simulator/tns"
)

const (
	defaultService  = "FREEPDB1"
	defaultUser     = "PROBE"
	defaultPassword = "probe"
	// defaultSDU is the limit of an Autonomous Database: asked for 65,536 or 2,097,152 bytes it grants 32,768.
	defaultSDU = 32768
	// defaultVersion is the highest protocol version of 19c.
	defaultVersion = 318
	newestVersion  = 319
	smallestSDU    = 512
	largestSDU     = 2097152
)

// Options are what can be chosen about a simulated database. The zero value of a field is its default.
type Options struct {
	ListenAddress    string      // plain TCP, such as "127.0.0.1:0"; "" listens on none
	TLSListenAddress string      // TCPS; "" listens on none
	TLSConfig        *tls.Config // of the server, with ClientAuth for mutual TLS; needed by TLSListenAddress

	// Listen opens the listeners; nil is net.Listen. An emulated link plugs in here.
	Listen func(network, address string) (net.Listener, error)

	Services       []string // service names the listener knows, in any case; default FREEPDB1
	User, Password string   // the only user; default PROBE and probe

	// PasswordExpiry is what USER_USERS tells of the user's password; the zero time: it never expires.
	PasswordExpiry time.Time

	SDU     uint32 // the biggest session data unit it grants, 512 to 2,097,152; default 32,768
	Version uint16 // the highest protocol version it accepts, 312 to 319; default 318
	Resend  bool   // asks every client once to send its CONNECT again

	// Withheld are the views that the user was not granted, by the names that grants have: V_$MYSTAT, V_$STATNAME, V_$SESSION, V_$SQL.
	// Reading one is ORA-00942, as for a user with CREATE SESSION alone. Default: none is withheld. ALL_OBJECTS, which tells what
	// was granted, can be withheld too.
	Withheld []string

	// Fault is what it does wrong from the start, as SetFault would tell it; nil is nothing.
	Fault *Fault

	// ServerTime is how long a statement takes beyond what generating its rows takes; nil is not at all. A client's interrupt ends it.
	ServerTime func(sql string) time.Duration
}

// withDefaults returns the options with every default filled in, or the first thing that is wrong with them.
func (o Options) withDefaults() (Options, error) {
	if o.Listen == nil {
		o.Listen = net.Listen
	}
	if len(o.Services) == 0 {
		o.Services = []string{defaultService}
	}
	if o.User == "" {
		o.User = defaultUser
	}
	if o.Password == "" {
		o.Password = defaultPassword
	}
	if o.SDU == 0 {
		o.SDU = defaultSDU
	}
	if o.Version == 0 {
		o.Version = defaultVersion
	}
	switch {
	case o.ListenAddress == "" && o.TLSListenAddress == "":
		return o, errors.New("simulator: neither a plain nor a TLS address to listen on; set one")
	case o.TLSListenAddress != "" && o.TLSConfig == nil:
		return o, errors.New("simulator: a TLS address needs a TLS configuration with the server's certificate")
	case o.SDU < smallestSDU || o.SDU > largestSDU:
		return o, fmt.Errorf("simulator: an SDU of %d bytes is not between %d and %d", o.SDU, smallestSDU, largestSDU)
	case o.Version < tns.OldestVersion || o.Version > newestVersion:
		return o, fmt.Errorf("simulator: protocol version %d is not between %d and %d", o.Version, tns.OldestVersion, newestVersion)
	}
	if o.Fault != nil {
		if err := o.Fault.validate(); err != nil {
			return o, err
		}
	}
	for _, view := range o.Withheld {
		if !slices.Contains(sql.Grants(), view) {
			return o, fmt.Errorf("simulator: %q cannot be withheld; %s can", view, strings.Join(sql.Grants(), ", "))
		}
	}
	return o, nil
}
