package exporter

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"oranet_exporter/link"
	"oranet_exporter/probes"
)

// testDefinitions are a light probe, one with settings that logs on, and one
// that is off by default.
func testDefinitions() []*probes.Definition {
	f := new(fake)
	tcp := f.definition("tcp", 2*time.Second, 2*time.Second)
	fetch := f.definition("fetch", 5*time.Minute, time.Minute)
	fetch.Logon = true
	fetch.Options = func() probes.Options { return &fakeOptions{Sizes: []int{100, 1000}} }
	fetch.Known = func(o probes.Options) []probes.Series {
		return []probes.Series{{Metric: fakeSeconds, Values: []string{"known"}}}
	}
	rate := f.definition("logon_rate", time.Hour, time.Minute)
	rate.Default.Enabled = false
	return []*probes.Definition{tcp, fetch, rate}
}

// writeConfig puts a configuration and the files it names into a directory.
func writeConfig(t *testing.T, text string) (file string) {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{"oranet.yml": text, "probe": "tiger\n", "wallet": "swordfish\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "oranet.yml")
}

func TestConfigurationIsRead(t *testing.T) {
	file := writeConfig(t, `
probes:                       # defaults for every target
  tcp:   {interval: 4s}
  fetch: {interval: 10m, sizes: [1, 2], pause: 1d, mode: auto, fraction: 0.5}
targets:
  - name: orders
    dsn: db.example.com:1521/orders
    config_dir: .
    wallet_location: /wallets/orders
    wallet_password_file: wallet
    user: PROBE
    password_file: probe
    sdu: 8192
    ssl_server_dn_match: false
    ssl_server_cert_dn: "CN=db"
    https_proxy: proxy
    https_proxy_port: 3128
    tcp_connect_timeout: 1500ms
    labels: {to_region: tokyo}
    probes: {fetch: {timeout: 30s, mode: 7}, logon_rate: {enabled: true}}
    budgets:
      - {name: order_page, rows: 1000, arraysize: 100, max: 3s}
  - name: billing
    dsn: db.example.com:1521/billing
    probes:
      fetch:
        enabled: false
`)
	cfg, err := LoadConfig(file, testDefinitions())
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Dir(file)
	no := false
	want := link.Config{
		DSN: "db.example.com:1521/orders", ConfigDir: dir, WalletLocation: "/wallets/orders",
		WalletPassword: link.Secret{File: filepath.Join(dir, "wallet")},
		User:           "PROBE", Password: link.Secret{File: filepath.Join(dir, "probe")},
		SDU: 8192, SSLServerDNMatch: &no, SSLServerCertDN: "CN=db",
		HTTPSProxy: "proxy", HTTPSProxyPort: 3128, TCPConnectTimeout: 1500 * time.Millisecond,
	}
	orders, billing := cfg.Target("orders"), cfg.Target("billing")
	if !reflect.DeepEqual(orders.Link, want) {
		t.Errorf("link is %+v, want %+v", orders.Link, want)
	}
	if orders.Labels["to_region"] != "tokyo" {
		t.Errorf("labels are %v", orders.Labels)
	}
	if b := orders.Budgets; len(b) != 1 || b[0] != (Budget{"order_page", 1000, 100, 3 * time.Second}) {
		t.Errorf("budgets are %v", b)
	}
	for _, c := range []struct {
		target  *Target
		probe   string
		want    probes.Schedule
		options probes.Options
	}{
		{orders, "tcp", probes.Schedule{Enabled: true, Interval: 4 * time.Second, Timeout: 2 * time.Second}, nil},
		{orders, "fetch", probes.Schedule{Enabled: true, Interval: 10 * time.Minute, Timeout: 30 * time.Second},
			&fakeOptions{Sizes: []int{1, 2}, Pause: 24 * time.Hour, Mode: 1, Fraction: .5}},
		{orders, "logon_rate", probes.Schedule{Enabled: true, Interval: time.Hour, Timeout: time.Minute}, nil},
		{billing, "fetch", probes.Schedule{Enabled: false, Interval: 10 * time.Minute, Timeout: time.Minute},
			&fakeOptions{Sizes: []int{1, 2}, Pause: 24 * time.Hour, Mode: 4, Fraction: .5}},
	} {
		p := c.target.Probe(c.probe)
		if p.Schedule != c.want {
			t.Errorf("%s: schedule of %s is %v, want %v", c.target.Name, c.probe, p.Schedule, c.want)
		}
		if !reflect.DeepEqual(p.Options, c.options) {
			t.Errorf("%s: options of %s are %v, want %v", c.target.Name, c.probe, p.Options, c.options)
		}
	}
}

// target is a good target's beginning, on lines 2 to 5.
const target = `targets:
  - name: orders
    dsn: db.example.com:1521/orders
    user: PROBE
    password_file: probe
`

func TestMistakesInTheConfigurationAreNamed(t *testing.T) {
	t.Setenv("ORANET_TEST_EMPTY", "")
	for _, c := range []struct{ name, text, want string }{
		{"no YAML", "targets: [", "oranet.yml:1: not YAML: sequence end token ']' not found"},
		{"tab", "targets:\n\t- name: x", "oranet.yml:2: not YAML: found character '\t' that cannot start any token"},
		{"empty", "", "oranet.yml: targets: there are none; give at least one link to probe"},
		{"only comments", "# nothing\n", "oranet.yml: targets: there are none; give at least one link to probe"},
		{"a list", "- a\n", "oranet.yml: want keys and values, not a list"},
		{"two documents", "a: 1\n---\nb: 1\n", "oranet.yml: holds 2 YAML documents, want one"},
		{"no targets", "targets: []\n", "oranet.yml:1: targets: there are none; give at least one link to probe"},
		{"unknown key at the top", "target: []\n", "oranet.yml:1: target: unknown key (did you mean targets?)"},
		{"unknown key of a target", target + "    walletlocation: w\n", "oranet.yml:6: targets[0].walletlocation: unknown key (did you mean wallet_location?)"},
		{"inline password", target + "    password: tiger\n", "oranet.yml:6: targets[0].password: unknown key (did you mean password_file or password_env?)"},
		{"unknown key of a probe", target + "    probes:\n      fetch:\n        intervall: 1m\n",
			"oranet.yml:8: targets[0].probes.fetch.intervall: unknown key (did you mean interval?)"},
		{"nothing like it", target + "    colour: red\n", "oranet.yml:6: targets[0].colour: unknown key"},
		{"unknown probe", "probes: {fetsch: {}}\n" + target, "oranet.yml:1: probes.fetsch: unknown probe (did you mean fetch?); there are tcp, fetch, logon_rate"},
		{"key twice", target + "    user: OTHER\n", "oranet.yml:6: targets[0].user: given twice (first on line 4)"},
		{"name twice", target + "  - name: orders\n    dsn: x:1/y\n    probes: {fetch: {enabled: false}}\n",
			"oranet.yml:6: targets[1].name: another target is named orders, too; names must differ"},
		{"no name", "targets:\n  - dsn: x\n", "oranet.yml:2: targets[0].name: missing; it becomes the label target"},
		{"unprintable name", "targets:\n  - name: \"a\\nb\"\n", "oranet.yml:2: targets[0].name: holds characters that cannot be printed"},
		{"no dsn", "targets:\n  - name: a\n    probes: {fetch: {enabled: false}}\n",
			"oranet.yml:2: targets[0].dsn: missing; give an alias of tnsnames.ora, an easy connect string or a descriptor"},
		{"no value", "targets:\n  - name:\n", "oranet.yml:2: targets[0].name: has no value; give one or leave the key out"},
		{"number for text", "targets:\n  - name: 12\n", "oranet.yml:2: targets[0].name: want text, not a number; put it in quotes if it is meant as text"},
		{"text for number", target + "    sdu: big\n", "oranet.yml:6: targets[0].sdu: want a whole number, not text"},
		{"fraction for number", target + "    sdu: 8192.5\n", "oranet.yml:6: targets[0].sdu: want a whole number, not one with a point or an exponent"},
		{"too large a number", target + "    sdu: 99999999999999999999\n", "oranet.yml:6: targets[0].sdu: want a whole number, not one in quotes or this large"},
		{"text for truth", target + "    ssl_server_dn_match: \"yes\"\n", "oranet.yml:6: targets[0].ssl_server_dn_match: want true or false, not text"},
		{"text for list", target + "    budgets: none\n", "oranet.yml:6: targets[0].budgets: want a list, not text"},
		{"list for mapping", target + "    labels: [a]\n", "oranet.yml:6: targets[0].labels: want keys and values, not a list"},
		{"list for text", target + "    https_proxy: [a]\n", "oranet.yml:6: targets[0].https_proxy: want text, not a list; put it in quotes if it is meant as text"},
		{"number for a label", target + "    labels:\n      zone: 1\n", "oranet.yml:7: targets[0].labels.zone: want text, not a number; put it in quotes if it is meant as text"},
		{"list for an own notation", target + "    probes: {fetch: {mode: [7]}}\n", "oranet.yml:6: targets[0].probes.fetch.mode: want one value, not a list"},
		{"wrong own notation", target + "    probes: {fetch: {mode: 8}}\n", "oranet.yml:6: targets[0].probes.fetch.mode: want 7 or auto"},
		{"text in a list of numbers", target + "    probes:\n      fetch:\n        sizes:\n          - 1\n          - many\n",
			"oranet.yml:10: targets[0].probes.fetch.sizes[1]: want a whole number, not text"},
		{"bad setting", target + "    probes: {fetch: {sizes: []}}\n", "oranet.yml:6: targets[0].probes.fetch: sizes: give at least one"},
		{"bad duration", "probes: {tcp: {interval: 2 seconds}}\n" + target, "oranet.yml:1: probes.tcp.interval: want a duration such as 500ms, 2s, 10m or 1d"},
		{"number for a duration", "probes: {tcp: {interval: 2}}\n" + target, "oranet.yml:1: probes.tcp.interval: want a duration such as 500ms, 2s, 10m or 1d"},
		{"interval too short", "probes: {tcp: {interval: 1ms}}\n" + target, "oranet.yml:1: probes.tcp.interval: want at least 10ms"},
		{"no timeout", "probes: {tcp: {timeout: 0s}}\n" + target, "oranet.yml:1: probes.tcp.timeout: must be longer than 0s"},
		{"timeout over interval", "probes: {tcp: {interval: 1s}}\n" + target,
			"oranet.yml:1: probes.tcp.timeout: 2s is longer than the interval of 1s; a run must end before the next begins"},
		{"target's timeout over interval", target + "    probes:\n      tcp:\n        timeout: 3s\n",
			"oranet.yml:8: targets[0].probes.tcp.timeout: 3s is longer than the interval of 2s; a run must end before the next begins"},
		{"all probes off", target + "    probes: {tcp: {enabled: false}, fetch: {enabled: false}}\n",
			"oranet.yml:6: targets[0].probes: all are switched off; enable one or remove the target"},
		{"no user", "targets:\n  - name: a\n    dsn: x:1/y\n", "oranet.yml:2: targets[0].user: missing; these probes log on: fetch (disable them to do without)"},
		{"no password", "targets:\n  - name: a\n    dsn: x:1/y\n    user: PROBE\n",
			"oranet.yml:2: targets[0].password_file: missing, and so is password_env; these probes log on: fetch"},
		{"no password file", "targets:\n  - name: a\n    dsn: x:1/y\n    user: PROBE\n    password_file: none\n",
			"oranet.yml:5: targets[0].password_file: cannot read the secret: stat $DIR/none: no such file or directory"},
		{"no such variable", "targets:\n  - name: a\n    dsn: x:1/y\n    user: PROBE\n    password_env: ORANET_TEST_UNSET\n",
			"oranet.yml:5: targets[0].password_env: the environment variable ORANET_TEST_UNSET is not set"},
		{"empty variable", "targets:\n  - name: a\n    dsn: x:1/y\n    user: PROBE\n    password_env: ORANET_TEST_EMPTY\n",
			"oranet.yml:5: targets[0].password_env: the secret in environment variable ORANET_TEST_EMPTY is empty"},
		{"password in a dsn", "targets:\n  - name: a\n    dsn: x:1/y?wallet_password=tiger\n",
			"oranet.yml:3: targets[0].dsn: holds a password; put it into a file and name that in password_file or wallet_password_file"},
		{"password in a descriptor", "targets:\n  - name: a\n    dsn: (DESCRIPTION=(SECURITY=(MY_WALLET_PASSWORD = tiger)))\n",
			"oranet.yml:3: targets[0].dsn: holds a password; put it into a file and name that in password_file or wallet_password_file"},
		{"password behind the user", "targets:\n  - name: a\n    dsn: x:1/y\n    user: PROBE/tiger\n",
			"oranet.yml:4: targets[0].user: want a user name alone; the password goes into password_file or password_env"},
		{"password in a proxy", target + "    https_proxy: http://u:tiger@proxy\n",
			"oranet.yml:6: targets[0].https_proxy: want a host name alone; the port goes into https_proxy_port, and a proxy that wants a password is not supported"},
		{"two places of a password", target + "    password_env: PATH\n", "oranet.yml:6: targets[0].password_env: there is a password_file, too; give one of them"},
		{"no wallet password file", target + "    wallet_password_file: none\n",
			"oranet.yml:6: targets[0].wallet_password_file: cannot read the secret: stat $DIR/none: no such file or directory"},
		{"sdu out of range", target + "    sdu: 100\n", "oranet.yml:6: targets[0].sdu: want 512 to 2097152 bytes"},
		{"port out of range", target + "    https_proxy_port: 70000\n", "oranet.yml:6: targets[0].https_proxy_port: want 1 to 65535"},
		{"negative timeout", target + "    tcp_connect_timeout: -1s\n", "oranet.yml:6: targets[0].tcp_connect_timeout: must not be negative"},
		{"bad label name", target + "    labels: {to-region: tokyo}\n",
			"oranet.yml:6: targets[0].labels.to-region: not a label name; use letters, digits and _, and do not begin with a digit or __"},
		{"label of the exporter", target + "    labels: {probe: x}\n",
			"oranet.yml:6: targets[0].labels.probe: the exporter or Prometheus sets this label itself; choose another name"},
		{"label of a probe", target + "    labels: {size: x}\n",
			"oranet.yml:6: targets[0].labels.size: the exporter or Prometheus sets this label itself; choose another name"},
		{"label of Prometheus", target + "    labels: {instance: x}\n",
			"oranet.yml:6: targets[0].labels.instance: the exporter or Prometheus sets this label itself; choose another name"},
		{"budget without a name", target + "    budgets:\n      - {rows: 1, arraysize: 1, max: 1s}\n", "oranet.yml:7: targets[0].budgets[0].name: missing; it becomes the label budget"},
		{"budget twice", target + "    budgets:\n      - {name: a, rows: 1, arraysize: 1, max: 1s}\n      - {name: a, rows: 1, arraysize: 1, max: 1s}\n",
			"oranet.yml:8: targets[0].budgets[1].name: another budget of this target is named a, too"},
		{"budget without rows", target + "    budgets: [{name: a, arraysize: 1, max: 1s}]\n",
			"oranet.yml:6: targets[0].budgets[0].rows: want the number of rows that the query returns, at least 1"},
		{"budget's arraysize", target + "    budgets: [{name: a, rows: 1, arraysize: 100000, max: 1s}]\n",
			"oranet.yml:6: targets[0].budgets[0].arraysize: want 1 to 65535 rows per round trip"},
		{"budget without a limit", target + "    budgets: [{name: a, rows: 1, arraysize: 1}]\n",
			"oranet.yml:6: targets[0].budgets[0].max: want the time that the query may take, such as 3s"},
		{"anchor", "probes: &p\n  tcp: {}\n" + target, "oranet.yml:1: probes: want keys and values, not an anchor, alias or tag (these are not supported; write the value out)"},
		{"alias", target + "    probes: {fetch: *p}\n", "oranet.yml:6: targets[0].probes.fetch: want keys and values, not an anchor, alias or tag (these are not supported; write the value out)"},
		{"Latin-1", target + "    labels: {city: \"M\xfcnchen\"}\n", "oranet.yml:6: not text in UTF-8; save the file in that encoding"},
		{"UTF-16", "\xff\xfet\x00a\x00", "oranet.yml:1: not text in UTF-8; save the file in that encoding"},
		{"UTF-16 without a mark", "t\x00a\x00", "oranet.yml:1: not text in UTF-8; save the file in that encoding"},
		{"brackets without an end", "targets: " + strings.Repeat("[", 1_000_000),
			"oranet.yml:1: more than 100 lists or mappings are open in each other; close them"},
		{"dashes without an end", "\n" + strings.Repeat("- ", 1_000_000),
			"oranet.yml:2: more than 100 lists or mappings are open in each other; close them"},
		{"merge key", target + "    <<: {sdu: 512}\n", "oranet.yml:6: targets[0].<<: unknown key"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := writeConfig(t, c.text)
			_, err := LoadConfig(file, testDefinitions())
			if err == nil {
				t.Fatal("it was taken")
			}
			want := filepath.Dir(file) + string(filepath.Separator) + strings.ReplaceAll(c.want, "$DIR", filepath.Dir(file))
			if err.Error() != want {
				t.Errorf("got  %s\nwant %s", err, want)
			}
		})
	}
}

