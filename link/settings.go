// What a link does where configuration, descriptor and sqlnet.ora each may
// have a word: the configuration first, then the descriptor, then sqlnet.ora.

package link

import (
	"cmp"
	"time"

	"oranet_exporter/link/dsn"
)

// SDU is the session data unit that the link asks for, bytes.
func (l *Link) SDU() int {
	return cmp.Or(l.cfg.SDU, l.desc.SDU, DefaultSDU)
}

func (l *Link) walletDir(a dsn.Address) string {
	return cmp.Or(l.cfg.WalletLocation, l.desc.Of(a).WalletLocation, l.sqlnet.WalletLocation)
}

func (l *Link) dnMatch(a dsn.Address) bool {
	for _, word := range []*bool{l.cfg.SSLServerDNMatch, l.desc.Of(a).SSLServerDNMatch, l.sqlnet.SSLServerDNMatch} {
		if word != nil {
			return *word
		}
	}
	return true
}

func (l *Link) certDN(a dsn.Address) string {
	return cmp.Or(l.cfg.SSLServerCertDN, l.desc.Of(a).SSLServerCertDN)
}

func (l *Link) program() string {
	return cmp.Or(l.cfg.Program, "oranet_exporter")
}

// connectData is the descriptor as this link sends it to one address.
func (l *Link) connectData(a dsn.Address) string {
	return l.desc.ConnectData(a, dsn.CID{Program: l.program(), Host: hostName(), User: osUser()})
}

// connectTimeout bounds the TCP connect to one address; 0 leaves it to the run's deadline.
func (l *Link) connectTimeout() time.Duration {
	return cmp.Or(l.cfg.TCPConnectTimeout, l.desc.TCPConnectTimeout)
}
