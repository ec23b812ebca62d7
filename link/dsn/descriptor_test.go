package dsn

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// description puts parameters into a descriptor that is good without them.
func description(parameters string) string {
	return "(DESCRIPTION=" + parameters + "(ADDRESS=(PROTOCOL=TCP)(HOST=db)(PORT=1521))(CONNECT_DATA=(SERVICE_NAME=svc)))"
}

func mustParse(t *testing.T, text string) *Descriptor {
	t.Helper()
	d, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestAddressesComeInTheOrderToTryThem(t *testing.T) {
	const data = "(CONNECT_DATA=(SERVICE_NAME=s))"
	for text, want := range map[string][]string{
		"(DESCRIPTION=(ADDRESS=(HOST=a))(ADDRESS=(HOST=b)(PORT=2))" + data + ")":                                         {"a:1521", "b:2"},
		"(DESCRIPTION=(ADDRESS_LIST=(ADDRESS=(HOST=a))(ADDRESS=(HOST=b)))(ADDRESS_LIST=(ADDRESS=(HOST=c)))" + data + ")": {"a:1521", "b:1521", "c:1521"},
		"(DESCRIPTION=(ADDRESS_LIST=(FAILOVER=OFF)(ADDRESS=(HOST=a))(ADDRESS=(HOST=b)))" + data + ")":                    {"a:1521"},
		"(DESCRIPTION=(FAILOVER=no)(ADDRESS_LIST=(ADDRESS=(HOST=a))(ADDRESS=(HOST=b)))(ADDRESS=(HOST=c))" + data + ")":   {"a:1521", "b:1521"},
		"(DESCRIPTION=(SOURCE_ROUTE=on)(ADDRESS=(HOST=cman))(ADDRESS=(HOST=b))" + data + ")":                             {"cman:1521"},
		"(DESCRIPTION=(ADDRESS=(PROTOCOL=IPC)(KEY=extproc))(ADDRESS=(PROTOCOL=tcp)(HOST=b))" + data + ")":                {"b:1521"},
		"(DESCRIPTION_LIST=(DESCRIPTION=(ADDRESS=(HOST=a))" + data + ")(DESCRIPTION=(ADDRESS=(HOST=b))" + data + "))":    {"a:1521", "b:1521"},
		"(description=(address=(host= [::1] )(port= 1 ))" + data + ")":                                                   {"[::1]:1"},
		`(DESCRIPTION=(ADDRESS=(HOST="db.example.com")(PORT='1522'))` + data + ")":                                       {"db.example.com:1522"},
	} {
		t.Run(text, func(t *testing.T) {
			if got := hostPorts(mustParse(t, text)); !slices.Equal(got, want) {
				t.Errorf("addresses are %q, want %q", got, want)
			}
		})
	}
}

func TestLoadBalanceIsNotedAndNothingIsShuffled(t *testing.T) {
	var hosts strings.Builder
	var want []string
	for i := range 20 {
		host := "h" + strconv.Itoa(i)
		hosts.WriteString("(ADDRESS=(HOST=" + host + "))")
		want = append(want, host+":1521")
	}
	d := mustParse(t, "(DESCRIPTION=(LOAD_BALANCE=yes)"+hosts.String()+"(CONNECT_DATA=(SID=s)))")
	if got := hostPorts(d); !slices.Equal(got, want) {
		t.Errorf("addresses are %q, want them as written", got)
	}
	if !d.LoadBalance || len(d.Notes) != 1 {
		t.Errorf("LoadBalance is %v, notes are %q", d.LoadBalance, d.Notes)
	}
}

func TestQuotedValuesKeepParenthesesAndEquals(t *testing.T) {
	for written, want := range map[string]string{
		`"CN=db, O=A (B) = C"`: "CN=db, O=A (B) = C",
		`'CN=db, O="A"'`:       `CN=db, O="A"`,
		"CN=db,O=Example,C=US": "CN=db,O=Example,C=US",
		`CN=db, O=O'Reilly`:    "CN=db, O=O'Reilly",
		"\"CN=db,\n   O=A\"":   "CN=db, O=A",
	} {
		d := mustParse(t, description("(SECURITY=(SSL_SERVER_CERT_DN="+written+"))"))
		if d.SSLServerCertDN != want {
			t.Errorf("%s reads %q, want %q", written, d.SSLServerCertDN, want)
		}
	}
}

func TestSecuritySection(t *testing.T) {
	for section, want := range map[string]struct{ match, wallet string }{
		"":                           {"", ""},
		"(SSL_SERVER_DN_MATCH=no)":   {"false", ""},
		"(TLS_SERVER_DN_MATCH=TRUE)": {"true", ""},
		"(MY_WALLET_DIRECTORY=/w)":   {"", "/w"},
		"(WALLET_LOCATION=/w)":       {"", "/w"},
		"(WALLET_LOCATION=SYSTEM)":   {"", ""},
		"(WALLET_LOCATION=(SOURCE=(METHOD=FILE)(METHOD_DATA=(DIRECTORY=/w))))": {"", "/w"},
	} {
		d := mustParse(t, description("(SECURITY="+section+")"))
		match := ""
		if d.SSLServerDNMatch != nil {
			match = strconv.FormatBool(*d.SSLServerDNMatch)
		}
		if match != want.match || d.WalletLocation != want.wallet {
			t.Errorf("%s reads %q, %q, want %q, %q", section, match, d.WalletLocation, want.match, want.wallet)
		}
	}
}

func TestConnectTimeouts(t *testing.T) {
	for parameters, want := range map[string]time.Duration{
		"":                     0,
		"(CONNECT_TIMEOUT=10)": 10 * time.Second,
		"(CONNECT_TIMEOUT=10)(TRANSPORT_CONNECT_TIMEOUT=3)": 3 * time.Second,
		"(TRANSPORT_CONNECT_TIMEOUT=500ms)":                 500 * time.Millisecond,
		"(TRANSPORT_CONNECT_TIMEOUT=2 MIN)":                 2 * time.Minute,
	} {
		if got := mustParse(t, description(parameters)).TCPConnectTimeout; got != want {
			t.Errorf("%s reads %v, want %v", parameters, got, want)
		}
	}
}

func TestSDUIsClampedToWhatOracleNetAllows(t *testing.T) {
	for written, want := range map[string]int{"512": 512, "65535": 65535, "2097152": 2097152, "1": 512, "4000000000": 2097152} {
		if got := mustParse(t, description("(SDU="+written+")")).SDU; got != want {
			t.Errorf("SDU=%s reads %d, want %d", written, got, want)
		}
	}
}

func TestEachIgnoredParameterIsNotedOnce(t *testing.T) {
	const address = "(ADDRESS=(HOST=h)(SEND_BUF_SIZE=1)(RECV_BUF_SIZE=1))"
	d := mustParse(t, "(DESCRIPTION=(RETRY_COUNT=3)(RETRY_DELAY=2)"+address+address+"(CONNECT_DATA=(SID=s)))")
	if len(d.Notes) != 2 {
		t.Errorf("notes are %q, want one on retries and one on buffers", d.Notes)
	}
}

func TestDescriptorErrors(t *testing.T) {
	for text, want := range map[string]string{
		"(":                                    "a parenthesis is not closed",
		description("") + ")":                  "a parenthesis closes nothing",
		description("") + "x":                  "text follows",
		"(DESCRIPTION)":                        "an equals sign is missing",
		"(DESCRIPTION=(=x))":                   "is not a keyword",
		"(DESCRIPTION=())":                     "an equals sign is missing",
		description("x"):                       "a parenthesis stands within the value of DESCRIPTION",
		description("(SDU=1)x"):                "an opening parenthesis is missing",
		description("(A=b(C=d))"):              "a parenthesis stands within the value of A",
		description(`(A="b)`):                  "a quote is not closed",
		description("(A=\x01)"):                "the value of A holds a control character",
		"(ADDRESS=(HOST=h))":                   `begins with "ADDRESS"`,
		"(DESCRIPTION_LIST=)":                  "DESCRIPTION_LIST has no DESCRIPTION",
		"(DESCRIPTION=(CONNECT_DATA=(SID=s)))": "DESCRIPTION has no ADDRESS",
		"(DESCRIPTION=(ADDRESS=(HOST=h)))":     "no service is named",
		"(DESCRIPTION=(ADDRESS=(HOST=h))(CONNECT_DATA=(SERVICE_NAME=)))":       "no service is named",
		"(DESCRIPTION=(ADDRESS=(PORT=1))(CONNECT_DATA=(SID=s)))":               "host is missing",
		"(DESCRIPTION=(ADDRESS=(HOST=h)(PORT=a))(CONNECT_DATA=(SID=s)))":       "port is not a number",
		"(DESCRIPTION=(ADDRESS=(HOST=h:1)(PORT=1))(CONNECT_DATA=(SID=s)))":     "neither a name nor an IPv6 address",
		"(DESCRIPTION=(ADDRESS=(HOST=\"h\tx\"))(CONNECT_DATA=(SID=s)))":        "no host name has",
		"(DESCRIPTION=(ADDRESS=(PROTOCOL=BEQ)(HOST=h))(CONNECT_DATA=(SID=s)))": `PROTOCOL="BEQ" is not supported`,
		"(DESCRIPTION=(ADDRESS=(HOST=h))(CONNECT_DATA=(SID=s)(SERVER=x)))":     `server "x" is not known`,
		description("(FAILOVER=perhaps)"):                                      "FAILOVER is \"perhaps\"",
		strings.Repeat("(A=", 17) + strings.Repeat(")", 17):                    "nested more than 16 levels",
		"(A=" + strings.Repeat("x", 1<<20) + ")":                               "longer than",
	} {
		t.Run(text[:min(len(text), 80)], func(t *testing.T) {
			_, err := Parse(text)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error is %v, want one that says %q", err, want)
			}
		})
	}
}

