// Every word that the real program says, searched for every secret it was given.

package e2e

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"oranet_exporter/simulator"
	"oranet_exporter/simulator/wallet"
)

// The secrets, with what makes trouble in URLs, YAML, shells and terminals.
const (
	rightPassword  = `r1ght#@/%:"pässwörd`
	wrongPassword  = "wr0ng\x01binary\nsecond-line"
	envPassword    = `env${HOME}'s&<secret>`
	walletPassword = `wa11et Pass=word(1)`
	wrongWallet    = `n0t-the-wallets`
	dsnPassword    = `1nline-dsn-pw`
	proxyPassword  = `1nline-proxy-pw`
	userPassword   = `1nline-user-pw`
	keyPassword    = `under-a-mistyped-key`
)

// forms are the ways in which a secret may be written.
func forms(secret string) map[string]string {
	quoted, _ := json.Marshal(secret)
	list := map[string]string{
		"plain":          secret,
		"query escaped":  url.QueryEscape(secret),
		"path escaped":   url.PathEscape(secret),
		"quoted":         strings.Trim(strconv.Quote(secret), `"`),
		"ASCII quoted":   strings.Trim(strconv.QuoteToASCII(secret), `"`),
		"JSON":           strings.Trim(string(quoted), `"`),
		"HTML":           html.EscapeString(secret),
		"base64":         strings.TrimRight(base64.StdEncoding.EncodeToString([]byte(secret)), "="),
		"URL base64":     base64.RawURLEncoding.EncodeToString([]byte(secret)),
		"hexadecimal":    hex.EncodeToString([]byte(secret)),
		"HEXADECIMAL":    strings.ToUpper(hex.EncodeToString([]byte(secret))),
		"upper case":     strings.ToUpper(secret),
		"its first half": secret[:len(secret)/2],
	}
	for i, line := range strings.Split(secret, "\n") {
		list[fmt.Sprint("line ", i)] = line
	}
	return list
}

// searched fails the test for each secret that a text holds.
func searched(t *testing.T, where, text string) {
	t.Helper()
	if text == "" {
		t.Errorf("%s is empty: nothing was searched", where)
	}
	for _, secret := range []string{rightPassword, wrongPassword, envPassword, walletPassword, wrongWallet,
		dsnPassword, proxyPassword, userPassword, keyPassword} {
		for form, written := range forms(secret) {
			if at := strings.Index(text, written); at >= 0 {
				t.Errorf("%s holds %q (%s): …%s…", where, secret, form, text[max(0, at-60):min(len(text), at+60)])
			}
		}
	}
}

const secretConfig = `
probes:
  tcp:        {interval: 500ms, timeout: 500ms}
  round_trip: {interval: 500ms, timeout: 500ms}
  pool:       {interval: 500ms, timeout: 500ms}
  connect:    {interval: 500ms, timeout: 500ms}
  sdu:        {interval: 500ms, timeout: 500ms}
  fetch:      {interval: 500ms, timeout: 500ms, rows: 100}
targets:
  - {name: right,  dsn: "%[1]s/FREEPDB1", user: PROBE, password_file: right}
  - {name: wrong,  dsn: "%[1]s/FREEPDB1", user: PROBE, password_file: wrong}
  - {name: env,    dsn: "%[1]s/FREEPDB1", user: PROBE, password_env: ORANET_TEST_SECRET}
  - {name: tls,    dsn: "tcps://%[2]s/FREEPDB1", user: PROBE, password_file: right, wallet_location: %[3]s, wallet_password_file: wallet}
  - {name: closed, dsn: "tcps://%[2]s/FREEPDB1", user: PROBE, password_file: right, wallet_location: %[3]s, wallet_password_file: wrong_wallet}
  - {name: nobody, dsn: "%[4]s/FREEPDB1", user: PROBE, password_file: right}
`

// secretWorld is a database and a configuration full of secrets, those that
// work and those that do not.
func secretWorld(t *testing.T) (config string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "wallet")
	made, err := wallet.Generate(dir, wallet.Options{Hosts: []string{"127.0.0.1"}, Password: walletPassword, Key: wallet.ECP256})
	if err != nil {
		t.Fatal(err)
	}
	server, err := simulator.Start(simulator.Options{
		ListenAddress: "127.0.0.1:0", TLSListenAddress: "127.0.0.1:0", TLSConfig: made.Server, Password: rightPassword})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	// With cwallet.sso, which needs no password, a wrong one would do no harm.
	if err := os.Remove(filepath.Join(dir, "cwallet.sso")); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	config = configFile(t, fmt.Sprintf(secretConfig, server.Addr(), server.TLSAddr(), dir, refusing(t)))
	for name, secret := range map[string]string{"right": rightPassword + "\n", "wrong": wrongPassword, "wallet": walletPassword, "wrong_wallet": wrongWallet} {
		if err := os.WriteFile(filepath.Join(filepath.Dir(config), name), []byte(secret), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("ORANET_TEST_SECRET", envPassword)
	return config
}

func TestNoSecretShowsAnywhereInARunningProgram(t *testing.T) {
	config := secretWorld(t)
	for _, format := range []string{"logfmt", "json"} {
		t.Run(format, func(t *testing.T) {
			p := begin(t, config, "--log.level", "debug", "--log.format", format, "--web.enable-lifecycle")
			await(t, p.url+"/metrics", func(f families) bool {
				return f.find("oranet_probe_success", "target=tls", "probe=fetch").GetGauge().GetValue() == 1 &&
					f.find("oranet_probe_failures_total", "target=wrong", "reason=auth_failed") != nil &&
					f.find("oranet_probe_failures_total", "target=closed", "reason=wallet_invalid") != nil &&
					f.find("oranet_probe_failures_total", "target=nobody", "reason=refused") != nil
			})
			for _, path := range []string{"/metrics", "/", "/target?name=right", "/target?name=wrong", "/target?name=closed", "/config",
				"/probe?target=wrong&probe=connect", "/probe?target=right", "/probe?target=closed&probe=connect", "/probe?target=none",
				"/debug/pprof/cmdline", "/debug/pprof/heap?debug=1", "/debug/pprof/allocs?debug=1", "/debug/pprof/heap",
				"/debug/pprof/goroutine?debug=2", "/debug/pprof/profile?seconds=1", "/debug/pprof/trace?seconds=1"} {
				searched(t, path, get(t, "GET", p.url+path))
			}
			searched(t, "a reload", get(t, "POST", p.url+"/-/reload"))
			if title, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", p.command.Process.Pid)); err == nil {
				searched(t, "the process title", string(title))
			}
			// Go's report of a crash: the stacks of all goroutines.
			_ = p.command.Process.Signal(syscall.SIGQUIT)
			<-p.ended
			if !strings.Contains(p.log.String(), "goroutine ") {
				t.Error("there is no report of the crash")
			}
			searched(t, "the log", p.log.String())
			http.DefaultClient.CloseIdleConnections()
		})
	}
}

