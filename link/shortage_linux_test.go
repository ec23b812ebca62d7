// What this process runs out of is no fault of the database, the network or a
// wallet.

package link_test

import (
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"oranet_exporter/link"
	"oranet_exporter/link/linktest"
	"oranet_exporter/simulator/wallet"
)

func TestOurOwnShortageOfDescriptorsIsToldAsOurs(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "wallet")
	if _, err := wallet.Generate(dir, wallet.Options{Hosts: []string{"127.0.0.1"}, Password: walletPassword, Key: wallet.ECP256}); err != nil {
		t.Fatal(err)
	}
	cfg := link.Config{DSN: "127.0.0.1/svc", User: "PROBE", Password: linktest.Secret(t, "x")}
	plain := newLink(t, cfg)
	cfg.DSN, cfg.WalletLocation = "tcps://127.0.0.1/svc", dir
	secured := newLink(t, cfg)

	noMoreDescriptors(t)
	_, err := plain.Connect(minute(t))
	wantFailure(t, err, link.PhaseTCP, link.ReasonLocalResources, 0)
	_, _, err = plain.Open(minute(t), 100)
	wantFailure(t, err, link.PhaseConfig, link.ReasonLocalResources, 0)
	wantFailure(t, secured.CheckWallet(), link.PhaseConfig, link.ReasonLocalResources, 0)
}

// noMoreDescriptors lets this process open nothing until the test ends.
func noMoreDescriptors(t *testing.T) {
	t.Helper()
	var before unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &before); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Setrlimit(unix.RLIMIT_NOFILE, &before) })
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 0, Max: before.Max}); err != nil {
		t.Fatal(err)
	}
}