func TestByteOrderMarkAndCarriageReturnsAreTaken(t *testing.T) {
	file := writeConfig(t, "\uFEFF"+strings.ReplaceAll(target, "\n", "\r\n"))
	if _, err := LoadConfig(file, testDefinitions()); err != nil {
		t.Error(err)
	}
}

func TestUnresolvableDSNIsAMistakeInTheConfiguration(t *testing.T) {
	file := writeConfig(t, "targets:\n  - name: orders\n    dsn: orders_low\n    probes: {fetch: {enabled: false}}\n")
	_, err := LoadConfig(file, testDefinitions())
	if err == nil || !strings.Contains(err.Error(), "oranet.yml:3: targets[0].dsn: target orders: ") {
		t.Errorf("got %v, want the line of the dsn and the target's name", err)
	}
}

func TestMissingConfigurationFileIsNamed(t *testing.T) {
	_, err := LoadConfig(filepath.Join(t.TempDir(), "none.yml"), nil)
	if err == nil || !strings.Contains(err.Error(), "none.yml") {
		t.Errorf("got %v, want the file's name", err)
	}
}

func TestTargetWithoutLogonsNeedsNoUser(t *testing.T) {
	file := writeConfig(t, "targets:\n  - name: a\n    dsn: x:1/y\n    probes: {fetch: {enabled: false}}\n")
	if _, err := LoadConfig(file, testDefinitions()); err != nil {
		t.Error(err)
	}
}

