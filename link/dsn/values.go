// The values that parameters of a descriptor take.

package dsn

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"time"
)

// Limits of the SDU, "Oracle Database Net Services Reference", parameter SDU.
const (
	minSDU = 512
	maxSDU = 2 << 20
)

// value is the text of the first child of one of the names, empty without one.
func (n *node) value(names ...string) string {
	if c := n.child(names...); c != nil {
		return c.text()
	}
	return ""
}

// children are the children of any of the names, in order.
func (n *node) children(names ...string) []*node {
	var out []*node
	for _, c := range n.list {
		for _, name := range names {
			if c.is(name) {
				out = append(out, c)
			}
		}
	}
	return out
}

// flag is a child that says on or off, nil without one.
func (n *node) flag(names ...string) (*bool, error) {
	c := n.child(names...)
	if c == nil {
		return nil, nil
	}
	on, err := parseFlag(c.text())
	if err != nil {
		return nil, c.errorf("%s %v", c.name, err)
	}
	return &on, nil
}

func parseFlag(s string) (bool, error) {
	switch strings.ToLower(s) {
	case "on", "yes", "true", "1":
		return true, nil
	case "off", "no", "false", "0":
		return false, nil
	}
	return false, fmt.Errorf("is %s: write ON or OFF", quote(s))
}

// parseProtocol is empty for a protocol that is not spoken here.
func parseProtocol(s string) Protocol {
	switch p := Protocol(strings.ToLower(s)); p {
	case TCP, TCPS:
		return p
	}
	return ""
}

func parseServer(s string) (Server, error) {
	switch server := Server(strings.ToLower(s)); server {
	case ServerDefault, ServerDedicated, ServerShared, ServerPooled:
		return server, nil
	}
	return "", failf("server %s is not known: write dedicated, shared or pooled", quote(s))
}

func parsePort(s string) (int, error) {
	port, err := strconv.ParseUint(s, 10, 64)
	switch {
	case err != nil:
		return 0, failf("port is not a number: %s; write one from 1 to 65535", quote(s))
	case port < 1 || port > 65535:
		return 0, failf("port %s does not exist: write a number from 1 to 65535", quote(s))
	}
	return int(port), nil
}

// parseHost checks a host name or address literal; brackets around IPv6 go.
func parseHost(s string) (string, error) {
	if inner, ok := strings.CutPrefix(s, "["); ok {
		inner, ok = strings.CutSuffix(inner, "]")
		if !ok || !strings.Contains(inner, ":") {
			return "", failf("host %s is not an IPv6 address: brackets are for those only", quote(s))
		}
		s = inner
	}
	switch {
	case s == "":
		return "", failf("host is missing: write a name or an address")
	case strings.Contains(s, ":") && !isIPv6(s):
		return "", failf("host %s is neither a name nor an IPv6 address", quote(s))
	case strings.ContainsFunc(s, notInHost):
		return "", failf("host %s holds a character that no host name has", quote(s))
	}
	return s, nil
}

func isIPv6(s string) bool {
	ip, err := netip.ParseAddr(s)
	return err == nil && ip.Is6()
}

func notInHost(r rune) bool {
	return r <= ' ' || r == 0x7f || strings.ContainsRune(`()[]{}<>/\@=,;"'#?`, r)
}

// readAddress reads an (ADDRESS=…) of a protocol that is spoken here. The port
// may be left out, as the thin drivers allow; the host may not.
func readAddress(n *node) (Address, error) {
	a := Address{Protocol: TCP, Port: DefaultPort}
	if protocol := n.value("PROTOCOL"); protocol != "" {
		a.Protocol = parseProtocol(protocol)
	}
	var err error
	if a.Host, err = parseHost(n.value("HOST")); err != nil {
		return a, n.errorf("ADDRESS: %v", err)
	}
	if c := n.child("PORT"); c != nil {
		if a.Port, err = parsePort(c.text()); err != nil {
			return a, c.errorf("%v", err)
		}
	}
	return a, a.readProxy(n)
}

// DefaultHTTPSProxyPort is the proxy's port where none is written, as in
// node-oracledb (lib/thin/sqlnet/ntTcp.js).
const DefaultHTTPSProxyPort = 80

func (a *Address) readProxy(n *node) error {
	proxy := n.value("HTTPS_PROXY")
	if proxy == "" {
		return nil
	}
	var err error
	if a.HTTPSProxy, err = parseHost(proxy); err != nil {
		return n.errorf("HTTPS_PROXY: %v", err)
	}
	a.HTTPSProxyPort = DefaultHTTPSProxyPort
	if c := n.child("HTTPS_PROXY_PORT"); c != nil {
		if a.HTTPSProxyPort, err = parsePort(c.text()); err != nil {
			return c.errorf("HTTPS_PROXY_PORT: %v", err)
		}
	}
	return nil
}

// sdu reads the SDU of a description, clamped as clients clamp it.
func (b *builder) sdu(n *node) (int, error) {
	c := n.child("SDU")
	if c == nil {
		return 0, nil
	}
	size, err := strconv.ParseUint(c.text(), 10, 32)
	if err != nil {
		return 0, c.errorf("SDU is not a number of bytes: %s", quote(c.text()))
	}
	clamped := min(max(int(size), minSDU), maxSDU)
	if clamped != int(size) {
		b.note("SDU=%d is taken as %d: it must be from %d to %d", size, clamped, minSDU, maxSDU)
	}
	return clamped, nil
}

// connectTimeout reads how long one address may take.
func connectTimeout(n *node) (time.Duration, error) {
	for _, name := range []string{"TRANSPORT_CONNECT_TIMEOUT", "CONNECT_TIMEOUT"} {
		c := n.child(name)
		if c == nil {
			continue
		}
		timeout, ok := parseTimeout(c.text())
		if !ok {
			return 0, c.errorf("%s is not a time: %s; write seconds, or a number and ms, sec, min or hr", c.name, quote(c.text()))
		}
		return timeout, nil
	}
	return 0, nil
}

// units of a time; a bare number is seconds.
var units = map[string]time.Duration{
	"": time.Second, "ms": time.Millisecond, "sec": time.Second, "min": time.Minute, "hr": time.Hour,
}

func parseTimeout(s string) (time.Duration, bool) {
	digits := len(s) - len(strings.TrimLeft(s, "0123456789."))
	number, err := strconv.ParseFloat(s[:digits], 64)
	unit, known := units[strings.ToLower(strings.TrimSpace(s[digits:]))]
	const longest = 24 * time.Hour
	if err != nil || !known || number > float64(longest/unit) {
		return 0, false
	}
	return time.Duration(number * float64(unit)), true
}
