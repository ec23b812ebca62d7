// The text that a client sends to the listener.

package dsn

import (
	"strconv"
	"strings"
)

// CID is what a client says of itself; it shows in the listener's log and in
// V$SESSION.
type CID struct{ Program, Host, User string }

// node renders the CID. Characters that the listener would take for structure
// become question marks, as in python-oracledb.
func (c CID) node() *node {
	return branch("CID", plain("PROGRAM", c.Program), plain("HOST", c.Host), plain("USER", c.User))
}

func plain(name, value string) *node {
	return &node{name: name, raw: strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || strings.ContainsRune(`()="'#\`, r) {
			return '?'
		}
		return r
	}, strings.TrimSpace(value))}
}

// ConnectData is the text of the CONNECT packet for one of the addresses: the
// description as written, with that address alone, and the CID added to its
// CONNECT_DATA. A source route is sent whole, for its gateways to follow.
func (d *Descriptor) ConnectData(a Address, cid CID) string {
	description := d.Of(a)
	written := description.tree
	sent := branch(written.name)
	dialled := false
	for _, c := range written.list {
		switch {
		case (c.is("ADDRESS") || c.is("ADDRESS_LIST")) && !description.routed:
			if !dialled {
				sent.list = append(sent.list, a.node())
				dialled = true
			}
		case c.is("CONNECT_DATA"):
			sent.list = append(sent.list, identified(c, cid))
		default:
			sent.list = append(sent.list, c)
		}
	}
	return sent.String()
}

// identified is the CONNECT_DATA with our CID in place of any other.
func identified(connectData *node, cid CID) *node {
	out := branch(connectData.name)
	for _, c := range connectData.list {
		if !c.is("CID") {
			out.list = append(out.list, c)
		}
	}
	out.list = append(out.list, cid.node())
	return out
}

func (a Address) node() *node {
	n := branch("ADDRESS",
		atom("PROTOCOL", string(a.Protocol)),
		atom("HOST", a.Host),
		atom("PORT", strconv.Itoa(a.Port)))
	if a.HTTPSProxy != "" {
		n.list = append(n.list,
			atom("HTTPS_PROXY", a.HTTPSProxy),
			atom("HTTPS_PROXY_PORT", strconv.Itoa(a.HTTPSProxyPort)))
	}
	return n
}
