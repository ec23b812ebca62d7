// From the tree of a connect descriptor to what it means.

package dsn

import (
	"fmt"
	"slices"
	"strings"
)

// builder collects a Descriptor from one or more descriptions.
type builder struct {
	d       Descriptor
	foreign string // a PROTOCOL that was skipped, for the message if nothing is left
	routed  bool   // SOURCE_ROUTE=ON was written in the description
}

// parseDescriptor reads a whole (DESCRIPTION=…) or (DESCRIPTION_LIST=…).
func parseDescriptor(text string) (*Descriptor, error) {
	root, err := parseTree(text)
	if err != nil {
		return nil, err
	}
	return describe(root)
}

func describe(root *node) (*Descriptor, error) {
	var b builder
	members := []*node{root}
	switch {
	case root.is("DESCRIPTION_LIST"):
		members = root.children("DESCRIPTION")
		if len(members) == 0 {
			return nil, root.errorf("DESCRIPTION_LIST has no DESCRIPTION: write at least one")
		}
		if err := b.order(root, &members); err != nil {
			return nil, err
		}
	case !root.is("DESCRIPTION"):
		return nil, root.errorf("the descriptor begins with %s: it must begin with (DESCRIPTION=", quote(root.name))
	}
	for _, member := range members {
		if err := b.description(member); err != nil {
			return nil, err
		}
	}
	b.d.Description = b.d.descriptions[0]
	return &b.d, nil
}

// note adds a remark unless it was made before.
func (b *builder) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(b.d.Notes, text) {
		b.d.Notes = append(b.d.Notes, text)
	}
}

// order applies LOAD_BALANCE and FAILOVER of a list to its members. Without
// FAILOVER only the first is ever tried (node-oracledb lib/thin/sqlnet/navNodes.js,
// setActiveChildren).
func (b *builder) order(list *node, members *[]*node) error {
	balance, err := list.flag("LOAD_BALANCE")
	if err != nil {
		return err
	}
	if balance != nil && *balance && len(*members) > 1 {
		b.d.LoadBalance = true
		b.note("LOAD_BALANCE is ignored: the addresses are tried as written, so that one run compares with the next")
	}
	failover, err := list.flag("FAILOVER")
	if err != nil {
		return err
	}
	if failover != nil && !*failover && len(*members) > 1 {
		*members = (*members)[:1]
	}
	return nil
}

func (b *builder) description(n *node) error {
	b.foreign, b.routed = "", false
	before := len(b.d.Addresses)
	if err := b.addresses(n); err != nil {
		return err
	}
	if len(b.d.Addresses) == before {
		if b.foreign != "" {
			return n.errorf("PROTOCOL=%s is not supported: use TCP or TCPS", b.foreign)
		}
		return n.errorf("DESCRIPTION has no ADDRESS: write (ADDRESS=(PROTOCOL=TCP)(HOST=…)(PORT=…))")
	}
	settings, err := b.settings(n)
	if err != nil {
		return err
	}
	b.d.descriptions = append(b.d.descriptions, settings)
	b.noteIgnored(n)
	return nil
}

// addresses collects what can be dialled under a DESCRIPTION or ADDRESS_LIST.
// With SOURCE_ROUTE that is the first member; the gateway there (Oracle
// Connection Manager) dials the next.
func (b *builder) addresses(list *node) error {
	members := list.children("ADDRESS", "ADDRESS_LIST")
	if err := b.order(list, &members); err != nil {
		return err
	}
	route, err := list.flag("SOURCE_ROUTE")
	if err != nil {
		return err
	}
	if route != nil && *route && len(members) > 1 {
		members, b.routed = members[:1], true
	}
	for _, member := range members {
		if member.is("ADDRESS_LIST") {
			if err := b.addresses(member); err != nil {
				return err
			}
			continue
		}
		if protocol := member.value("PROTOCOL"); protocol != "" && parseProtocol(protocol) == "" {
			b.foreign = quote(protocol)
			b.note("an ADDRESS with PROTOCOL=%s is ignored: only TCP and TCPS are spoken", b.foreign)
			continue
		}
		address, err := readAddress(member)
		if err != nil {
			return err
		}
		address.description = len(b.d.descriptions)
		b.d.Addresses = append(b.d.Addresses, address)
		b.noteIgnored(member)
	}
	return nil
}

// settings reads what a DESCRIPTION says beside its addresses.
func (b *builder) settings(n *node) (Description, error) {
	s := Description{tree: n, routed: b.routed}
	connectData := n.child("CONNECT_DATA")
	s.ServiceName = connectData.value("SERVICE_NAME")
	s.SID = connectData.value("SID")
	s.InstanceName = connectData.value("INSTANCE_NAME")
	if s.ServiceName == "" && s.SID == "" {
		return s, n.errorf("no service is named: write (CONNECT_DATA=(SERVICE_NAME=…))")
	}
	var err error
	if server := connectData.child("SERVER"); server != nil {
		if s.Server, err = parseServer(server.text()); err != nil {
			return s, server.errorf("%v", err)
		}
	}
	if s.SDU, err = b.sdu(n); err != nil {
		return s, err
	}
	if s.TCPConnectTimeout, err = connectTimeout(n); err != nil {
		return s, err
	}
	return s, s.readSecurity(n.child("SECURITY"))
}

func (s *Description) readSecurity(n *node) error {
	if n == nil {
		return nil
	}
	match, err := n.flag("SSL_SERVER_DN_MATCH", "TLS_SERVER_DN_MATCH")
	if err != nil {
		return err
	}
	s.SSLServerDNMatch = match
	s.SSLServerCertDN = n.value("SSL_SERVER_CERT_DN", "TLS_SERVER_CERT_DN")
	if location := n.child("MY_WALLET_DIRECTORY", "WALLET_LOCATION"); location != nil {
		s.WalletLocation = walletDirectory(location)
	}
	return nil
}

// walletDirectory is the directory of a WALLET_LOCATION, written plainly or as
// (SOURCE=(METHOD=FILE)(METHOD_DATA=(DIRECTORY=…))). SYSTEM stands for the
// operating system's authorities, as no wallet does.
func walletDirectory(location *node) string {
	directory := location.text()
	if n := location.find("DIRECTORY"); n != nil {
		directory = n.text()
	}
	if strings.EqualFold(directory, "SYSTEM") {
		return ""
	}
	return directory
}

// ignored says why a parameter has no effect here.
var ignored = []struct{ names, why string }{
	{"RETRY_COUNT RETRY_DELAY", "one attempt is one sample"},
	{"SEND_BUF_SIZE RECV_BUF_SIZE", "the kernel sizes the socket buffers, and a fixed size would change what is measured"},
	{"EXPIRE_TIME ENABLE", "a probe's session does not live long enough for keep-alive packets"},
	{"RECV_TIMEOUT", "the deadline of the run holds instead"},
	{"COMPRESSION COMPRESSION_LEVELS", "packets are never compressed"},
	{"USE_SNI", "the server's name is always sent in the TLS handshake"},
}

func (b *builder) noteIgnored(n *node) {
	for _, group := range ignored {
		if names := strings.Fields(group.names); n.child(names...) != nil {
			b.note("%s is ignored: %s", strings.Join(names, "/"), group.why)
		}
	}
}