func TestConnectDataNamesOneAddressAndTheClient(t *testing.T) {
	d := mustParse(t, `(DESCRIPTION=(SDU=8192)(ADDRESS_LIST=(LOAD_BALANCE=ON)(ADDRESS=(PROTOCOL=tcps)(HOST=a)(PORT=1)(https_proxy=p))
		(ADDRESS=(PROTOCOL=tcp)(HOST=[::1])(PORT=2)))
		(CONNECT_DATA=(SERVICE_NAME=s)(SERVER=POOLED)(CID=(PROGRAM=other)))(SECURITY=(SSL_SERVER_CERT_DN="CN=a, O=(b)")))`)
	cid := CID{Program: "oranet_exporter", Host: "app(1)", User: "jürg"}
	const rest = `(CONNECT_DATA=(SERVICE_NAME=s)(SERVER=POOLED)(CID=(PROGRAM=oranet_exporter)(HOST=app?1?)(USER=j?rg)))(SECURITY=(SSL_SERVER_CERT_DN="CN=a, O=(b)")))`
	for i, want := range []string{
		"(DESCRIPTION=(SDU=8192)(ADDRESS=(PROTOCOL=tcps)(HOST=a)(PORT=1)(HTTPS_PROXY=p)(HTTPS_PROXY_PORT=80))" + rest,
		"(DESCRIPTION=(SDU=8192)(ADDRESS=(PROTOCOL=tcp)(HOST=::1)(PORT=2))" + rest,
	} {
		if got := d.ConnectData(d.Addresses[i], cid); got != want {
			t.Errorf("connect data are\n%s, want\n%s", got, want)
		}
	}
}

