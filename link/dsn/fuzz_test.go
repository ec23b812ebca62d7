package dsn

import (
	"os"
	"path/filepath"
	"testing"
)

// checkRoundTrip fails if what is sent for an address does not read as that address
// and service.
func checkRoundTrip(t *testing.T, d *Descriptor) {
	t.Helper()
	if len(d.Addresses) == 0 {
		t.Fatal("a descriptor without an address")
	}
	for _, a := range d.Addresses {
		want := d.Of(a)
		sent := d.ConnectData(a, CID{Program: "fuzz(", Host: "h", User: "ü"})
		got, err := Parse(sent)
		if err != nil {
			t.Fatalf("%q does not parse: %v", sent, err)
		}
		a.description = 0
		if len(got.Addresses) != 1 || got.Addresses[0] != a {
			t.Fatalf("%q has addresses %+v, want %+v", sent, got.Addresses, a)
		}
		if got.ServiceName != want.ServiceName || got.SID != want.SID || got.Server != want.Server || got.SDU != want.SDU || got.SSLServerCertDN != want.SSLServerCertDN {
			t.Fatalf("%q reads %+v, want %+v", sent, got.Description, want)
		}
	}
}

// seeds are the layouts of data source names.
var seeds = []string{
	"db/svc",
	"tcps://[::1],h2:1523;h3/svc:pooled/inst?sdu=8192&ssl_server_cert_dn=\"CN=a, O=(b)\"&https_proxy=p",
	"h1,h2/svc?failover=off&load_balance=on&retry_count=1&x=y",
	"(DESCRIPTION=(SDU=1)(ADDRESS_LIST=(LOAD_BALANCE=ON)(ADDRESS=(PROTOCOL=TCP)(HOST=[2001:db8::2])(PORT=1521))(ADDRESS=(PROTOCOL=IPC)))(CONNECT_DATA=(SERVICE_NAME=svc)(CID=(A=b))))",
	"(DESCRIPTION_LIST=(DESCRIPTION=(ADDRESS=(HOST=a))(CONNECT_DATA=(SID=s)))(DESCRIPTION=(ADDRESS=(HOST='b')(https_proxy=p)(https_proxy_port=1))(CONNECT_DATA=(SERVICE_NAME=\"x (y) = z\")(SERVER=shared))))",
	"(DESCRIPTION=(SOURCE_ROUTE=on)(ADDRESS=(HOST=cman))(ADDRESS=(HOST=b))(CONNECT_DATA=(SID=s))(SECURITY=(SSL_SERVER_CERT_DN=CN=a,\n O=b)))",
}

func FuzzDescriptor(f *testing.F) {
	for _, seed := range seeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if d, err := parseDescriptor(text); err == nil && len(text) < maxTextSize/2 {
			checkRoundTrip(t, d)
		}
		_, _ = ParseRedirect(text)
	})
}

func FuzzEasyConnect(f *testing.F) {
	for _, seed := range seeds {
		f.Add(seed)
	}
	f.Add("orders = (DESCRIPTION=(ADDRESS=(HOST=db)))")
	f.Add("scott/tIgEr@db/svc")
	f.Fuzz(func(t *testing.T, text string) {
		d, err := parseEasyConnect(text)
		if err == nil && len(text) < maxTextSize/2 {
			checkRoundTrip(t, d)
		}
		_, _ = Resolve(text, "")
	})
}

func FuzzNames(f *testing.F) {
	for _, seed := range seeds {
		f.Add("a, b.dom =\n  " + seed + " # comment\nbad = (A=\nc=" + seed)
	}
	f.Add("\ufeff#\r\nIFILE=\"tnsnames.ora\"\r\nIFILE=..\nx,\n y=(A='#')))\n z")
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "tnsnames.ora")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		names, err := LoadNames(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, alias := range names.Aliases() {
			if d, err := names.Lookup(alias); err == nil && len(text) < maxTextSize/2 {
				checkRoundTrip(t, d)
			}
		}
		_, _ = names.Lookup("no such alias")
	})
}

func FuzzSQLNet(f *testing.F) {
	f.Add("WALLET_LOCATION = (SOURCE = (METHOD = file) (METHOD_DATA = (DIRECTORY=\"?/network/admin\")))\nSSL_SERVER_DN_MATCH=yes")
	f.Add("wallet_location=$TNS_ADMIN/..\n ssl_server_dn_match = (\nTLS_SERVER_DN_MATCH='on'")
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "sqlnet.ora"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if s, err := LoadSQLNet(dir); err == nil && s == nil {
			t.Fatal("neither a result nor an error")
		}
	})
}
