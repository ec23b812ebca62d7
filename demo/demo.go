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

	// passwordDays is the PASSWORD_LIFE_TIME of Oracle's DEFAULT profile.
	passwordDays = 180

	inRegionRTT    = 500 * time.Microsecond
	crossRegionRTT = 10 * time.Millisecond
)

// The names of the links, which are the targets' as well.
const (
	inRegion    = "in_region"
	crossRegion = "cross_region"
)

// budgets are one page of an application, asked for as its driver does unasked
// and as it should be. Both hold at 10 ms a round trip; at 20 ms the eleven
// round trips of the first take longer than it may, and the two of the second
// do not.
var budgets = []exporter.Budget{
	{Name: "order_page", Rows: 1000, Arraysize: 100, Max: 160 * time.Millisecond},
	{Name: "order_page_arraysize_1000", Rows: 1000, Arraysize: 1000, Max: 160 * time.Millisecond},
}

// allowance is more than the heavy probes use at the demo's short intervals.
var allowance = exporter.Allowance{Bytes: 20_000_000_000, Logons: 10_000}

// World is the simulated side, and the configuration that points at it.
type World struct {
	Config  *exporter.Config
	servers []*simulator.Server
	links   map[string]*emulink.Link
}

// Start brings both databases up. dir holds the secrets and the wallet; the
// caller removes it after Close.
func Start(dir string) (*World, error) {
	w := &World{Config: new(exporter.Config), links: map[string]*emulink.Link{}}
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
		fmt.Sprintf("  %-13s plain TCP, round trip %v", inRegion, inRegionRTT),
		fmt.Sprintf("  %-13s mutual TLS with a generated wallet, round trip %v, SDU granted up to 32768", crossRegion, crossRegionRTT),
		"",
	}, "\n")
}

func (w *World) addInRegion(dir string) error {
	path := w.link(inRegion, inRegionRTT)
	server, err := w.start(simulator.Options{ListenAddress: "127.0.0.1:0", Listen: path.Listen})
	if err != nil {
		return err
	}
	return w.add(dir, inRegion, "osaka", link.Config{DSN: server.Addr() + "/" + service, Dial: path.DialContext})
}

// addCrossRegion goes through a tnsnames.ora alias and a wallet, as an
// Autonomous Database does.
func (w *World) addCrossRegion(dir string) error {
	path := w.link(crossRegion, crossRegionRTT)
	walletDir := filepath.Join(dir, "wallet")
	made, err := wallet.Generate(walletDir, wallet.Options{Hosts: []string{"127.0.0.1"}, Password: walletPassword})
	if err != nil {
		return err
	}
	server, err := w.start(simulator.Options{TLSListenAddress: "127.0.0.1:0", TLSConfig: made.Server, Listen: path.Listen})
	if err != nil {
		return err
	}
	if err := made.WriteNames(server.TLSAddr(), service, "orders_low"); err != nil {
		return err
	}
	secret, err := writeSecret(dir, "wallet-password", walletPassword)
	if err != nil {
		return err
	}
	return w.add(dir, crossRegion, "tokyo", link.Config{
		DSN:            "orders_low",
		ConfigDir:      walletDir,
		WalletPassword: secret,
		Dial:           path.DialContext,
	})
}

// link makes the emulated link of that name.
func (w *World) link(name string, rtt time.Duration) *emulink.Link {
	w.links[name] = emulink.New(path(rtt))
	return w.links[name]
}

// path is a calm one of that length.
func path(rtt time.Duration) emulink.Path {
	return emulink.Path{RTT: rtt, Jitter: rtt / 50, BitsPerSecond: bandwidth}
}

func (w *World) start(o simulator.Options) (*simulator.Server, error) {
	o.User, o.Password, o.Services = user, password, []string{service}
	o.PasswordExpiry = time.Now().AddDate(0, 0, passwordDays)
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
	target.Budgets, target.Allowance = budgets, allowance
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

func writeSecret(dir, name, text string) (link.Secret, error) {
	file := filepath.Join(dir, name)
	return link.Secret{File: file}, os.WriteFile(file, []byte(text), 0o600)
}
