// Package link is the measured path to one database: name resolution, TCP,
// proxy, TLS, Oracle Net, session. It owns every socket; the driver is handed
// an established connection and does what it is good at, TTC.
package link

import (
	"cmp"
	"context"
	"net"
	"reflect"
	"time"

	"oranet_exporter/link/dsn"
)

// Config says how to reach one target. The names are the Oracle thin drivers'.
type Config struct {
	DSN            string // tnsnames.ora alias, easy connect string or descriptor
	ConfigDir      string // holds tnsnames.ora and sqlnet.ora; optional
	WalletLocation string // holds the wallet; optional
	WalletPassword Secret
	User           string
	Password       Secret
	SDU            int // session data unit to ask for, bytes; 0: the descriptor's, else 8192

	SSLServerDNMatch  *bool  // nil: the descriptor's, else sqlnet.ora's, else true
	SSLServerCertDN   string // empty: the descriptor's
	HTTPSProxy        string // empty: the descriptor's
	HTTPSProxyPort    int
	TCPConnectTimeout time.Duration // of one address; 0: the run's deadline alone

	Program string // what V$SESSION.PROGRAM shows; "oranet_exporter" if empty
	Dial    DialFunc
}

// DialFunc opens a TCP connection; nil means the operating system's dialler.
// The emulated link of the demo and the tests comes in here.
type DialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// DefaultSDU is what the Oracle thin drivers ask for unless told otherwise.
const DefaultSDU = 8192

// Link is one target's path. It is safe for concurrent use.
type Link struct {
	cfg    Config
	desc   *dsn.Descriptor
	sqlnet *dsn.SQLNet
	usage  *Usage
	load   *load
	guard  Guard // nil: every logon is let through

	sessions *Sessions // nil: as many as anyone opens
}

// New resolves the target's dsn and checks what can be checked without the
// network. Its error is a *Failure of phase config.
func New(cfg Config) (*Link, error) {
	desc, err := dsn.Resolve(cfg.DSN, cfg.ConfigDir)
	if err != nil {
		return nil, unreadable(ReasonConfig, err)
	}
	sqlnet := new(dsn.SQLNet)
	if cfg.ConfigDir != "" {
		if sqlnet, err = dsn.LoadSQLNet(cfg.ConfigDir); err != nil {
			return nil, unreadable(ReasonConfig, err)
		}
	}
	if cfg.HTTPSProxy != "" {
		for i := range desc.Addresses {
			desc.Addresses[i].HTTPSProxy = cfg.HTTPSProxy
			desc.Addresses[i].HTTPSProxyPort = cmp.Or(cfg.HTTPSProxyPort, dsn.DefaultHTTPSProxyPort)
		}
	}
	return &Link{cfg: cfg, desc: desc, sqlnet: sqlnet, usage: new(Usage), load: new(load)}, nil
}

// Changed tells whether the files behind the link, tnsnames.ora and sqlnet.ora,
// say something else now than when it was made. Its error is a *Failure of
// phase config.
func (l *Link) Changed() (bool, error) {
	now, err := New(l.cfg)
	if err != nil {
		return false, err
	}
	return !reflect.DeepEqual(l.desc, now.desc) || !reflect.DeepEqual(l.sqlnet, now.sqlnet), nil
}

// For returns the same link with the bytes and attempts of its user counted in u.
func (l *Link) For(u *Usage) *Link {
	view := *l
	view.usage = u
	return &view
}

// Notes lists what the descriptor asks for and this program does not do.
func (l *Link) Notes() []string { return l.desc.Notes }

// Server is the kind of server that the descriptor asks for; empty means the
// listener's default.
func (l *Link) Server() dsn.Server { return l.desc.Server }
