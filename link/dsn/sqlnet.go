// sqlnet.ora: what holds for every connection of a configuration directory.

package dsn

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
)

// SQLNet is the part of a sqlnet.ora that a client without Oracle software uses.
type SQLNet struct {
	WalletLocation   string // directory; empty: not given
	SSLServerDNMatch *bool  // nil: not given
}

// LoadSQLNet reads sqlnet.ora in a directory. There need not be one.
func LoadSQLNet(dir string) (*SQLNet, error) {
	file, err := loadOraFile(filepath.Join(dir, "sqlnet.ora"))
	if errors.Is(err, fs.ErrNotExist) {
		return new(SQLNet), nil
	}
	if err != nil {
		return nil, err
	}
	s := new(SQLNet)
	for _, e := range file.entries {
		if err := s.set(e); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// set takes one parameter over; those that are not used are not even parsed.
func (s *SQLNet) set(e entry) error {
	names := e.names()
	if len(names) != 1 {
		return nil
	}
	switch strings.ToUpper(names[0]) {
	case "WALLET_LOCATION":
		n, err := e.tree(names[0])
		if err != nil {
			return err
		}
		s.WalletLocation = e.directory(walletDirectory(n))
	case "SSL_SERVER_DN_MATCH", "TLS_SERVER_DN_MATCH":
		n, err := e.tree(names[0])
		if err != nil {
			return err
		}
		on, err := parseFlag(n.text())
		if err != nil {
			return e.located(failf("%s %v", names[0], err))
		}
		s.SSLServerDNMatch = &on
	}
	return nil
}

// tree reads the entry as a (NAME=value).
func (e entry) tree(name string) (*node, error) {
	value, err := e.value()
	if err != nil {
		return nil, err
	}
	n, err := parseTree("(" + name + "=" + value + ")")
	if err != nil {
		return nil, e.located(err)
	}
	return n, nil
}