func TestRedactedConfigurationCanBeLoadedAndHoldsNoSecret(t *testing.T) {
	file := writeConfig(t, target+"    labels: {to_region: tokyo}\n    wallet_password_file: wallet\n    probes: {fetch: {mode: 7}}\n")
	cfg, err := LoadConfig(file, testDefinitions())
	if err != nil {
		t.Fatal(err)
	}
	text := cfg.Redacted()
	for _, secret := range []string{"tiger", "swordfish"} {
		if strings.Contains(text, secret) {
			t.Errorf("it holds the secret %s", secret)
		}
	}
	for _, line := range []string{"name: orders", "to_region: tokyo", "interval: 5m0s"} {
		if !strings.Contains(text, line) {
			t.Errorf("it lacks %q:\n%s", line, text)
		}
	}
	text = strings.Replace(text, "mode: 1", "mode: 7", 1) // a fake that reads what it does not write
	again, err := LoadConfig(writeConfig(t, text), testDefinitions())
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	// Definitions are made anew by every call of testDefinitions.
	if got := again.Redacted(); got != cfg.Redacted() {
		t.Errorf("loaded again it reads\n%s\nwant\n%s", got, cfg.Redacted())
	}
}

func TestRedactedMasksPasswordsInAddresses(t *testing.T) {
	cfg := &Config{Targets: []*Target{{Name: "a", Link: link.Config{DSN: "scott/tiger@db:1521/x", HTTPSProxy: "me:hush@proxy"}}}}
	text := cfg.Redacted()
	if strings.Contains(text, "tiger") || strings.Contains(text, "hush") {
		t.Errorf("a password shows:\n%s", text)
	}
}