// get returns headers and body, whatever the status.
func get(t *testing.T, method, address string) string {
	t.Helper()
	request, err := http.NewRequest(method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(response.Header, string(body))
}

func TestNoSecretShowsInAReport(t *testing.T) {
	config := secretWorld(t)
	program := build(t)
	for _, output := range []string{"text", "json"} {
		said, err := exec.Command(program, "check", "--config.file", config, "--output", output, "--log.level", "debug").CombinedOutput()
		if exit := new(exec.ExitError); err == nil || !asExit(err, &exit) || exit.ExitCode() != 1 {
			t.Errorf("check ended by %v, want exit code 1", err)
		}
		searched(t, "the report as "+output, string(said))
	}
}

func asExit(err error, exit **exec.ExitError) bool {
	e, ok := err.(*exec.ExitError)
	*exit = e
	return ok
}

// What people write into the wrong place must not come back in the complaint.
// Only a file that is missing is named: that is what one has to know.
func TestNoSecretShowsInAComplaint(t *testing.T) {
	program := build(t)
	for name, keys := range map[string]string{
		"easy connect with user and password":  `dsn: "probe/` + dsnPassword + `@//db.example.com/svc"`,
		"URL with user and password":           `dsn: "tcps://probe:` + dsnPassword + `@db.example.com/svc"`,
		"URL with a bad port":                  `dsn: "tcps://probe:` + dsnPassword + `@db.example.com:x/svc"`,
		"descriptor with a password":           `dsn: "(DESCRIPTION=(PASSWORD=` + dsnPassword + `)(ADDRESS=(PROTOCOL=TCP)(HOST=db)(PORT=1521)))"`,
		"descriptor with a wallet's password":  `dsn: "(DESCRIPTION=(SECURITY=(WALLET_PASSWORD=` + dsnPassword + `)))"`,
		"broken descriptor":                    `dsn: "(DESCRIPTION=(PASSWORD=` + dsnPassword + `"`,
		"password as a parameter":              `dsn: "tcps://db.example.com/svc?wallet_password=` + dsnPassword + `"`,
		"proxy with user and password":         `{dsn: "db/svc", https_proxy: "http://probe:` + proxyPassword + `@proxy"}`,
		"user with a password":                 `{dsn: "db/svc", user: "probe/` + userPassword + `"}`,
		"key that does not exist":              `{dsn: "db/svc", password: "` + keyPassword + `"}`,
		"not YAML behind a password":           `{dsn: "db/svc", password: "` + keyPassword + `": x`,
		"a list where a password is":           `{dsn: "db/svc", user: ["` + keyPassword + `"]}`,
		"an anchor where a password is":        `{dsn: "db/svc", user: &x "` + keyPassword + `"}`,
		"password instead of its variable":     `{dsn: "db/svc", user: probe, password_env: "` + keyPassword + `"}`,
		"wallet password instead of its place": `{dsn: "db/svc", user: probe, password_env: PATH, wallet_password_env: "` + keyPassword + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			target := "  - {name: orders, user: probe, password_env: PATH, " + keys + "}\n"
			if strings.HasPrefix(keys, "{") {
				target = "  - {name: orders, " + keys[1:] + "\n"
			}
			config := configFile(t, "targets:\n"+target)
			for _, arguments := range [][]string{{"--config.check"}, {"check"}, {"--web.listen-address=127.0.0.1:0"}} {
				command := exec.Command(program, append(arguments, "--config.file", config)...)
				said := new(strings.Builder)
				command.Stdout, command.Stderr = said, said
				if err := command.Start(); err != nil {
					t.Fatal(err)
				}
				overdue := time.AfterFunc(30*time.Second, func() { _ = command.Process.Kill() })
				err := command.Wait()
				overdue.Stop()
				if err == nil {
					t.Errorf("%v: it was taken", arguments)
				}
				searched(t, fmt.Sprint(arguments), said.String())
			}
		})
	}
}
