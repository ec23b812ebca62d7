// Easy connect strings:
//
//	[[protocol:]//]host[,host…][:port][,host…][;…][/[service][:server][/instance]][?option=value[&…]]

package dsn

import (
	"slices"
	"strings"
)

// parseEasyConnect writes the descriptor that the string stands for, and reads that.
func parseEasyConnect(text string) (*Descriptor, error) {
	if len(text) > maxTextSize {
		return nil, errTooLong(text)
	}
	if err := refuseCredentials(text); err != nil {
		return nil, err
	}
	place, optionText, _ := strings.Cut(text, "?")
	place = strings.Join(strings.Fields(place), "")
	protocol, place, err := cutProtocol(place)
	if err != nil {
		return nil, err
	}
	hosts, service, _ := strings.Cut(place, "/")
	lists, err := easyAddressLists(protocol, hosts)
	if err != nil {
		return nil, err
	}
	connectData, err := easyConnectData(service)
	if err != nil {
		return nil, err
	}
	e := easyConnect{lists: lists, connectData: connectData, description: branch("DESCRIPTION"), security: branch("SECURITY")}
	if err := e.options(optionText); err != nil {
		return nil, err
	}
	d, err := describe(e.tree())
	if err == nil {
		d.Notes = append(d.Notes, e.notes...)
	}
	return d, err
}

// refuseCredentials keeps "user/password@host" out of every later message.
func refuseCredentials(text string) error {
	inQuotes := false
	for _, c := range text {
		switch {
		case c == '"':
			inQuotes = !inQuotes
		case c == '@' && !inQuotes:
			return failf("dsn holds an @: leave out what stands before it, user and password have settings of their own; an option's value with an @ goes in double quotes")
		}
	}
	return nil
}

func cutProtocol(place string) (Protocol, string, error) {
	name, rest, found := strings.Cut(place, "//")
	if !found || name == "" {
		return TCP, strings.TrimPrefix(place, "//"), nil
	}
	name, ok := strings.CutSuffix(name, ":")
	if protocol := parseProtocol(name); ok && protocol != "" {
		return protocol, rest, nil
	}
	return "", "", failf("protocol %s is not supported: write tcp:// or tcps://", quote(name))
}

// easyConnectData reads service[:server][/instance].
func easyConnectData(text string) (*node, error) {
	service, instance, _ := strings.Cut(text, "/")
	service, server, _ := strings.Cut(service, ":")
	if service == "" {
		return nil, failf("no service is named: write host:port/service")
	}
	n := branch("CONNECT_DATA")
	for _, part := range []struct{ name, value string }{
		{"SERVICE_NAME", service}, {"SERVER", server}, {"INSTANCE_NAME", instance},
	} {
		if strings.ContainsFunc(part.value, notInService) {
			return nil, failf("%s holds a character that no service has: write host:port/service:server/instance", part.name)
		}
		if part.value != "" {
			n.list = append(n.list, atom(part.name, part.value))
		}
	}
	return n, nil
}

func notInService(r rune) bool {
	return r <= ' ' || r == 0x7f || strings.ContainsRune(`()[]{}<>/\@=,;:"'?`, r)
}

// easyAddressLists reads the hosts: a semicolon begins another address list.
func easyAddressLists(protocol Protocol, text string) ([]*node, error) {
	var lists []*node
	for group := range strings.SplitSeq(text, ";") {
		addresses, err := easyAddresses(protocol, group)
		if err != nil {
			return nil, err
		}
		lists = append(lists, branch("ADDRESS_LIST", addresses...))
	}
	return lists, nil
}

// easyAddresses reads hosts with commas between them. A port is also that of
// the hosts before it that have none.
func easyAddresses(protocol Protocol, text string) ([]*node, error) {
	parts := strings.Split(text, ",")
	addresses := make([]*node, len(parts))
	port := DefaultPort
	for i, part := range slices.Backward(parts) {
		host, portText, err := cutPort(part)
		if err != nil {
			return nil, err
		}
		if portText != "" {
			if port, err = parsePort(portText); err != nil {
				return nil, err
			}
		}
		if host, err = parseHost(host); err != nil {
			return nil, err
		}
		addresses[i] = Address{Protocol: protocol, Host: host, Port: port}.node()
	}
	return addresses, nil
}

