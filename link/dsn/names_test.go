package dsn

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func entryFor(host string) string {
	return "(DESCRIPTION=(ADDRESS=(HOST=" + host + "))(CONNECT_DATA=(SERVICE_NAME=s)))"
}

// directoryWith writes files, name to text, and returns where they are.
func directoryWith(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func loadNames(t *testing.T, text string) *Names {
	t.Helper()
	names, err := LoadNames(filepath.Join(directoryWith(t, map[string]string{"tnsnames.ora": text}), "tnsnames.ora"))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestLayoutsOfEntries(t *testing.T) {
	a, b := entryFor("a"), entryFor("b")
	for name, text := range map[string]string{
		"one line each":                     "A=" + a + "\nB=" + b,
		"carriage returns":                  "A = " + a + "\r\nB = " + b + "\r\n",
		"byte order mark":                   "\ufeffA = " + a + "\nB = " + b,
		"several aliases":                   "x, A ,y.world = " + a + "\nb,z=" + b,
		"aliases over lines at the margin":  "x,\nA\n=\n" + a + "\ny,\nB=" + b,
		"value at the margin":               "A =\n" + a + "\nB\n=\n" + b,
		"indented entries":                  "  A = " + a + "\n\n  B = " + b,
		"two entries on a line":             "A=" + a + " B=" + b,
		"comments everywhere":               "#x=(\nA = # (\n#)\n  " + a + " # B = (\n  # )\nB=" + b + "# x",
		"a hash within a value":             "A = " + strings.Replace(a, "=s)", "=s#1)", 1) + "\nB=" + b,
		"a hash within quotes":              `A = ` + strings.Replace(a, "=s)", `="s #1")`, 1) + "\nB=" + b,
		"a margin line that is no entry":    "A = " + strings.Replace(a, "(HOST=a)", "(HOST=\na)", 1) + "\nB=" + b,
		"the later of two wins":             "A=" + b + "\nA=" + a + "\nB=" + b,
		"junk between entries":              "A=" + a + "\njunk\nB=" + b,
		"unclosed between entries":          "A=" + a + "\nx=(DESCRIPTION=(ADDRESS=\n (HOST=x)\nB=" + b,
		"closed too often between entries":  "A=" + a + ")))\nA=" + a + "\nx=" + a + "))\nB=" + b,
		"unclosed quote between entries":    "A=" + a + "\nx=(A=\"b)\nB=" + b,
		"no value between entries":          "A=" + a + "\nx=\nB=" + b,
		"no equals sign between entries":    "A=" + a + "\nx " + a + "\nB=" + b,
		"easy connect between entries":      "A=" + a + "\nx=db/s\nB=" + b,
		"easy connect":                      "A = a/s\nB =\n  b/s # x\n",
		"easy connect with quoted option":   "A = a/s?ssl_server_cert_dn=\"CN=a, O=(\"\nB = b/s",
		"easy connect with several aliases": "x,A=a/s\ny,B=b/s",
		"tabs":                              "\tA\t=\t" + a + "\t\n\tB\t=\t" + b + "\t",
		"lower case and loose":              strings.ToLower("a = ( description = ( address = ( host = a ) ( port = 1521 ) ) ( connect_data = ( service_name = s ) ) )\n" + "b=" + b),
		"no line break at the end":          "A=" + a + "\nB=" + b,
		"carriage returns alone in a value": "A=" + strings.ReplaceAll(a, ")(", ")\r\n(") + "\r\nB=" + b,
		"parameters of every day": "A=" + strings.Replace(a, "(CONNECT", "(ENABLE=BROKEN)(TRANSPORT_CONNECT_TIMEOUT=3)(RETRY_COUNT=3)(HS=OK)(TYPE_OF_SERVICE=x)(CONNECT", 1) +
			"\nB=" + strings.Replace(b, "=s)", "=s)(SERVER=DEDICATED)(UR=A)(FAILOVER_MODE=(TYPE=select)(METHOD=basic))", 1),
		"entries of the listener between": "LISTENER_A = (ADDRESS=(PROTOCOL=TCP)(HOST=x)(PORT=1521))\nA=" + a + "\nEXTPROC_CONNECTION_DATA = (DESCRIPTION=(ADDRESS=(PROTOCOL=IPC)(KEY=x))(CONNECT_DATA=(SID=PLSExtProc)))\nB=" + b,
		"a list of descriptions":          "A=(DESCRIPTION_LIST=(FAILOVER=on)" + a + ")\nB=(DESCRIPTION_LIST=" + b + ")",
		"bytes of another code page":      "# Datenbank f\xfcr Auftr\xe4ge\nA=" + a + " # \xfc\nB=" + b,
		"old text commented out":          "A=" + a + "\n#OLD=" + a + "\n#  (DESCRIPTION=\n  # (ADDRESS=(\nB=" + b,
		"rows of dashes":                  "----------\nA=" + a + "\n==========\nB=" + b,
	} {
		t.Run(name, func(t *testing.T) {
			names := loadNames(t, text)
			for alias, want := range map[string]string{"a": "a:1521", "B": "b:1521"} {
				d, err := names.Lookup(alias)
				if err != nil {
					t.Error(err)
				} else if got := hostPorts(d); !slices.Equal(got, []string{want}) {
					t.Errorf("%s leads to %q, want %s", alias, got, want)
				}
			}
		})
	}
}

func TestErrorsOfEntriesNameTheLine(t *testing.T) {
	names := loadNames(t, `# comment
bad_port =
  (DESCRIPTION =
    # comment
    (ADDRESS = (HOST = h)
      (PORT = x)))
unclosed = (DESCRIPTION =
    (ADDRESS = (HOST = h))
no_equals (DESCRIPTION = x)
no_value =
bad_easy =

  db:x/s
no_service,
  other = (DESCRIPTION=(ADDRESS=(HOST=h))
  (CONNECT_DATA=(SERVER=dedicated)))
closed_twice = (DESCRIPTION=(ADDRESS=(HOST=h))
  (CONNECT_DATA=(SID=s)))
  )
last = db/s
`)
	for alias, want := range map[string]string{
		"bad_port":     ":6: port is not a number",
		"unclosed":     ":7: a parenthesis is not closed",
		"no_equals":    ":9: an equals sign is missing",
		"no_value":     ":10: a value is missing",
		"bad_easy":     ":11: port is not a number",
		"other":        ":15: no service is named",
		"closed_twice": ":19: a parenthesis closes nothing",
	} {
		_, err := names.Lookup(alias)
		if err == nil || !strings.Contains(err.Error(), "tnsnames.ora"+want) {
			t.Errorf("%s: error is %v, want one that says %q", alias, err, want)
		}
	}
	if _, err := names.Lookup("last"); err != nil {
		t.Error(err)
	}
}

func TestAnUnknownAliasIsToldWhatThereIs(t *testing.T) {
	var text strings.Builder
	for i := range 13 {
		fmt.Fprintf(&text, "Alias%02d = db/s\n", 12-i)
	}
	for name, c := range map[string]struct{ text, want string }{
		"none": {"# nothing", "which has none"},
		"few":  {"b=db/s\nA=db/s", "which has A, b"},
		"many": {text.String(), "which has Alias00, Alias01, Alias02, Alias03, Alias04, Alias05, Alias06, Alias07, Alias08, Alias09 and 3 more"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := loadNames(t, c.text).Lookup("nosuch")
			if err == nil || !strings.HasSuffix(err.Error(), c.want) {
				t.Errorf("error is %v, want one that ends with %q", err, c.want)
			}
		})
	}
}

func TestAliasesAreSortedAndAsWritten(t *testing.T) {
	got := loadNames(t, "c, B = db/s\na = db/s\nb = db/t").Aliases()
	if want := []string{"a", "B", "c"}; !slices.Equal(got, want) {
		t.Errorf("aliases are %q, want %q", got, want)
	}
}

func TestIncludedFiles(t *testing.T) {
	dir := directoryWith(t, map[string]string{
		"tnsnames.ora":  "ifile = \"sub/one.ora\"\nIFILE = missing.ora\nlast = db/last\nIFILE=tnsnames.ora",
		"sub/one.ora":   "one = db/one\nIFILE = 'two.ora'",
		"sub/two.ora":   "two = tcps://db/two?wallet_location=wallet\nIFILE=../tnsnames.ora",
		"sub/three.ora": "three = db/three",
	})
	path := filepath.Join(dir, "tnsnames.ora")
	names, err := LoadNames(path)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := names.Aliases(), []string{"last", "one", "two"}; !slices.Equal(got, want) {
		t.Errorf("aliases are %q, want %q", got, want)
	}
	d, err := names.Lookup("two")
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(dir, "sub", "wallet"); d.WalletLocation != want {
		t.Errorf("wallet location is %q, want it beside the included file: %q", d.WalletLocation, want)
	}
	if _, err := names.Lookup("three"); err == nil || !strings.Contains(err.Error(), "missing.ora") {
		t.Errorf("error is %v, want one that names the included file that is missing", err)
	}
}

func TestEndlessIncludesEnd(t *testing.T) {
	files := map[string]string{"tnsnames.ora": "IFILE=0.ora"}
	for i := range 100 {
		files[fmt.Sprintf("%d.ora", i)] = fmt.Sprintf("a%d=db/s\nIFILE=%d.ora", i, i+1)
	}
	names, err := LoadNames(filepath.Join(directoryWith(t, files), "tnsnames.ora"))
	if err != nil {
		t.Fatal(err)
	}
	if got := len(names.Aliases()); got != maxFiles-1 {
		t.Errorf("%d aliases were read, want those of %d files", got, maxFiles-1)
	}
	if _, err := names.Lookup("nosuch"); err == nil || !strings.Contains(err.Error(), "the rest is not read") {
		t.Errorf("error is %v, want one that says that files were left out", err)
	}
}

func TestResolveTellsAliasesFromPlaces(t *testing.T) {
	dir := directoryWith(t, map[string]string{"tnsnames.ora": "orders = " + entryFor("from-file") + "\ndb.example.com = " + entryFor("dotted")})
	for text, want := range map[string]string{
		" ORDERS ":        "from-file:1521",
		"db.example.com":  "dotted:1521",
		"orders/svc":      "orders:1521",
		"orders:1522/svc": "orders:1522",
		entryFor("whole"): "whole:1521",
	} {
		d, err := Resolve(text, dir)
		if err != nil {
			t.Error(err)
		} else if got := hostPorts(d); !slices.Equal(got, []string{want}) {
			t.Errorf("%q leads to %q, want %s", text, got, want)
		}
	}
}

func TestAnAliasThatCannotBeLookedUp(t *testing.T) {
	empty := t.TempDir()
	for name, c := range map[string]struct{ text, dir, want string }{
		"no directory configured": {"orders", "", "there is no config_dir"},
		"no file":                 {"orders", empty, filepath.Join(empty, "tnsnames.ora") + ": the file does not exist"},
		"options":                 {"orders?sdu=8192", empty, "options follow an alias"},
		"control characters":      {"or\x1bders", "", `"or\x1bders"`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Resolve(c.text, c.dir)
			var e *Error
			if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v, want an Error that says %q", err, c.want)
			}
		})
	}
}

