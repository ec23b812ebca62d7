// TLS with the wallet's keys and trust.

package link

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"time"

	"oranet_exporter/link/dsn"
	"oranet_exporter/link/wallet"
)

// loadWallet reads the wallet if the address needs TLS and one is configured,
// anew for every attempt: wallets rotate.
func (o *opening) loadWallet(address dsn.Address) error {
	dir := o.link.walletDir(address)
	if address.Protocol != dsn.TCPS || dir == "" {
		return nil
	}
	password, err := o.link.cfg.WalletPassword.Reveal()
	if err != nil {
		return unreadable(ReasonConfig, err)
	}
	o.wallet, err = wallet.Load(dir, password)
	if err != nil {
		return unreadable(walletReason(err), err)
	}
	o.attempt.ClientCerts = certificates(o.wallet.Certificates)
	return nil
}

// CheckWallet reads the wallet as an attempt to connect does, if an address
// needs one. Its error is a *Failure of phase config.
func (l *Link) CheckWallet() error {
	for _, address := range l.desc.Addresses {
		if err := l.newOpening(0).loadWallet(address); err != nil {
			return err
		}
	}
	return nil
}

func walletReason(err error) Reason {
	var walletErr *wallet.Error
	if errors.As(err, &walletErr) {
		switch walletErr.Kind {
		case wallet.Missing:
			return ReasonWalletMissing
		case wallet.Permission:
			return ReasonWalletPermission
		}
	}
	return ReasonWalletInvalid
}

// secure shakes hands on c's wire and verifies the server as Oracle does.
func (o *opening) secure(ctx context.Context, c *connection, certified dsn.Address) error {
	o.enter(PhaseTLS)
	start, before := time.Now(), o.meter.Counts().Received
	conn := tls.Client(c.wire, o.tlsConfig(certified))
	if err := conn.HandshakeContext(ctx); err != nil {
		return o.fail(ctx, notTLS(err, o.meter.Counts().Received-before))
	}
	o.attempt.TLSHandshake = time.Since(start)
	o.attempt.TLSVersion = tlsVersion(conn.ConnectionState().Version)
	c.conn = conn
	return nil
}

// tlsConfig is made anew for every attempt: nothing is shared, nothing resumed.
func (o *opening) tlsConfig(certified dsn.Address) *tls.Config {
	host, l := certified.Host, o.link
	return &tls.Config{
		ServerName:           host,
		MinVersion:           tls.VersionTLS12,
		GetClientCertificate: o.clientCertificate,
		// Oracle's name rules are not Go's; VerifyConnection applies them, and
		// always verifies the chain.
		InsecureSkipVerify: true,
		VerifyConnection: func(state tls.ConnectionState) error {
			o.attempt.ServerCerts = certificates(state.PeerCertificates)
			return wallet.VerifyServer(state, o.roots(), host, l.dnMatch(certified), l.certDN(certified))
		},
	}
}

func (o *opening) clientCertificate(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
	if o.wallet == nil || o.wallet.Certificate == nil {
		o.certDemanded = true
		return &tls.Certificate{}, nil
	}
	return o.wallet.Certificate, nil
}

// roots are the authorities trusted: the wallet's, or the system's without one.
func (o *opening) roots() *x509.CertPool {
	if o.wallet == nil {
		return nil
	}
	return o.wallet.Roots
}

func certificates(list []*x509.Certificate) []Certificate {
	out := make([]Certificate, len(list))
	for i, c := range list {
		out[i] = Certificate{Subject: c.Subject.String(), NotAfter: c.NotAfter}
	}
	return out
}

func tlsVersion(v uint16) string {
	if v == tls.VersionTLS13 {
		return "1.3"
	}
	return "1.2"
}