// cutPort splits host:port; the colons of an IPv6 address stand in brackets.
func cutPort(s string) (host, port string, err error) {
	end := strings.LastIndexByte(s, ']') + 1
	host, rest := s[:end], s[end:]
	name, port, _ := strings.Cut(rest, ":")
	if strings.Contains(port, ":") {
		return "", "", failf("more than one colon stands between host and port: put an IPv6 address in brackets, and write a SID as (DESCRIPTION=…(CONNECT_DATA=(SID=…)))")
	}
	return host + name, port, nil
}

// easyConnect is an easy connect string taken apart into a descriptor's sections.
type easyConnect struct {
	lists       []*node
	description *node
	connectData *node
	security    *node
	notes       []string
}

// tree puts the sections together. A single address list is not written as one.
func (e *easyConnect) tree() *node {
	root := e.description
	if len(e.lists) == 1 {
		root.list = append(root.list, e.lists[0].list...)
	} else {
		root.list = append(root.list, e.lists...)
	}
	root.list = append(root.list, e.connectData)
	if len(e.security.list) > 0 {
		root.list = append(root.list, e.security)
	}
	return root
}

// The options, by the section of the descriptor that they belong to. Names as
// in python-oracledb and node-oracledb (lib/thin/sqlnet/ezConnectResolver.js).
const (
	descriptionOptions = "enable compression failover load_balance recv_buf_size send_buf_size sdu source_route " +
		"retry_count retry_delay connect_timeout transport_connect_timeout recv_timeout expire_time use_sni"
	connectDataOptions = "pool_connection_class pool_purity pool_boundary pool_name service_tag connection_id_prefix"
	securityOptions    = "ssl_server_cert_dn ssl_server_dn_match tls_server_cert_dn tls_server_dn_match " +
		"ssl_allow_weak_dn_match tls_allow_weak_dn_match wallet_location"
	addressOptions = "https_proxy https_proxy_port"
)

// options reads what follows the question mark.
func (e *easyConnect) options(text string) error {
	var seen []string
	for text != "" {
		var option string
		option, text = cutOption(text)
		name, value, found := strings.Cut(option, "=")
		name = strings.ToLower(strings.TrimSpace(name))
		if !found || !isKeyword(name) {
			return failf("an option after the question mark has no value: write name=value, and & between options")
		}
		if slices.Contains(seen, name) {
			return failf("option %s is given twice", name)
		}
		seen = append(seen, name)
		value = strings.TrimSpace(value)
		if inner, ok := strings.CutPrefix(value, `"`); ok {
			value = strings.TrimSuffix(inner, `"`)
		}
		if strings.Contains(value, `"`) || strings.ContainsFunc(value, isControl) {
			return failf("the value of option %s holds a quote or a control character", name)
		}
		e.option(name, atom(strings.ToUpper(name), value))
	}
	return nil
}

func (e *easyConnect) option(name string, n *node) {
	is := func(names string) bool { return slices.Contains(strings.Fields(names), name) }
	switch {
	case is(descriptionOptions):
		e.description.list = append(e.description.list, n)
	case is(connectDataOptions):
		e.connectData.list = append(e.connectData.list, n)
	case is(securityOptions):
		e.security.list = append(e.security.list, n)
	case is(addressOptions):
		for _, list := range e.lists {
			for _, address := range list.list {
				address.list = append(address.list, n)
			}
		}
	default:
		e.notes = append(e.notes, "option "+name+" is ignored: it is not one of Oracle Net")
	}
}

// cutOption cuts the text at the first ampersand outside quotes.
func cutOption(text string) (option, rest string) {
	inQuotes := false
	for i := range len(text) {
		switch {
		case text[i] == '"':
			inQuotes = !inQuotes
		case text[i] == '&' && !inQuotes:
			return text[:i], text[i+1:]
		}
	}
	return text, ""
}
