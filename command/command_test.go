package command

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kingpin/v2"

	"oranet_exporter/exporter"
	"oranet_exporter/link/linktest"
	"oranet_exporter/probes"
	"oranet_exporter/simulator"
	"oranet_exporter/simulator/emulink"
	"oranet_exporter/simulator/wallet"
)

// execute runs one command with those arguments.
func execute(t *testing.T, register func(*kingpin.CmdClause) Run, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	app := kingpin.New("test", "")
	run := register(app.Command("command", ""))
	if _, err := app.Parse(append([]string{"command"}, args...)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var out, errs bytes.Buffer
	code = run(ctx, &out, &errs)
	return code, out.String(), errs.String()
}

// config writes a configuration file of one target.
func config(t *testing.T, dsn, password string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "oranet.yml")
	text := fmt.Sprintf("probes: {fetch: {rows: 1000}}\ntargets:\n  - {name: orders, dsn: %q, user: PROBE, password_file: %q}\n",
		dsn, linktest.Secret(t, password).File)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestCheckReportsAndExitsByWhatItFound(t *testing.T) {
	server, _ := linktest.Simulated(t, simulator.Options{}, emulink.New(emulink.Path{}))
	good := config(t, server.Addr()+"/FREEPDB1", "Plain_1234")

	code, out, errs := execute(t, Check, "--config.file", good)
	if code != OK || errs != "" {
		t.Fatalf("exit code %d, stderr %q", code, errs)
	}
	for _, want := range []string{"orders", "TCP connect", "round trip", "connect", "2097152 → 32768", "arraysize"} {
		if !strings.Contains(out, want) {
			t.Errorf("the report does not mention %q:\n%s", want, out)
		}
	}

	code, out, _ = execute(t, Check, "--config.file", good, "--output", "json")
	if code != OK || !json.Valid([]byte(out)) {
		t.Errorf("exit code %d, JSON %q", code, out)
	}

	code, out, _ = execute(t, Check, "--config.file", config(t, server.Addr()+"/FREEPDB1", "Wrong_1234"))
	if code != Failed || !strings.Contains(out, "reason auth_failed") {
		t.Errorf("a wrong password: exit code %d, report %q", code, out)
	}
	if strings.Contains(out, "Wrong_1234") {
		t.Error("the report tells the password")
	}

	code, _, errs = execute(t, Check, "--config.file", good, "nosuch")
	if code != Usage || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "nosuch") {
		t.Errorf("an unknown target: exit code %d, stderr %q", code, errs)
	}

	code, _, errs = execute(t, Check, "--config.file", filepath.Join(t.TempDir(), "absent.yml"))
	if code != Usage || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "absent.yml") {
		t.Errorf("a missing file: exit code %d, stderr %q", code, errs)
	}
}

func TestServeChecksItsConfiguration(t *testing.T) {
	file := config(t, "db.example.com/svc", "x")
	code, out, _ := execute(t, Serve, "--config.file", file, "--config.check")
	if code != OK || !strings.Contains(out, "targets: 1") {
		t.Errorf("exit code %d, stdout %q", code, out)
	}
	if err := os.WriteFile(file, []byte("targets:\n  - {name: orders, dns: typo}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, _, errs := execute(t, Serve, "--config.file", file, "--config.check")
	if code != Usage || !strings.Contains(errs, "oranet.yml:2:") || !strings.Contains(errs, "dns") {
		t.Errorf("exit code %d, stderr %q", code, errs)
	}
}

// A wallet that cannot be read fails runs, and is told before they are begun.
func TestServeChecksItsWallets(t *testing.T) {
	dir := t.TempDir()
	if _, err := wallet.Generate(filepath.Join(dir, "wallet"), wallet.Options{Hosts: []string{"127.0.0.1"}, Password: "Wallet_1234", Key: wallet.ECP256}); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"p": "x", "right": "Wallet_1234", "wrong": "Wallet_1243"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, "oranet.yml")
	for _, c := range []struct{ walletKeys, want string }{
		{"wallet_location: wallet, wallet_password_file: right", ""},
		{"wallet_location: wallet, wallet_password_file: wrong", "it does not decrypt"},
		{"wallet_location: none", "no such directory"},
		{"wallet_location: p", "it is not a directory"},
		{"wallet_location: .", "the directory holds neither"},
	} {
		text := "targets:\n  - {name: orders, dsn: 'tcps://x/y', user: u, password_file: p, " + c.walletKeys + "}\n"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := exporter.LoadConfig(file, probes.All); err != nil {
			t.Errorf("%s: the configuration is refused: %v", c.walletKeys, err)
		}
		code, _, errs := execute(t, Serve, "--config.file", file, "--config.check")
		if c.want == "" {
			if code != OK {
				t.Errorf("%s: exit code %d, stderr %q", c.walletKeys, code, errs)
			}
			continue
		}
		if code != Usage || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "oranet.yml:2: targets[0].wallet_location: target orders: ") || !strings.Contains(errs, c.want) {
			t.Errorf("%s: exit code %d, stderr %q, want %q", c.walletKeys, code, errs, c.want)
		}
	}
}

