// What every attempt to open a link tells, whichever probe made it.

package probes

import (
	"time"

	"oranet_exporter/link"
)

var (
	dnsLookupSeconds = &Metric{
		Name:    "dns_lookup_seconds",
		Help:    "Time of one look-up of a target's host name, by whatever resolver the system uses.",
		Kind:    Histogram,
		Buckets: grid(100e-6, 10),
	}
	tlsHandshakeSeconds = &Metric{
		Name:    "tls_handshake_seconds",
		Help:    "Time of a TLS handshake, ClientHello to the last Finished.",
		Kind:    Histogram,
		Labels:  []string{"version"},
		Buckets: grid(100e-6, 10),
	}
	certificateExpiry = &Metric{
		Name: "certificate_expiry_timestamp_seconds",
		Help: "Last day of the certificate that expires first on each side, also when the handshake failed. " +
			"side: server (what it showed) or client (what the wallet holds).",
		Kind:   Info,
		Labels: []string{"side", "subject"},
		Keys:   1,
	}
	sduBytes = &Metric{
		Name:    "sdu_bytes",
		Help:    "Negotiated session data unit of every session that was opened.",
		Kind:    Histogram,
		Buckets: powersOfTwo(512, 2<<20),
	}
)

// AttemptMetrics are the metrics that FromAttempt fills.
var AttemptMetrics = []*Metric{dnsLookupSeconds, tlsHandshakeSeconds, certificateExpiry, sduBytes}

// FromAttempt adds what an attempt measured. A failed attempt tells the days
// of its certificates and no latency.
func FromAttempt(a *link.Attempt, out *Samples) {
	addExpiry(out, "server", a.ServerCerts)
	addExpiry(out, "client", a.ClientCerts)
	if a.Err != nil {
		return
	}
	for _, d := range a.DNSLookups {
		out.Add(dnsLookupSeconds, d.Seconds())
	}
	if a.TLSVersion != "" {
		out.Add(tlsHandshakeSeconds, a.TLSHandshake.Seconds(), a.TLSVersion)
	}
	if _, loggedOn := a.Phases[link.PhaseAuth]; loggedOn {
		out.Add(sduBytes, float64(a.Accepted.SDU))
	}
}

// addExpiry adds the certificate that expires first.
func addExpiry(out *Samples, side string, certs []link.Certificate) {
	if len(certs) == 0 {
		return
	}
	first := certs[0]
	for _, c := range certs[1:] {
		if c.NotAfter.Before(first.NotAfter) {
			first = c
		}
	}
	out.Add(certificateExpiry, float64(first.NotAfter.UnixNano())/float64(time.Second), side, first.Subject)
}
