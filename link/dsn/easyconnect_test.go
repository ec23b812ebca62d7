package dsn

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func hostPorts(d *Descriptor) []string {
	var out []string
	for _, a := range d.Addresses {
		out = append(out, a.HostPort())
	}
	return out
}

func TestEasyConnectPlaces(t *testing.T) {
	for text, want := range map[string][]string{
		"db/svc":                           {"db:1521"},
		"//db:1523/svc":                    {"db:1523"},
		"TCP://db/svc":                     {"db:1521"},
		"tcps://db/svc":                    {"db:1521"},
		"db:/svc":                          {"db:1521"},
		"h1,h2,h3:1523/svc":                {"h1:1523", "h2:1523", "h3:1523"},
		"h1:1522,h2/svc":                   {"h1:1522", "h2:1521"},
		"h1:1522,h2:1523/svc":              {"h1:1522", "h2:1523"},
		"h1,h2:1523;h3,h4/svc":             {"h1:1523", "h2:1523", "h3:1521", "h4:1521"},
		"[2001:db8::1],h2:1522/svc":        {"[2001:db8::1]:1522", "h2:1522"},
		"tcps://[::1]:2484/svc":            {"[::1]:2484"},
		"10.1.2.3:1521/svc":                {"10.1.2.3:1521"},
		" db : 1522 / svc ":                {"db:1522"},
		"h1,h2/svc?failover=off":           {"h1:1521"},
		"cman,db/svc?source_route=on":      {"cman:1521"},
		"tcps://h_1.example-x.com:1/s.v-c": {"h_1.example-x.com:1"},
		"db:01521/svc\n":                   {"db:1521"},
		"db/svc?":                          {"db:1521"},
		"db/svc/":                          {"db:1521"},
		"db/svc:dedicated/":                {"db:1521"},
		"db/svc#1$x":                       {"db:1521"},
		"[fe80::1%eth0]/svc":               {"[fe80::1%eth0]:1521"},
		"[::ffff:10.1.2.3]:1522/svc":       {"[::ffff:10.1.2.3]:1522"},
		"[::1],[::2]:1522;h/svc":           {"[::1]:1522", "[::2]:1522", "h:1521"},
		"データ.example.com/svc":              {"データ.example.com:1521"},
		"db/svc?sdu=8192&sdu_x=1":          {"db:1521"},
	} {
		t.Run(text, func(t *testing.T) {
			d, err := Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			if got := hostPorts(d); !slices.Equal(got, want) {
				t.Errorf("addresses are %q, want %q", got, want)
			}
		})
	}
}

func TestEasyConnectService(t *testing.T) {
	d, err := Parse("db/svc.example.com:SHARED/inst1")
	if err != nil {
		t.Fatal(err)
	}
	if d.ServiceName != "svc.example.com" || d.Server != ServerShared || d.InstanceName != "inst1" {
		t.Errorf("service, server, instance are %q, %q, %q", d.ServiceName, d.Server, d.InstanceName)
	}
}

func TestEasyConnectOptions(t *testing.T) {
	d, err := Parse(`tcps://db:2484/svc?SDU=65535&transport_connect_timeout=3&connect_timeout=9&https_proxy=proxy&https_proxy_port=8080` +
		`&ssl_server_dn_match=on&ssl_server_cert_dn="CN=db, O=A & B (East), C=US"&wallet_location=/etc/wallet` +
		`&retry_count=3&retry_delay=1&expire_time=2&pool_connection_class=probe&pyo.stmtcachesize=9`)
	if err != nil {
		t.Fatal(err)
	}
	if d.SDU != 65535 || d.TCPConnectTimeout != 3*time.Second || d.WalletLocation != "/etc/wallet" {
		t.Errorf("sdu, timeout, wallet are %d, %v, %q", d.SDU, d.TCPConnectTimeout, d.WalletLocation)
	}
	if d.SSLServerDNMatch == nil || !*d.SSLServerDNMatch || d.SSLServerCertDN != "CN=db, O=A & B (East), C=US" {
		t.Errorf("dn match, dn are %v, %q", d.SSLServerDNMatch, d.SSLServerCertDN)
	}
	if a := d.Addresses[0]; a.HTTPSProxy != "proxy" || a.HTTPSProxyPort != 8080 {
		t.Errorf("proxy is %s:%d", a.HTTPSProxy, a.HTTPSProxyPort)
	}
	if text := d.ConnectData(d.Addresses[0], CID{}); !strings.Contains(text, "(POOL_CONNECTION_CLASS=probe)") {
		t.Errorf("connect data lack the pool's class: %s", text)
	}
	for _, word := range []string{"RETRY_COUNT/RETRY_DELAY", "EXPIRE_TIME", "pyo.stmtcachesize"} {
		if !slices.ContainsFunc(d.Notes, func(note string) bool { return strings.Contains(note, word) }) {
			t.Errorf("no note names %s: %q", word, d.Notes)
		}
	}
	if len(d.Notes) != 3 {
		t.Errorf("notes are %q, want three", d.Notes)
	}
}

