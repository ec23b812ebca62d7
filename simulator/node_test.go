// The simulated database as Oracle's own Node driver sees it, in thin mode. `npm ci` in testdata/node installs the driver.
package simulator

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"oranet_exporter/simulator/wallet"
)

// nodeResult is what testdata/node/client.js prints.
type nodeResult struct {
	Thin                       bool
	Version, Service, Instance string
	Warning                    string
	Types                      [][]any
	Bulk                       map[string]struct{ Rows, Wrong, Different int }
	Errors                     map[string]string
	AfterError                 string `json:"after_error"`
	AfterInterrupt             string `json:"after_interrupt"`
	Reexecuted                 []int
}

// runNode runs the client and returns what it printed. It skips the test where there is no Node or no driver.
func runNode(t *testing.T, environment ...string) nodeResult {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed; this test runs Oracle's Node driver")
	}
	if _, err := os.Stat("testdata/node/node_modules/oracledb"); err != nil {
		t.Skip("the Node driver is not installed; run `npm ci` in simulator/testdata/node")
	}
	var stdout, stderr bytes.Buffer
	command := exec.CommandContext(t.Context(), node, "client.js")
	command.Dir, command.Stdout, command.Stderr = "testdata/node", &stdout, &stderr
	command.Env = append(append(os.Environ(), "TZ=UTC"), environment...) // the driver reads a DATE as local time
	if err := command.Run(); err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	var result nodeResult
	if err := json.Unmarshal(stdout.Bytes(), &result); err != nil {
		t.Fatalf("%v in %s", err, stdout.String())
	}
	return result
}

// nodeRows is how many rows the client fetches with each arraysize.
const nodeRows = 100_000

func TestNodeDriverOverTCP(t *testing.T) {
	const password = `Grüße "1'2`
	server := startServer(t, Options{Password: password, ServerTime: slowly})
	result := runNode(t, "DSN="+server.Addr()+"/FREEPDB1", "USER_NAME=probe", "PASSWORD="+password, fmt.Sprintf("ROWS=%d", nodeRows))
	checkNode(t, server, result, nodeRows)
}

func TestNodeDriverSpeaksEveryProtocolVersion(t *testing.T) {
	const rows = 20_000
	for _, version := range []uint16{315, 317, 319} {
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			server := startServer(t, Options{Version: version, Resend: true, ServerTime: slowly})
			result := runNode(t, "DSN="+server.Addr()+"/FREEPDB1", "USER_NAME=probe", "PASSWORD=probe", fmt.Sprintf("ROWS=%d", rows))
			checkNode(t, server, result, rows)
		})
	}
}

func TestNodeDriverOverMutualTLS(t *testing.T) {
	const walletPassword = "wallet-password"
	directory := t.TempDir()
	w, err := wallet.Generate(directory, wallet.Options{Hosts: []string{"localhost", "127.0.0.1"}, Password: walletPassword})
	if err != nil {
		t.Fatal(err)
	}
	server := startServer(t, Options{TLSListenAddress: "127.0.0.1:0", TLSConfig: w.Server, ServerTime: slowly})
	result := runNode(t, "DSN=tcps://"+server.TLSAddr()+"/FREEPDB1", "USER_NAME=probe", "PASSWORD=probe",
		"WALLET="+directory, "WALLET_PASSWORD="+walletPassword, fmt.Sprintf("ROWS=%d", nodeRows))
	checkNode(t, server, result, nodeRows)
	if truth := server.Truth(); !truth.Connections[0].TLS || truth.NetBytesSent >= truth.BytesSent {
		t.Errorf("TLS %v, %d bytes of Oracle Net in %d bytes on the socket", truth.Connections[0].TLS, truth.NetBytesSent, truth.BytesSent)
	}
}

func TestNodeDriverLogsOnWithAWarning(t *testing.T) {
	server := startServer(t, Options{ServerTime: slowly})
	set(t, server, "auth_two:warning=28002")
	result := runNode(t, "DSN="+server.Addr()+"/FREEPDB1", "USER_NAME=probe", "PASSWORD=probe", "ROWS=1000")
	if !strings.Contains(result.Warning, "ORA-28002: the password will expire") {
		t.Errorf("the client was warned by %q", result.Warning)
	}
	checkNode(t, server, result, 1000)
}

// checkNode holds what the client saw against what the simulator is and did.
func checkNode(t *testing.T, server *Server, result nodeResult, rows int) {
	t.Helper()
	if !result.Thin || result.Version != "19.22.0.0.0" || result.Service != "FREEPDB1" || result.Instance != instanceName {
		t.Errorf("the client sees %+v", result)
	}
	want := [][]any{
		{"X"}, {"Grüße €"}, {42.0, 0.0, -12.345, 1e20}, {nil}, {"deadbeef"}, {"2024-02-29T00:00:00.000Z", "2024-02-29T00:00:00.000Z"},
		{`a'b"c`}, {42.0}, {nil}, {"CAFE"}, {"x" + strings.Repeat("y", 3999)},
	}
	if fmt.Sprint(result.Types) != fmt.Sprint(want) {
		t.Errorf("types:\n got %v\nwant %v", result.Types, want)
	}
	for _, size := range []string{"100", "1000", "10000"} {
		if bulk := result.Bulk[size]; bulk.Rows != rows || bulk.Wrong != 0 || bulk.Different != rows {
			t.Errorf("arraysize %s: %+v", size, bulk)
		}
	}
	for name, want := range map[string]string{
		"unknown_table": "ORA-00942", "wrong_password": "ORA-01017", "unknown_service": "NJS-518", "interrupted": "NJS-123",
	} {
		if got := result.Errors[name]; got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if result.AfterError != "X" || result.AfterInterrupt != "X" {
		t.Errorf("the session did not survive an error and an interrupt: %+v", result)
	}
	if !slices.Equal(result.Reexecuted, []int{1, 2, 3}) {
		t.Errorf("re-executed: %v", result.Reexecuted)
	}
	truth := server.Truth()
	if truth.Piggybacks["end_to_end"] == 0 || truth.RoundTripsByCall["reexecute_and_fetch"] == 0 {
		t.Errorf("truth: calls %v, piggybacks %v", truth.RoundTripsByCall, truth.Piggybacks)
	}
	if truth.SessionsTotal != 1 || truth.LogonFailures != 1 || truth.Refused != 1 {
		t.Errorf("truth: %d sessions, %d failures, %d refused; want 1 of each", truth.SessionsTotal, truth.LogonFailures, truth.Refused)
	}
	if session := truth.Connections[0]; session.Ended != "logoff" || session.BiggestPacketSent != 8192-81 {
		t.Errorf("the session ended by %q, its biggest packet was %d bytes", session.Ended, session.BiggestPacketSent)
	}
}