func TestAFileThatIsNone(t *testing.T) {
	dir := directoryWith(t, map[string]string{"tnsnames.ora/x": "", "sqlnet.ora/x": ""})
	if _, err := Resolve("orders", dir); err == nil || !strings.Contains(err.Error(), "tnsnames.ora: the file cannot be read") {
		t.Errorf("error is %v, want one that names the file", err)
	}
	if _, err := LoadSQLNet(dir); err == nil || !strings.Contains(err.Error(), "sqlnet.ora: the file cannot be read") {
		t.Errorf("error is %v, want one that names the file", err)
	}
}

func TestSQLNet(t *testing.T) {
	for name, c := range map[string]struct{ text, wallet, match string }{
		"nothing":          {"SQLNET.EXPIRE_TIME = 10", "", ""},
		"absolute":         {"wallet_location=(SOURCE=(METHOD=FILE)(METHOD_DATA=(DIRECTORY=/w)))", "/w", ""},
		"over lines":       {"WALLET_LOCATION =\n  (SOURCE =\n    (METHOD = FILE) # x\n    (METHOD_DATA = (DIRECTORY = /w)))\nSSL_SERVER_DN_MATCH = OFF", "/w", "false"},
		"plain":            {"WALLET_LOCATION = /w", "/w", ""},
		"this directory":   {`WALLET_LOCATION=(SOURCE=(METHOD=FILE)(METHOD_DATA=(DIRECTORY="?/network/admin")))`, "DIR", ""},
		"tns admin":        {"WALLET_LOCATION=(SOURCE=(METHOD=FILE)(METHOD_DATA=(DIRECTORY=${TNS_ADMIN}/w)))", "DIR/w", ""},
		"relative":         {"WALLET_LOCATION=(SOURCE=(METHOD=FILE)(METHOD_DATA=(DIRECTORY=w)))", "DIR/w", ""},
		"tls name":         {"TLS_SERVER_DN_MATCH = \"true\"", "", "true"},
		"capitals mixed":   {"Wallet_Location=(Source=(Method=File)(Method_Data=(Directory=/w)))\nSsl_Server_Dn_Match=Yes", "/w", "true"},
		"trailing slash":   {`WALLET_LOCATION=(SOURCE=(METHOD=FILE)(METHOD_DATA=(DIRECTORY="?/network/admin/")))`, "DIR", ""},
		"below it":         {`WALLET_LOCATION=(SOURCE=(METHOD=FILE)(METHOD_DATA=(DIRECTORY="?/network/admin/w")))`, "DIR/w", ""},
		"commented out":    {"#WALLET_LOCATION=/old\n # SSL_SERVER_DN_MATCH=no\nWALLET_LOCATION=/w", "/w", ""},
		"the later of two": {"WALLET_LOCATION=/old\nWALLET_LOCATION=/w", "/w", ""},
		"the system's":     {"WALLET_LOCATION=(SOURCE=(METHOD=FILE)(METHOD_DATA=(DIRECTORY=SYSTEM)))", "", ""},
		"spaces in it":     {`WALLET_LOCATION=(SOURCE=(METHOD=FILE)(METHOD_DATA=(DIRECTORY="/my wallets/adb (1)")))`, "/my wallets/adb (1)", ""},
		"at the margin":    {"WALLET_LOCATION=\n(SOURCE=\n(METHOD=FILE)\n(METHOD_DATA=\n(DIRECTORY=/w)\n)\n)\nSSL_SERVER_DN_MATCH=TRUE", "/w", "true"},
		"carriage returns": {"WALLET_LOCATION=/w\r\nSSL_SERVER_DN_MATCH=no\r\n", "/w", "false"},
		"among others":     {"SQLNET.AUTHENTICATION_SERVICES=(TCPS,NTS)\nSSL_VERSION=1.2\nSSL_CLIENT_AUTHENTICATION=TRUE\nWALLET_LOCATION=/w\nNAMES.DIRECTORY_PATH=(TNSNAMES, EZCONNECT)", "/w", ""},
		"included":         {"IFILE=other.ora", "/from/other", ""},
		"another broken":   {"NAMES.DIRECTORY_PATH = ((\nSSL_SERVER_DN_MATCH=yes", "", "true"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := directoryWith(t, map[string]string{"sqlnet.ora": c.text, "other.ora": "WALLET_LOCATION=/from/other"})
			got, err := LoadSQLNet(dir)
			if err != nil {
				t.Fatal(err)
			}
			if want := strings.Replace(c.wallet, "DIR", dir, 1); got.WalletLocation != want {
				t.Errorf("wallet location is %q, want %q", got.WalletLocation, want)
			}
			match := ""
			if got.SSLServerDNMatch != nil {
				match = fmt.Sprint(*got.SSLServerDNMatch)
			}
			if match != c.match {
				t.Errorf("dn match is %q, want %q", match, c.match)
			}
		})
	}
}

func TestSQLNetErrorsNameTheLine(t *testing.T) {
	for text, want := range map[string]string{
		"\nWALLET_LOCATION=(SOURCE=":    "sqlnet.ora:2: a parenthesis is not closed",
		"SSL_SERVER_DN_MATCH=sometimes": "sqlnet.ora:1: SSL_SERVER_DN_MATCH is \"sometimes\"",
		"SSL_SERVER_DN_MATCH=":          "sqlnet.ora:1: a value is missing",
	} {
		_, err := LoadSQLNet(directoryWith(t, map[string]string{"sqlnet.ora": text}))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want one that says %q", err, want)
		}
	}
}

func TestThereNeedNotBeASQLNet(t *testing.T) {
	got, err := LoadSQLNet(t.TempDir())
	if err != nil || *got != (SQLNet{}) {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestAliasesOverLinesAtTheMarginShareOneEntry(t *testing.T) {
	names := loadNames(t, "x,\ny,\nz = db/s\njunk\nlast = db/s")
	for _, alias := range []string{"x", "y", "z", "last"} {
		if _, err := names.Lookup(alias); err != nil {
			t.Error(err)
		}
	}
}
