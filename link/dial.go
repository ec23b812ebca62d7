// Name resolution and TCP.

package link

import (
	"context"
	"net"
	"net/netip"
	"strconv"
	"time"

	"oranet_exporter/link/dsn"
)

// dial resolves the address, or its proxy, and connects to the first of the
// host's addresses that answers. The answer to a SYN is one round trip.
func (o *opening) dial(ctx context.Context, address dsn.Address) (net.Conn, error) {
	host, port, phase := address.Host, address.Port, PhaseTCP
	if address.HTTPSProxy != "" {
		host, port, phase = address.HTTPSProxy, address.HTTPSProxyPort, PhaseProxy
	}
	o.peer = net.JoinHostPort(host, strconv.Itoa(port))
	ips, err := o.resolve(ctx, host)
	if err != nil {
		return nil, err
	}
	o.enter(phase)
	for i, ip := range ips {
		var conn net.Conn
		conn, err = o.dialOne(ctx, netip.AddrPortFrom(ip, uint16(port)), len(ips)-i)
		if err == nil {
			return conn, nil
		}
		if ctx.Err() != nil {
			break
		}
	}
	return nil, o.fail(ctx, err)
}

func (o *opening) dialOne(ctx context.Context, address netip.AddrPort, turns int) (net.Conn, error) {
	ctx, cancel := share(ctx, turns)
	defer cancel()
	if timeout := o.link.connectTimeout(); timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	o.attempt.Dials++
	dial := o.link.cfg.Dial
	if dial == nil {
		dial = (&net.Dialer{KeepAlive: -1}).DialContext
	}
	start := time.Now()
	conn, err := dial(ctx, "tcp", address.String())
	if err == nil {
		o.attempt.TCPConnect = time.Since(start)
		o.attempt.RoundTrips++
	}
	return conn, err
}

// resolve looks a host name up; an address literal needs no look-up.
func (o *opening) resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	if ip, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{ip}, nil
	}
	o.enter(PhaseResolve)
	start := time.Now()
	ips, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil, o.fail(ctx, err)
	}
	o.attempt.DNSLookups = append(o.attempt.DNSLookups, time.Since(start))
	for i := range ips {
		ips[i] = ips[i].Unmap()
	}
	return ips, nil
}
