package link

import (
	"strings"
	"testing"
	"time"

	"oranet_exporter/link/tns"
)

func TestARefusalReadsAsWhatItMeans(t *testing.T) {
	for _, c := range []struct {
		dsn  string // behind the address
		text string
		want string
	}{
		{"/svc", "(ERR=12514)", `the listener does not know the service "svc" (ORA-12514)`},
		{":sid", "(ERR=12505)", `the listener does not know the SID "ORCL" (ORA-12505)`},
		{"/svc", "(ERR=12516)", `the listener has no handler free for the service "svc": its processes or sessions may be used up (ORA-12516)`},
		{"/svc", "(ERR=12528)", `the listener knows the service "svc", but all its instances block new connections: they are starting, mounted or stopping (ORA-12528)`},
		{"/svc", "(ERR=12506)", `the listener does not let this host in: an access control list protects the service "svc" (ORA-12506)`},
		{"/svc", "(ERR=12618)", `the listener refused the connection with ORA-12618: (ERR=12618)`},
		{"/svc", "", `the listener refused the connection and gave no ORA- code: `},
	} {
		l := listen(t, func(p *peer) { p.connect(); p.refuse(c.text) })
		dsn := l.Addr().String() + c.dsn
		if c.dsn == ":sid" {
			dsn = strings.ReplaceAll(descriptorOf(l.Addr().String()), "SERVICE_NAME=svc", "SID=ORCL")
		}
		_, err := mustLink(t, Config{DSN: dsn}).Negotiate(within(t, time.Minute), 8192)
		if want := "tns: " + l.Addr().String() + ": " + c.want; err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestATLSRecordIsNoOracleNetPacket(t *testing.T) {
	for _, c := range []struct {
		name  string
		bytes []byte
		want  bool
	}{
		{"alert of TLS 1.2", []byte{21, 3, 3, 0, 2, 2, 10}, true},
		{"alert of TLS 1.0", []byte{21, 3, 1, 0, 2, 2, 70}, true},
		{"handshake", []byte{22, 3, 3, 0, 80}, true},
		{"an ACCEPT of 41 bytes", tns.Acceptance{Version: 318, SDU: 8192, TDU: 8192}.Bytes(), false},
		{"a packet of 5,379 bytes", []byte{21, 3, 0, 0, 6, 0, 0, 0}, false},
		{"HTTP", []byte("HTTP/1.1"), false},
		{"nothing", nil, false},
	} {
		if got := isTLSRecord(c.bytes); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
