package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"oranet_exporter/simulator"
)

// execute runs a command line and returns its exit code and all that it printed.
func execute(t *testing.T, line string) (code int, printed string) {
	t.Helper()
	return executeTo(t, nil, line)
}

// executeTo prints to another file than what is returned, if one is given.
func executeTo(t *testing.T, to *os.File, line string) (code int, printed string) {
	t.Helper()
	args, stdout, stderr := os.Args, os.Stdout, os.Stderr
	defer func() { os.Args, os.Stdout, os.Stderr = args, stdout, stderr }()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	os.Args, os.Stdout, os.Stderr = append([]string{"oranet_exporter"}, strings.Fields(line)...), w, w
	if to != nil {
		os.Stdout = to
	}
	code = run()
	_ = w.Close()
	text := make([]byte, 64<<10)
	n, _ := r.Read(text)
	return code, string(text[:n])
}

func TestHelpIsAllThatHappens(t *testing.T) {
	for _, line := range []string{"--help", "demo --help", "simulate --listen-address=127.0.0.1:0 --help", "healthcheck --help", "version --help"} {
		code, printed := execute(t, line)
		if code != 0 || !strings.Contains(printed, "usage: oranet_exporter") {
			t.Errorf("%s: exit code %d, printed %q", line, code, printed)
		}
	}
}

func TestAMistakeOnTheCommandLineIsOneLineThatNamesIt(t *testing.T) {
	for line, names := range map[string]string{
		"simulate --bandwidth=1G": "--bandwidth=1G",
		"simulate --rtt=10":       "--rtt=10",
		"check --output=xml":      "--output=xml",
		"serve --log.level=loud":  "--log.level=loud",
		"plan --rows=many":        "--rows=many",
		"simulate --no-such-flag": "no-such-flag",
		"check --config.file":     "config.file",
		"launch":                  "launch",
		"check --output=\x1b[2J":  `\x1b[2J`,
	} {
		code, printed := execute(t, line)
		if code != 2 || !strings.Contains(printed, names) || strings.Count(printed, "\n") != 1 {
			t.Errorf("%s: exit code %d, printed %q; want 2 and one line with %s", line, code, printed, names)
		}
	}
}

func TestWhatCannotBePrintedIsAFailureInOneLine(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	t.Setenv("ORANET_TEST_PASSWORD_HERE", "probe")
	config := filepath.Join(t.TempDir(), "oranet.yml")
	if err := os.WriteFile(config, []byte("targets: [{name: orders, dsn: h/s, user: PROBE, password_env: ORANET_TEST_PASSWORD_HERE}]"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"--help", "plan --help", "version", "--config.check --config.file " + config, "plan --rtt 1ms --rows 5",
		"demo --web.listen-address 127.0.0.1:0 --control.listen-address 127.0.0.1:0", "simulate --listen-address 127.0.0.1:0",
	} {
		code, complaint := executeTo(t, full, line)
		if code != 1 || strings.Count(complaint, "\n") != 1 || !strings.Contains(complaint, "no space left") {
			t.Errorf("%s: exit code %d, stderr %q", line, code, complaint)
		}
	}
}

// With ORA-28002 the logon succeeds and the driver prints.
func TestAWarningAtLogonIsNotPrintedBetweenTheLinesOfALog(t *testing.T) {
	server, err := simulator.Start(simulator.Options{ListenAddress: "127.0.0.1:0",
		Fault: &simulator.Fault{At: simulator.StepAuthTwo, Do: simulator.Warning(28002)}})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	config := filepath.Join(t.TempDir(), "oranet.yml")
	text := fmt.Sprintf(`targets: [{name: orders, dsn: %s/FREEPDB1, user: PROBE, password_env: ORANET_TEST_PASSWORD_HERE,
  probes: {tcp: {enabled: false}, sdu: {enabled: false}, fetch: {enabled: false}}}]`, server.Addr())
	t.Setenv("ORANET_TEST_PASSWORD_HERE", "probe")
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	code, printed := execute(t, "check --output json --config.file "+config)
	if code != 0 || !json.Valid([]byte(printed)) {
		t.Errorf("exit code %d, printed:\n%s", code, printed)
	}
}