func TestASourceRouteIsSentWhole(t *testing.T) {
	const text = "(DESCRIPTION=(SOURCE_ROUTE=yes)(ADDRESS=(HOST=cman))(ADDRESS=(HOST=db))(CONNECT_DATA=(SID=s)))"
	d := mustParse(t, text)
	want := strings.Replace(text, "(SID=s)", "(SID=s)(CID=(PROGRAM=)(HOST=)(USER=))", 1)
	if got := d.ConnectData(d.Addresses[0], CID{}); got != want {
		t.Errorf("connect data are\n%s, want\n%s", got, want)
	}
}

func TestEachMemberOfADescriptionListKeepsItsOwnSettings(t *testing.T) {
	d := mustParse(t, `(DESCRIPTION_LIST=
		(DESCRIPTION=(ADDRESS=(HOST=a))(CONNECT_DATA=(SERVICE_NAME=primary))(SECURITY=(SSL_SERVER_DN_MATCH=off)))
		(DESCRIPTION=(ADDRESS=(HOST=b))(CONNECT_DATA=(SERVICE_NAME=standby))(SECURITY=(SSL_SERVER_DN_MATCH=on))))`)
	if d.ServiceName != "primary" {
		t.Errorf("service is %q, want the first description's", d.ServiceName)
	}
	standby := d.Of(d.Addresses[1])
	if standby.ServiceName != "standby" || standby.SSLServerDNMatch == nil || !*standby.SSLServerDNMatch {
		t.Errorf("the second address has service %q, dn match %v", standby.ServiceName, standby.SSLServerDNMatch)
	}
	if text := d.ConnectData(d.Addresses[1], CID{}); !strings.Contains(text, "standby") || strings.Contains(text, "primary") {
		t.Errorf("the second address is sent %s", text)
	}
}

func TestRedirects(t *testing.T) {
	for text, want := range map[string]string{
		"(ADDRESS=(PROTOCOL=tcp)(HOST=10.1.2.3)(PORT=1522))":                                        "10.1.2.3:1522",
		"(DESCRIPTION=(ADDRESS=(PROTOCOL=TCPS)(HOST=node2-vip)(PORT=2484)))":                        "node2-vip:2484",
		"(DESCRIPTION=(ADDRESS_LIST=(ADDRESS=(HOST=[2001:db8::2])(PORT=1)))(CONNECT_DATA=))":        "[2001:db8::2]:1",
		"(ADDRESS=(PROTOCOL=tcp)(HOST=a)(PORT=1))\x00(DESCRIPTION=(CONNECT_DATA=(SERVICE_NAME=s)))": "a:1",
	} {
		a, err := ParseRedirect(text)
		if err != nil {
			t.Error(err)
		} else if a.HostPort() != want {
			t.Errorf("%q leads to %s, want %s", text, a.HostPort(), want)
		}
	}
	for _, text := range []string{"", "\x00", "(ADDRESS=", "(DESCRIPTION=(A=b))", "(ADDRESS=(PROTOCOL=ipc)(HOST=a))", "(ADDRESS=(HOST=a\r\nX: y))", "(ADDRESS=(HOST=a)(PORT=99999))"} {
		if a, err := ParseRedirect(text); err == nil {
			t.Errorf("%q leads to %s, want an error", text, a.HostPort())
		}
	}
}
