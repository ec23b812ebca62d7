// Package linktest gives tests a database to link to: a simulated one, or a
// real one where ORANET_TEST_DSN says which.
package linktest

import (
	"os"
	"path/filepath"
	"testing"

	"oranet_exporter/link"
	"oranet_exporter/simulator"
	"oranet_exporter/simulator/emulink"
)

// The environment variables that point the tests at a real database. Any uses
// them; tests that need to know what the database did use a simulated one.
const (
	envDSN            = "ORANET_TEST_DSN"
	envUser           = "ORANET_TEST_USER"
	envPassword       = "ORANET_TEST_PASSWORD"
	envConfigDir      = "ORANET_TEST_CONFIG_DIR"
	envWalletLocation = "ORANET_TEST_WALLET_LOCATION"
	envWalletPassword = "ORANET_TEST_WALLET_PASSWORD"
)

// Any returns the way to the real database if one is set, else to a simulated
// one that ends with the test.
func Any(t testing.TB) link.Config {
	t.Helper()
	dsn := os.Getenv(envDSN)
	if dsn == "" {
		_, cfg := Simulated(t, simulator.Options{}, emulink.New(emulink.Path{}))
		return cfg
	}
	cfg := link.Config{
		DSN:            dsn,
		User:           os.Getenv(envUser),
		Password:       link.Secret{Env: envPassword},
		ConfigDir:      os.Getenv(envConfigDir),
		WalletLocation: os.Getenv(envWalletLocation),
	}
	if os.Getenv(envWalletPassword) != "" {
		cfg.WalletPassword = link.Secret{Env: envWalletPassword}
	}
	return cfg
}

// Simulated starts a simulated database over plain TCP behind path, which ends
// with the test, and returns the way to it.
func Simulated(t testing.TB, o simulator.Options, path *emulink.Link) (*simulator.Server, link.Config) {
	t.Helper()
	o.ListenAddress, o.Listen = "127.0.0.1:0", path.Listen
	if o.Password == "" {
		o.Password = "Plain_1234"
	}
	server, err := simulator.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	return server, link.Config{
		DSN:      server.Addr() + "/FREEPDB1",
		User:     "PROBE",
		Password: Secret(t, o.Password),
		Dial:     path.DialContext,
	}
}

// Secret puts a secret where a link can read it.
func Secret(t testing.TB, text string) link.Secret {
	t.Helper()
	file := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(file, []byte(text+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return link.Secret{File: file}
}
