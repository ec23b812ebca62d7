// The project's shared cases: what people write, and what it means.

package dsn

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// sharedCases is ../shared/cases beside the project's root.
func sharedCases(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the working directory")
		}
		dir = filepath.Dir(dir)
	}
	cases := filepath.Join(filepath.Dir(dir), "shared", "cases")
	if _, err := os.Stat(cases); err != nil {
		t.Skip("the shared cases are not beside the checkout")
	}
	return cases
}

func readYAML(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

// expectation is what a case says of a descriptor; what it leaves out is not compared.
type expectation struct {
	DSN              string   `yaml:"dsn"`
	Protocol         Protocol `yaml:"protocol"`
	Addresses        []string `yaml:"addresses"`
	ServiceName      string   `yaml:"service_name"`
	SID              string   `yaml:"sid"`
	InstanceName     string   `yaml:"instance_name"`
	Server           Server   `yaml:"server"`
	SDU              int      `yaml:"sdu"`
	SSLServerDNMatch *bool    `yaml:"ssl_server_dn_match"`
	SSLServerCertDN  string   `yaml:"ssl_server_cert_dn"`
	HTTPSProxy       string   `yaml:"https_proxy"`
	Note             string   `yaml:"note"`
	Error            string   `yaml:"error"`
}

func (want expectation) check(t *testing.T, got *Descriptor) {
	t.Helper()
	var addresses []string
	for _, a := range got.Addresses {
		addresses = append(addresses, a.HostPort())
		if want.Protocol != "" && a.Protocol != want.Protocol {
			t.Errorf("protocol is %s, want %s", a.Protocol, want.Protocol)
		}
		if proxy := (Address{Host: a.HTTPSProxy, Port: a.HTTPSProxyPort}).HostPort(); want.HTTPSProxy != "" && proxy != want.HTTPSProxy {
			t.Errorf("https_proxy is %s, want %s", proxy, want.HTTPSProxy)
		}
	}
	if !slices.Equal(addresses, want.Addresses) {
		t.Errorf("addresses are %q, want %q", addresses, want.Addresses)
	}
	if want.ServiceName != "" && got.ServiceName != want.ServiceName {
		t.Errorf("service_name is %q, want %q", got.ServiceName, want.ServiceName)
	}
	if got.SID != want.SID || got.InstanceName != want.InstanceName {
		t.Errorf("sid and instance_name are %q and %q, want %q and %q", got.SID, got.InstanceName, want.SID, want.InstanceName)
	}
	if got.Server != want.Server || got.SDU != want.SDU {
		t.Errorf("server and sdu are %q and %d, want %q and %d", got.Server, got.SDU, want.Server, want.SDU)
	}
	if got.SSLServerCertDN != want.SSLServerCertDN {
		t.Errorf("ssl_server_cert_dn is %q, want %q", got.SSLServerCertDN, want.SSLServerCertDN)
	}
	if w, g := want.SSLServerDNMatch, got.SSLServerDNMatch; (w == nil) != (g == nil) || w != nil && *w != *g {
		t.Errorf("ssl_server_dn_match differs from what was written")
	}
}

func TestSharedDataSourceNames(t *testing.T) {
	var cases []expectation
	readYAML(t, filepath.Join(sharedCases(t), "dsn.yaml"), &cases)
	for _, want := range cases {
		t.Run(want.DSN, func(t *testing.T) {
			got, err := Resolve(want.DSN, "")
			if want.Error != "" {
				if err == nil || !strings.Contains(err.Error(), want.Error) {
					t.Fatalf("error is %v, want one that says %q", err, want.Error)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			want.check(t, got)
		})
	}
}

func TestSharedTNSNames(t *testing.T) {
	dir := filepath.Join(sharedCases(t), "tnsnames")
	var files map[string]map[string]any
	var expected map[string]map[string]expectation
	readYAML(t, filepath.Join(dir, "expected.yaml"), &files)
	delete(files, "sqlnet.ora") // TestSharedSQLNet's
	text, err := yaml.Marshal(files)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, &expected); err != nil {
		t.Fatal(err)
	}
	for file, aliases := range expected {
		names, err := LoadNames(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		for alias, want := range aliases {
			t.Run(file+"/"+alias, func(t *testing.T) {
				got, err := names.Lookup(alias)
				if want.Error != "" {
					if err == nil {
						t.Fatalf("no error, want one that %s", want.Error)
					}
					checkSharedError(t, alias, err.Error())
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				want.check(t, got)
				if strings.Contains(want.Note, "ignored") && len(got.Notes) != 1 {
					t.Errorf("notes are %q, want one: %s", got.Notes, want.Note)
				}
			})
		}
	}
}

// checkSharedError spells out what expected.yaml says in words.
func checkSharedError(t *testing.T, alias, text string) {
	t.Helper()
	want := map[string][]string{
		"nosuch": {"adb.ora", "orders_high", "orders_low"},
		"bad":    {"broken.ora:2:", "a parenthesis is not closed"},
	}[alias]
	if want == nil {
		t.Fatalf("no words are written down here for alias %s", alias)
	}
	for _, word := range want {
		if !strings.Contains(text, word) {
			t.Errorf("error is %q, want one with %q", text, word)
		}
	}
}

func TestSharedSQLNet(t *testing.T) {
	dir := filepath.Join(sharedCases(t), "tnsnames")
	got, err := LoadSQLNet(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got.WalletLocation != dir {
		t.Errorf("wallet location is %q, want the file's directory %q", got.WalletLocation, dir)
	}
	if got.SSLServerDNMatch == nil || !*got.SSLServerDNMatch {
		t.Error("SSL_SERVER_DN_MATCH=yes was not read")
	}
}
