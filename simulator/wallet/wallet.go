// Package wallet makes a throw-away PKI and writes the client's half of it as
// an untouched Autonomous Database wallet holds it, less the Java key stores.
package wallet

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"time"
)

// KeyType is the kind of every private key of a wallet.
type KeyType int

// RSA is what Oracle's own wallets hold; EC keys are made much faster.
const (
	RSA2048 KeyType = iota
	ECP256
)

// Options say what Generate makes.
type Options struct {
	// Hosts are the names and IP addresses that the server certificate is for;
	// at least one.
	Hosts []string
	// ServerDN is the server certificate's subject, most specific attribute
	// first: "CN=adb.example.com,O=Example Corporation,L=Tokyo,ST=Tokyo,C=JP".
	// Empty means the first host's common name.
	ServerDN string
	// ServerNotAfter and ClientNotAfter end the certificates' validity; zero
	// means a year from now. They may lie in the past.
	ServerNotAfter, ClientNotAfter time.Time
	// Password encrypts ewallet.pem and ewallet.p12. As with Oracle's tools it
	// has at least 8 characters.
	Password string
	Key      KeyType
}

// Wallet is a generated wallet: the directory for clients, and both sides of a
// TLS connection for whoever needs no files.
type Wallet struct {
	Dir    string
	Server *tls.Config // demands a client certificate (mTLS)
	Client *tls.Config // expects the server to be the first of the hosts
}

// Generate makes a new authority, a server and a client certificate, and
// writes the wallet into dir, which it creates. It replaces the files of a
// wallet that it generated earlier, and refuses to touch any other.
func Generate(dir string, o Options) (*Wallet, error) {
	if len(o.Hosts) == 0 {
		return nil, fmt.Errorf("cannot make a wallet in %s: the server certificate needs at least one host", dir)
	}
	if len(o.Password) < 8 {
		return nil, fmt.Errorf("cannot make a wallet in %s: the wallet password needs at least 8 characters", dir)
	}
	if err := mayReplace(dir); err != nil {
		return nil, fmt.Errorf("cannot make a wallet in %s: %w", dir, err)
	}
	pki, err := newPKI(o)
	if err != nil {
		return nil, fmt.Errorf("cannot make a wallet in %s: %w", dir, err)
	}
	files, err := pki.files(o)
	if err != nil {
		return nil, fmt.Errorf("cannot make a wallet in %s: %w", dir, err)
	}
	if err := write(dir, files); err != nil {
		return nil, err
	}
	return &Wallet{Dir: dir, Server: pki.serverConfig(), Client: pki.clientConfig(o.Hosts[0])}, nil
}

// WriteNames writes tnsnames.ora: the aliases by which clients of this wallet
// call a database over TCPS, once its address is known.
func (w *Wallet) WriteNames(address, service string, aliases ...string) error {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("cannot write the wallet's tnsnames.ora: %w", err)
	}
	descriptor := fmt.Sprintf("(description= (retry_count=20)(retry_delay=3)(address=(protocol=tcps)(port=%s)(host=%s))"+
		"(connect_data=(service_name=%s))(security=(ssl_server_dn_match=yes)))", port, host, service)
	entries := make(map[string]string)
	for _, alias := range aliases {
		entries[alias] = descriptor
	}
	return write(w.Dir, map[string][]byte{"tnsnames.ora": tnsnames(entries)})
}

// mayReplace refuses a directory with files that Generate did not write, which
// may be the wallet of a real database.
func mayReplace(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	if text, err := os.ReadFile(filepath.Join(dir, "README")); err == nil && string(text) == readme {
		return nil
	}
	return errors.New("it holds files that were not generated here; name an empty or a new directory")
}

// write makes the files readable for their owner alone: who reads
// cwallet.sso has the private key.
func write(dir string, files map[string][]byte) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("cannot make the wallet directory: %w", err)
	}
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			return fmt.Errorf("cannot write the wallet: %w", err)
		}
		// WriteFile leaves the mode of a file that was there.
		if err := os.Chmod(path, 0o600); err != nil {
			return fmt.Errorf("cannot write the wallet: %w", err)
		}
	}
	return nil
}

func (p *pki) serverConfig() *tls.Config {
	return &tls.Config{
		MinVersion:   tls.VersionTLS12,
		Certificates: []tls.Certificate{p.server.forTLS()},
		ClientAuth:   tls.RequireAndVerifyClientCert,
		ClientCAs:    p.pool(),
	}
}

func (p *pki) clientConfig(host string) *tls.Config {
	return &tls.Config{
		MinVersion:   tls.VersionTLS12,
		ServerName:   host,
		Certificates: []tls.Certificate{p.client.forTLS()},
		RootCAs:      p.pool(),
	}
}

func (p *pki) pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(p.authority.cert)
	return pool
}
