package wallet

import (
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	simulated "oranet_exporter/simulator/wallet"
)

// server makes a server's certificate and returns what a client sees of it.
func server(t *testing.T, o simulated.Options) (tls.ConnectionState, *x509.CertPool) {
	t.Helper()
	o.Password, o.Key = password, simulated.ECP256
	w, err := simulated.Generate(t.TempDir(), o)
	if err != nil {
		t.Fatal(err)
	}
	return tls.ConnectionState{PeerCertificates: []*x509.Certificate{w.Server.Certificates[0].Leaf}}, w.Client.RootCAs
}

func TestNameOfTheServerIsMatchedAsTheDriversMatchIt(t *testing.T) {
	const dn = "CN=cn.example.com,OU=Databases,O=Example Corporation,L=Tokyo,ST=Tokyo,C=JP"
	state, roots := server(t, simulated.Options{Hosts: []string{"db.example.com", "*.scan.example.com", "127.0.0.1"}, ServerDN: dn})
	for name, test := range map[string]struct {
		host    string
		dnMatch bool
		certDN  string
		match   bool
	}{
		"alternative name":                {"db.example.com", true, "", true},
		"alternative name in capitals":    {"DB.EXAMPLE.COM", true, "", true},
		"alternative name with wildcard":  {"a.scan.example.com", true, "", true},
		"two labels for one wildcard":     {"a.b.scan.example.com", true, "", false},
		"alternative address":             {"127.0.0.1", true, "", true},
		"another address":                 {"127.0.0.2", true, "", false},
		"common name":                     {"cn.example.com", true, "", true},
		"common name in capitals":         {"CN.example.com", true, "", true},
		"another host":                    {"other.example.com", true, "", false},
		"another host, no match asked":    {"other.example.com", false, "", true},
		"another DN, no match asked":      {"db.example.com", false, "CN=other", true},
		"the DN":                          {"other.example.com", true, dn, true},
		"the DN the other way round":      {"other", true, "C=JP,ST=Tokyo,L=Tokyo,O=Example Corporation,OU=Databases,CN=cn.example.com", true},
		"the DN with spaces":              {"other", true, "CN = cn.example.com, OU = Databases , O=Example Corporation,  L=Tokyo, ST=Tokyo, C=JP ", true},
		"the DN with small names":         {"other", true, "cn=cn.example.com,ou=Databases,o=Example Corporation,l=Tokyo,s=Tokyo,c=JP", true},
		"the DN with quotes":              {"other", true, `CN="cn.example.com",OU=Databases,O="Example Corporation",L=Tokyo,ST=Tokyo,C=JP`, true},
		"the DN with an OID":              {"other", true, "2.5.4.3=cn.example.com,OU=Databases,OID.2.5.4.10=Example Corporation,L=Tokyo,ST=Tokyo,C=JP", true},
		"a DN less an attribute":          {"db.example.com", true, "CN=cn.example.com,O=Example Corporation,L=Tokyo,ST=Tokyo,C=JP", false},
		"a DN and an attribute":           {"db.example.com", true, dn + ",OU=More", false},
		"a DN with another value":         {"db.example.com", true, strings.Replace(dn, "Databases", "Mail", 1), false},
		"a DN with a value in small type": {"db.example.com", true, strings.Replace(dn, "Databases", "databases", 1), false},
		"a DN that is none":               {"db.example.com", true, "nonsense", false},
	} {
		t.Run(name, func(t *testing.T) {
			err := VerifyServer(state, roots, test.host, test.dnMatch, test.certDN)
			var mismatch *NameMismatchError
			switch {
			case test.match && err != nil:
				t.Error(err)
			case !test.match && !errors.As(err, &mismatch):
				t.Errorf("got %v, want a NameMismatchError", err)
			}
		})
	}
}

