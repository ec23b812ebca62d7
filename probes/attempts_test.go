package probes

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"oranet_exporter/link"
)

func TestAttemptsTellWhatTheyMeasured(t *testing.T) {
	early, late := time.Unix(1_000_000, 0), time.Unix(2_000_000, 0)
	certs := []link.Certificate{{Subject: "CN=root", NotAfter: late}, {Subject: "CN=db", NotAfter: early}}
	for _, c := range []struct {
		name    string
		attempt link.Attempt
		want    []Sample
	}{
		{"plain TCP to an address", link.Attempt{}, nil},
		{"a session", link.Attempt{
			Phases:     map[link.Phase]time.Duration{link.PhaseAuth: time.Millisecond},
			DNSLookups: []time.Duration{time.Millisecond}, TLSVersion: "1.3", TLSHandshake: 2 * time.Millisecond,
			ServerCerts: certs, Accepted: link.Negotiated{SDU: 8192},
		}, []Sample{
			{certificateExpiry, []string{"server", "CN=db"}, 1_000_000},
			{dnsLookupSeconds, nil, .001},
			{tlsHandshakeSeconds, []string{"1.3"}, .002},
			{sduBytes, nil, 8192},
		}},
		{"no further than ACCEPT", link.Attempt{Accepted: link.Negotiated{SDU: 8192}}, nil},
		{"a failure", link.Attempt{
			DNSLookups: []time.Duration{time.Millisecond}, TLSVersion: "1.3", TLSHandshake: time.Millisecond,
			ClientCerts: certs[1:], ServerCerts: certs[:1], Err: errors.New("expired"),
		}, []Sample{
			{certificateExpiry, []string{"server", "CN=root"}, 2_000_000},
			{certificateExpiry, []string{"client", "CN=db"}, 1_000_000},
		}},
	} {
		var out Samples
		FromAttempt(&c.attempt, &out)
		if got := out.List(); len(got) != len(c.want) || len(got) > 0 && !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}
