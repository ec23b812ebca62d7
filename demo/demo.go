// Package demo sets two simulated databases behind emulated links and the
// configuration that probes them: one in the region, one across regions with
// mutual TLS.
package demo

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"oranet_exporter/exporter"
	"oranet_exporter/link"
	"oranet_exporter/probes"
	"oranet_exporter/simulator"
	"oranet_exporter/simulator/emulink"
	"oranet_exporter/simulator/wallet"
)

const (
	user           = "PROBE"
	password       = "Demo_1234"
	walletPassword = "Wallet_1234"
	service        = "FREEPDB1"

	// bandwidth keeps a bulk transfer visible beside its round trips.
	bandwidth = 1_000_000_000

	inRegionRTT    = 500 * time.Microsecond
	crossRegionRTT = 10 * time.Millisecond
)

// World is the simulated side, and the configuration that points at it.
type World struct {
	Config  *exporter.Config
	servers []*simulator.Server
}

// Start brings both databases up. dir holds the secrets and the wallet; the
// caller removes it after Close.
func Start(dir string) (*World, error) {
	w := &World{Config: new(exporter.Config)}
	for _, add := range []func(string) error{w.addInRegion, w.addCrossRegion} {
		if err := add(dir); err != nil {
			w.Close()
			return nil, fmt.Errorf("cannot start the demo: %w", err)
		}
	}
	return w, nil
}

// Close stops both databases.
func (w *World) Close() {
	for _, s := range w.servers {
		_ = s.Close()
	}
}

// Describe says in one line a link what is being probed.
func (w *World) Describe() string {
	return strings.Join([]string{
		fmt.Sprintf("  in_region     plain TCP, round trip %v", inRegionRTT),
		fmt.Sprintf("  cross_region  mutual TLS with a generated wallet, round trip %v, SDU granted up to 32768", crossRegionRTT),
		"",
	}, "\n")
}

func (w *World) addInRegion(dir string) error {
	path := emulink.New(emulink.Path{RTT: inRegionRTT, Jitter: inRegionRTT / 20, BitsPerSecond: bandwidth})
	server, err := w.start(simulator.Options{ListenAddress: "127.0.0.1:0", Listen: path.Listen})
	if err != nil {
		return err
	}
	return w.add(dir, "in_region", "osaka", link.Config{DSN: server.Addr() + "/" + service, Dial: path.DialContext})
}

// addCrossRegion goes through a tnsnames.ora alias and a wallet, as an
// Autonomous Database does.
func (w *World) addCrossRegion(dir string) error {
	path := emulink.New(emulink.Path{RTT: crossRegionRTT, Jitter: crossRegionRTT / 50, BitsPerSecond: bandwidth})
	walletDir := filepath.Join(dir, "wallet")
	made, err := wallet.Generate(walletDir, wallet.Options{Hosts: []string{"127.0.0.1"}, Password: walletPassword})
	if err != nil {
		return err
	}
	server, err := w.start(simulator.Options{TLSListenAddress: "127.0.0.1:0", TLSConfig: made.Server, Listen: path.Listen})
	if err != nil {
		return err
	}
	if err := writeAlias(walletDir, server.TLSAddr()); err != nil {
		return err
	}
	secret, err := writeSecret(dir, "wallet-password", walletPassword)
	if err != nil {
		return err
	}
	return w.add(dir, "cross_region", "tokyo", link.Config{
		DSN:            "orders_low",
		ConfigDir:      walletDir,
		WalletPassword: secret,
		Dial:           path.DialContext,
	})
}

func (w *World) start(o simulator.Options) (*simulator.Server, error) {
	o.User, o.Password, o.Services = user, password, []string{service}
	server, err := simulator.Start(o)
	if err == nil {
		w.servers = append(w.servers, server)
	}
	return server, err
}

func (w *World) add(dir, name, region string, cfg link.Config) error {
	secret, err := writeSecret(dir, "password", password)
	if err != nil {
		return err
	}
	cfg.User, cfg.Password = user, secret
	target := exporter.NewTarget(name, cfg, probes.All)
	target.Labels = map[string]string{"to_region": region}
	for i := range target.Probes {
		hurry(&target.Probes[i].Schedule)
	}
	w.Config.Targets = append(w.Config.Targets, target)
	return nil
}

// hurry shortens what would make a newcomer wait: every probe runs within half
// a minute of the start.
func hurry(s *probes.Schedule) {
	s.Interval = min(s.Interval, 15*time.Second)
	s.Timeout = min(s.Timeout, s.Interval)
}

// writeAlias points the wallet's tnsnames.ora at the database.
func writeAlias(walletDir, address string) error {
	host, port, _ := strings.Cut(address, ":")
	alias := fmt.Sprintf("orders_low = (description= (retry_count=20)(retry_delay=3)(address=(protocol=tcps)(port=%s)(host=%s))"+
		"(connect_data=(service_name=%s))(security=(ssl_server_dn_match=yes)))\n", port, host, service)
	return os.WriteFile(filepath.Join(walletDir, "tnsnames.ora"), []byte(alias), 0o600)
}

func writeSecret(dir, name, text string) (link.Secret, error) {
	file := filepath.Join(dir, name)
	return link.Secret{File: file}, os.WriteFile(file, []byte(text), 0o600)
}