// FuzzConfig reads any text as a configuration, of the tests' probes and of the real ones.
func FuzzConfig(f *testing.F) {
	f.Add(target)
	f.Add("probes: {fetch: {sizes: [1, 2], mode: auto}}\n" + target + "    labels: {a: b}\n")
	f.Add("probes: {fetch: {arraysize: [auto, 100], rows: 10}, sdu: {requested: [2048]}}\n" + target + "    budgets: [{name: a, rows: 1, arraysize: 1, max: 1s}]\n")
	f.Add(target + "    allowance: {bytes: 1, logons: 2}\n    tcp_connect_timeout: 5s\n    ssl_server_dn_match: no\n")
	f.Add("a: &a [*a]\n? {}: x\n")
	f.Add("a: !!binary |\n  x\n<<: *b")
	f.Fuzz(func(t *testing.T, text string) {
		for _, defs := range [][]*probes.Definition{testDefinitions(), probes.All} {
			l := &loader{dir: "nowhere", defs: defs, decoder: decoder{lines: map[string]int{}}}
			cfg, err := l.load([]byte(text))
			if err == nil {
				_ = cfg.Redacted()
				err = cfg.Validate()
			}
			if err != nil && strings.Contains(l.place("oranet.yml", err).Error(), "\n") {
				t.Errorf("an error of several lines: %v", err)
			}
		}
	})
}