func TestAProxyWithoutPortHasNodeOracledbsDefault(t *testing.T) {
	d, err := Parse("tcps://db/svc?https_proxy=proxy")
	if err != nil {
		t.Fatal(err)
	}
	if got := d.Addresses[0].HTTPSProxyPort; got != 80 {
		t.Errorf("port is %d, want 80", got)
	}
}

func TestEasyConnectErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "dsn is missing",
		" \n ":                          "dsn is missing",
		"db:x/svc":                      "port is not a number",
		"db:0/svc":                      "port \"0\" does not exist",
		"db:65536/svc":                  "does not exist",
		"db:-1/svc":                     "port is not a number",
		"db:1521":                       "no service is named",
		"db/":                           "no service is named",
		"db/:pooled":                    "no service is named",
		"/svc":                          "host is missing",
		"h1,,h2/svc":                    "host is missing",
		"2001:db8::1/svc":               "IPv6 address in brackets",
		"db:1521:ORCL/x":                "write a SID as",
		"[2001:db8::1/svc":              "more than one colon",
		"[db]/svc":                      "is not an IPv6 address",
		"[:x:]/svc":                     "neither a name nor an IPv6 address",
		"ipc://db/svc":                  "protocol \"ipc\" is not supported",
		"db//svc":                       "not supported",
		"db/svc:emon":                   "server \"emon\" is not known",
		"db/svc/a/b":                    "INSTANCE_NAME holds a character",
		"db/s(v)c":                      "SERVICE_NAME holds a character",
		"d(b/svc":                       "holds a character that no host name has",
		"db/svc?sdu":                    "write name=value",
		"db/svc?sdu=1&sdu=2":            "option sdu is given twice",
		"db/svc?sdu=big":                "SDU is not a number",
		"db/svc?ssl_server_dn_match=x":  "write ON or OFF",
		"db/svc?connect_timeout=soon":   "CONNECT_TIMEOUT is not a time",
		"db/svc?connect_timeout=1e300":  "CONNECT_TIMEOUT is not a time",
		"db/svc?https_proxy_port=x":     "", // without a proxy it says nothing
		`db/svc?wallet_location="/a"b"`: "holds a quote",
		"jdbc:oracle:thin:@//db/svc":    "leave out what stands before it",
		// What people paste.
		"db:1521:ORCL":                               "write a SID as",
		"tcps:adb:1522/svc":                          "more than one colon",
		"http://db/svc":                              "write tcp:// or tcps://",
		"ldap://oid:389/orders,cn=OracleContext":     "write tcp:// or tcps://",
		"'db:1521/svc'":                              "no host name has",
		"db:1521/svc&sdu=8192":                       "SERVICE_NAME holds a character",
		"db:1521/svc?&sdu=8192":                      "write name=value",
		"db/svc?ssl_server_dn_match=":                "write ON or OFF",
		"[1.2.3.4]:1521/svc":                         "is not an IPv6 address",
		"[::1]:1521":                                 "no service is named",
		"orders = (DESCRIPTION=(ADDRESS=(HOST=db)))": "dsn is a whole entry of tnsnames.ora",
		"orders=\n (description=(security=(wallet_location=/w)(ssl_server_cert_dn=\"x?\")))": "dsn is a whole entry of tnsnames.ora",
		"(ADDRESS_LIST=(ADDRESS=(HOST=a)))":                                                  "must begin with (DESCRIPTION=",
	} {
		t.Run(text, func(t *testing.T) {
			_, err := Resolve(text, "")
			if want == "" {
				if err != nil {
					t.Errorf("error is %v, want none", err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error is %v, want one that says %q", err, want)
			}
		})
	}
}

func TestNoErrorEchoesAPassword(t *testing.T) {
	const password = "tIgEr"
	for _, text := range []string{
		"scott/tIgEr@db/svc",
		"scott/tIgEr@alias",
		"scott/tIgEr?x@db:1521/svc",
		"oracle://scott:tIgEr@db:x/svc",
		"scott/a?tIgEr=b@db/svc",
	} {
		_, err := Resolve(text, t.TempDir())
		if err == nil {
			t.Errorf("no error for a dsn with a password")
		} else if strings.Contains(err.Error(), password) {
			t.Errorf("the error echoes the password: %v", err)
		}
	}
}
