// What a link does where configuration, descriptor and sqlnet.ora each may
// have a word: the configuration first, then the descriptor, then sqlnet.ora.

package link

import "oranet_exporter/link/dsn"

// SDU is the session data unit that the link asks for, bytes.
func (l *Link) SDU() int {
	switch {
	case l.cfg.SDU > 0:
		return l.cfg.SDU
	case l.desc.SDU > 0:
		return l.desc.SDU
	}
	return DefaultSDU
}

func (l *Link) walletDir() string {
	switch {
	case l.cfg.WalletLocation != "":
		return l.cfg.WalletLocation
	case l.desc.WalletLocation != "":
		return l.desc.WalletLocation
	}
	return l.sqlnet.WalletLocation
}

func (l *Link) dnMatch() bool {
	for _, word := range []*bool{l.cfg.SSLServerDNMatch, l.desc.SSLServerDNMatch, l.sqlnet.SSLServerDNMatch} {
		if word != nil {
			return *word
		}
	}
	return true
}

func (l *Link) certDN() string {
	if l.cfg.SSLServerCertDN != "" {
		return l.cfg.SSLServerCertDN
	}
	return l.desc.SSLServerCertDN
}

func (l *Link) program() string {
	if l.cfg.Program != "" {
		return l.cfg.Program
	}
	return "oranet_exporter"
}

// connectData is the descriptor as this link sends it to one address.
func (l *Link) connectData(a dsn.Address) string {
	return l.desc.ConnectData(a, dsn.CID{Program: l.program(), Host: hostName(), User: osUser()})
}
