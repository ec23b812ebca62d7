// Package wallet reads Oracle wallets and verifies database servers by them,
// as Oracle's thin drivers do.
package wallet

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"oranet_exporter/link/file"
)

// files are the files that are read, in the order of preference.
var files = []struct {
	name  string
	parse func(content []byte, password string) (*contents, error)
}{
	{pemFile, parsePEM},
	{p12File, parseP12},
	{ssoFile, func(content []byte, _ string) (*contents, error) { return parseSSO(content) }},
}

const (
	pemFile = "ewallet.pem"
	p12File = "ewallet.p12"
	ssoFile = "cwallet.sso"
)

// maxSize is far above any wallet's size: a few kilobytes for each certificate.
const maxSize = 1 << 20

// Wallet is what a wallet directory gives a TLS client.
type Wallet struct {
	// Certificate is the client's own, with its key and the intermediate
	// certificates that lead to its authority; nil if the wallet holds no key,
	// as for one-way TLS.
	Certificate *tls.Certificate
	// Roots are the authorities that the wallet trusts; nil if it holds none,
	// so that the system's are trusted.
	Roots *x509.CertPool
	// Certificates is every certificate inside, the client's own first.
	Certificates []*x509.Certificate
	// Source is the path of the file that was read.
	Source string
}

// Load reads the wallet in dir: ewallet.pem, which Oracle's thin drivers read,
// else ewallet.p12, else cwallet.sso, which holds its own password. A file that
// needs a password is passed over if none is given. A wrong password or a
// damaged file is an error, never a reason to try another file.
//
// (go-ora has the same order of the latter two, configurations/connect_config.go.)
//
// The error is an *Error.
func Load(dir, password string) (*Wallet, error) {
	switch info, err := os.Stat(dir); {
	case isMissing(err):
		return nil, &Error{Missing, dir, errAbsent}
	case err == nil && !info.IsDir():
		return nil, &Error{Missing, dir, errNoDirectory}
	}
	var locked error
	for _, f := range files {
		w, err := loadFile(filepath.Join(dir, f.name), password, f.parse)
		switch {
		case isMissing(err):
		case errors.Is(err, errPasswordNeeded):
			locked = cmp.Or(locked, err)
		default:
			return w, err
		}
	}
	if locked != nil {
		return nil, locked
	}
	return nil, &Error{Missing, dir, errNoFile}
}

func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// loadFile reads one file of the wallet with its parser.
func loadFile(path, password string, parse func([]byte, string) (*contents, error)) (*Wallet, error) {
	content, err := file.Read(path, maxSize)
	if err != nil {
		return nil, &Error{kindOf(err), path, file.Cause(err)}
	}
	found, err := parse(content, password)
	if err != nil {
		return nil, &Error{Invalid, path, err}
	}
	w, err := found.wallet()
	if err != nil {
		return nil, &Error{Invalid, path, err}
	}
	w.Source = path
	return w, nil
}

func kindOf(err error) Kind {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Missing
	case errors.Is(err, fs.ErrPermission):
		return Permission
	}
	return Invalid
}