// Whatever a mistake quotes: a key, the name of a file, the name of a target.
func TestAComplaintIsOneLineThatSteersNoTerminal(t *testing.T) {
	file := config(t, "db.example.com/svc", "x")
	for _, text := range []string{
		"\"a\\nb\\e[2J\": 1\n",
		"targets: [{name: orders, dsn: x/y, labels: {\"a\\nb\": c}}]\n",
		"targets: [{name: orders, dsn: x/y, user: u, password_file: \"a\\nb\"}]\n",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		code, _, errs := execute(t, Serve, "--config.file", file, "--config.check")
		if code != Usage || strings.Count(errs, "\n") != 1 || strings.Contains(errs, "\x1b") || !strings.Contains(errs, `a\nb`) {
			t.Errorf("%q: exit code %d, stderr %q", text, code, errs)
		}
	}
	if code, _, errs := execute(t, Check, "--config.file", "a\nb"); code != Usage || strings.Count(errs, "\n") != 1 {
		t.Errorf("exit code %d, stderr %q", code, errs)
	}
}

func TestHealthcheckKnowsTheLivingFromTheDead(t *testing.T) {
	alive := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {}))
	if code, _, errs := execute(t, Healthcheck, "--url", alive.URL); code != OK {
		t.Errorf("alive: exit code %d, stderr %q", code, errs)
	}
	guarded := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer guarded.Close()
	if code, _, errs := execute(t, Healthcheck, "--url", guarded.URL); code != OK {
		t.Errorf("alive behind basic auth and TLS: exit code %d, stderr %q", code, errs)
	}
	sick := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	defer sick.Close()
	if code, _, _ := execute(t, Healthcheck, "--url", sick.URL); code != Failed {
		t.Errorf("sick: exit code %d", code)
	}
	alive.Close()
	if code, _, _ := execute(t, Healthcheck, "--url", alive.URL); code != Failed {
		t.Errorf("dead: exit code %d", code)
	}
	for _, url := range []string{"", "x", "127.0.0.1:9522", "ftp://127.0.0.1/", "http:///-/healthy", "http://u:tiger@[::1"} {
		code, _, errs := execute(t, Healthcheck, "--url", url)
		if code != Usage || !strings.Contains(errs, "--url is no web address") || strings.Contains(errs, "tiger") {
			t.Errorf("%q: exit code %d, stderr %q", url, code, errs)
		}
	}
}

// simulated starts the command and returns what it announces. stop ends it and
// returns its exit code.
func simulated(t *testing.T, args ...string) (a announcement, stop func() int) {
	t.Helper()
	app := kingpin.New("test", "")
	run := Simulate(app.Command("simulate", ""))
	if _, err := app.Parse(append([]string{"simulate", "--listen-address", "127.0.0.1:0"}, args...)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	stdout, first := io.Pipe()
	done := make(chan int)
	go func() { done <- run(ctx, first, io.Discard) }()
	if err := json.NewDecoder(stdout).Decode(&a); err != nil {
		t.Fatal(err)
	}
	return a, func() int {
		cancel()
		return <-done
	}
}

func TestSimulateAnnouncesHowToReachIt(t *testing.T) {
	wallet := filepath.Join(t.TempDir(), "wallet")
	a, stop := simulated(t, "--tls-listen-address", "127.0.0.1:0", "--wallet-dir", wallet, "--admin-address", "127.0.0.1:0")
	if a.DSN == "" || a.TLSDSN == "" || a.User == "" || a.Password == "" || a.WalletLocation != wallet {
		t.Errorf("announced %+v", a)
	}
	response, err := http.Get(a.Admin + "/truth")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var truth simulator.Truth
	if err := json.NewDecoder(response.Body).Decode(&truth); err != nil {
		t.Errorf("the ground truth cannot be read: %v", err)
	}
	if code := stop(); code != OK {
		t.Errorf("exit code %d", code)
	}
}

func TestSimulateRefusesWhatItCannotPlay(t *testing.T) {
	for _, c := range []struct{ flag, says string }{
		{"--fault=ping:explode", "silence"},
		{"--fault=nowhere:silence", "connect"},
		{"--withhold=V$MYSTAT", "V_$MYSTAT"},
	} {
		code, _, errs := execute(t, Simulate, "--listen-address", "127.0.0.1:0", c.flag)
		if code != Usage || !strings.Contains(errs, c.says) {
			t.Errorf("%s: exit code %d, stderr %q", c.flag, code, errs)
		}
	}
}

func TestSimulateTakesThePasswordFromAFileAndKeepsItToItself(t *testing.T) {
	file := linktest.Secret(t, "Filed_1234").File
	a, stop := simulated(t, "--password-file", file)
	if a.Password != "" || a.PasswordFile != file {
		t.Errorf("announced %+v, want the file alone", a)
	}
	if code, out, errs := execute(t, Check, "--config.file", config(t, a.DSN, "Filed_1234")); code != OK {
		t.Errorf("exit code %d, report %q, stderr %q", code, out, errs)
	}
	if code := stop(); code != OK {
		t.Errorf("exit code %d", code)
	}
	code, _, errs := execute(t, Simulate, "--listen-address", "127.0.0.1:0", "--password-file", file+".absent")
	if code != Usage || !strings.Contains(errs, "--password-file: cannot read the secret") {
		t.Errorf("a missing file: exit code %d, stderr %q", code, errs)
	}
}
