// Package wallet reads Oracle wallets and verifies database servers by them,
// as Oracle's thin drivers do.
package wallet

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// The files that are read, in the order of preference.
const (
	pemFile = "ewallet.pem"
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

// Load reads the wallet in dir.
//
// ewallet.pem is preferred, as by Oracle's thin drivers; password decrypts its
// key. cwallet.sso, which holds its own password, is read if there is no
// ewallet.pem, or if that needs a password and none is given. A wrong password
// or a damaged file is an error, never a reason to try the other file.
//
// The error is an *Error.
func Load(dir, password string) (*Wallet, error) {
	if info, err := os.Stat(dir); isMissing(err) || err == nil && !info.IsDir() {
		return nil, &Error{Missing, dir, errNoDirectory}
	}
	w, err := loadFile(dir, pemFile, func(content []byte) (*contents, error) {
		return parsePEM(content, password)
	})
	pemMissing := isMissing(err)
	if !pemMissing && !errors.Is(err, errPasswordNeeded) {
		return w, err
	}
	w, ssoErr := loadFile(dir, ssoFile, parseSSO)
	switch {
	case !isMissing(ssoErr):
		return w, ssoErr
	case pemMissing:
		return nil, &Error{Missing, dir, errNoFile}
	}
	return nil, err
}

func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// loadFile reads one file of the wallet with its parser.
func loadFile(dir, name string, parse func([]byte) (*contents, error)) (*Wallet, error) {
	path := filepath.Join(dir, name)
	content, err := readFile(path)
	if err != nil {
		return nil, &Error{kindOf(err), path, err}
	}
	found, err := parse(content)
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

// readFile reads a regular file: a pipe could keep the caller for ever.
func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errNoRegularFile
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, maxSize+1))
	if len(content) > maxSize {
		return nil, errTooBig
	}
	return content, err
}
