// The lab: simulated databases behind emulated links, and the way to them.

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"oranet_exporter/link"
	"oranet_exporter/simulator"
	"oranet_exporter/simulator/emulink"
	"oranet_exporter/simulator/wallet"
)

const (
	user           = "PROBE"
	password       = "Reproduce_1234"
	walletPassword = "Wallet_1234"
	service        = "FREEPDB1"
	alias          = "orders_low"
)

// lab is what measuring needs.
type lab struct {
	ctx      context.Context
	dir      string // for secrets and wallets; whoever made it removes it
	parallel int    // fetches at a time
	newPath  func(emulink.Path) *emulink.Link

	password, walletPassword link.Secret

	mu       sync.Mutex
	progress io.Writer
}

func newLab(ctx context.Context, dir string, progress io.Writer, parallel int) (*lab, error) {
	l := &lab{ctx: ctx, dir: dir, progress: progress, parallel: parallel, newPath: emulink.New}
	var err error
	if l.password, err = l.secret("password", password); err != nil {
		return nil, err
	}
	l.walletPassword, err = l.secret("wallet-password", walletPassword)
	return l, err
}

func (l *lab) secret(name, text string) (link.Secret, error) {
	file := filepath.Join(l.dir, name)
	return link.Secret{File: file}, os.WriteFile(file, []byte(text), 0o600)
}

// say reports progress.
func (l *lab) say(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	// Progress that nobody can read changes no figure.
	_, _ = fmt.Fprintf(l.progress, time.Now().Format("15:04:05 ")+format+"\n", args...)
}

// database is a simulated one, with the link to it.
type database struct {
	*simulator.Server
	path *emulink.Link
	cfg  link.Config
}

// start starts a database over plain TCP behind path. The caller closes it.
func (l *lab) start(path emulink.Path, o simulator.Options) (*database, error) {
	emulated := l.newPath(path)
	o.ListenAddress = "127.0.0.1:0"
	server, err := l.serve(emulated, o)
	if err != nil {
		return nil, err
	}
	return &database{server, emulated, link.Config{
		DSN: server.Addr() + "/" + service, User: user, Password: l.password, Dial: emulated.DialContext,
	}}, nil
}

// startTLS starts a database as an Autonomous Database is reached: mutual TLS
// with a wallet, and an alias in its tnsnames.ora. The caller closes it.
func (l *lab) startTLS(path emulink.Path) (*database, error) {
	emulated := l.newPath(path)
	walletDir := filepath.Join(l.dir, "wallet")
	made, err := wallet.Generate(walletDir, wallet.Options{Hosts: []string{"127.0.0.1"}, Password: walletPassword})
	if err != nil {
		return nil, err
	}
	server, err := l.serve(emulated, simulator.Options{TLSListenAddress: "127.0.0.1:0", TLSConfig: made.Server})
	if err != nil {
		return nil, err
	}
	if err := made.WriteNames(server.TLSAddr(), service, alias); err != nil {
		_ = server.Close()
		return nil, err
	}
	return &database{server, emulated, link.Config{
		DSN: alias, ConfigDir: walletDir, WalletPassword: l.walletPassword, User: user, Password: l.password, Dial: emulated.DialContext,
	}}, nil
}

func (l *lab) serve(path *emulink.Link, o simulator.Options) (*simulator.Server, error) {
	o.Listen, o.User, o.Password, o.Services = path.Listen, user, password, []string{service}
	// The probe's user has CREATE SESSION and nothing else.
	o.Withheld = []string{"V_$MYSTAT", "V_$STATNAME", "V_$SESSION", "V_$SQL"}
	return simulator.Start(o)
}