func TestNameMismatchNamesBothSides(t *testing.T) {
	state, roots := server(t, simulated.Options{Hosts: []string{"db.example.com", "127.0.0.1"}})
	err := VerifyServer(state, roots, "other.example.com", true, "")
	for _, want := range []string{"CN=db.example.com", "127.0.0.1", "the host other.example.com"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %s", err, want)
		}
	}
	if err := VerifyServer(state, roots, "db.example.com", true, "CN=x"); err == nil || !strings.Contains(err.Error(), "the DN CN=x") {
		t.Errorf("%v does not say the DN", err)
	}
}

func TestValuesOfADNMayHoldCommas(t *testing.T) {
	for _, text := range []string{`CN=db, O="Example, Inc.", C=JP`, `CN=db, O=Example\, Inc., C=JP`, `CN=db, O=Example, Inc., C=JP`} {
		items := parseDN(text)
		if len(items) != 3 || items[1] != "2.5.4.10=Example, Inc." {
			t.Errorf("%s was taken for %q", text, items)
		}
	}
}

func TestChainIsVerifiedWhateverTheNameRules(t *testing.T) {
	yesterday := time.Now().AddDate(0, 0, -1)
	state, roots := server(t, simulated.Options{Hosts: []string{"db.example.com"}})
	expired, expiredRoots := server(t, simulated.Options{Hosts: []string{"db.example.com"}, ServerNotAfter: yesterday})
	_, otherRoots := server(t, simulated.Options{Hosts: []string{"db.example.com"}})
	isExpired := func(err error) bool {
		var invalid x509.CertificateInvalidError
		return errors.As(err, &invalid) && invalid.Reason == x509.Expired && strings.Contains(err.Error(), yesterday.UTC().Format("2006-01-02"))
	}
	isUnknown := func(err error) bool {
		var unknown x509.UnknownAuthorityError
		return errors.As(err, &unknown)
	}
	for name, test := range map[string]struct {
		state tls.ConnectionState
		roots *x509.CertPool
		want  func(error) bool
	}{
		"trusted":                 {state, roots, func(err error) bool { return err == nil }},
		"another authority":       {state, otherRoots, isUnknown},
		"no authority":            {state, x509.NewCertPool(), isUnknown},
		"the system's":            {state, nil, func(err error) bool { return err != nil }},
		"expired":                 {expired, expiredRoots, isExpired},
		"no certificate was sent": {tls.ConnectionState{}, roots, func(err error) bool { return err != nil }},
	} {
		for _, dnMatch := range []bool{true, false} {
			if err := VerifyServer(test.state, test.roots, "db.example.com", dnMatch, ""); !test.want(err) {
				t.Errorf("%s, match %v: got %v", name, dnMatch, err)
			}
		}
	}
}

// A whole handshake with a wallet that was read, as the link makes it.
func TestHandshakeWithAWalletFromFiles(t *testing.T) {
	made := sharedWallet(t)
	w, err := Load(made.Dir, password)
	if err != nil {
		t.Fatal(err)
	}
	s, c := net.Pipe()
	defer s.Close()
	defer c.Close()
	verdict := make(chan error, 1)
	go func() { verdict <- tls.Server(s, made.Server).Handshake() }()
	client := tls.Client(c, &tls.Config{
		ServerName:         "db.example.com",
		Certificates:       []tls.Certificate{*w.Certificate},
		InsecureSkipVerify: true,
		VerifyConnection: func(state tls.ConnectionState) error {
			return VerifyServer(state, w.Roots, "db.example.com", true, "CN=db.example.com")
		},
	})
	if err := client.Handshake(); err != nil {
		t.Error(err)
	}
	if err := <-verdict; err != nil {
		t.Errorf("the server: %v", err)
	}
}

func FuzzDN(f *testing.F) {
	f.Add("CN=db, O=\"Example, Inc.\", C=JP")
	f.Add(`cn = db\,1 , ou=a=b, OID.2.5.4.10="x"y,`)
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Trim(text, ", ") != "" && sameDN(text, pkix.Name{}) && strings.Contains(text, "=") {
			t.Errorf("%q is the DN of nobody", text)
		}
		_ = parseDN(text)
	})
}
