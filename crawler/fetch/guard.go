package fetch

import (
	"cmp"
	"context"
	"io"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// dialTimeout bounds the dialling of one connection.
const dialTimeout = 5 * time.Second

// guard decides which addresses may be connected to. A fetched page chooses the host names, and their owner what they
// resolve to, so the guard checks the address of each connection when it is dialled.
type guard struct {
	named   map[string]rule // by host name: rules without "*"
	wild    []rule
	private []netip.Prefix
	self    []netip.AddrPort
	now     func() []string // more of them, which may change; nil for none
	local   []netip.Addr    // addresses of this machine

	resolver *net.Resolver                                                        // nil is the system's
	dialRule func(ctx context.Context, network, address string) (net.Conn, error) // connects to the address of a rule
}

type rule struct {
	Resolve
	to    netip.AddrPort
	order int // in the settings; the first rule that matches counts
}

// newGuard makes a guard from the settings. Malformed rules and addresses open nothing.
func newGuard(resolve []Resolve, private []netip.Prefix, self []string) *guard {
	g := &guard{named: make(map[string]rule), dialRule: (&net.Dialer{Timeout: dialTimeout}).DialContext}
	for i, r := range resolve {
		parsed, err := ParseResolve(r.String())
		if err != nil {
			continue
		}
		one := rule{parsed, netip.MustParseAddrPort(parsed.Addr), i}
		if strings.Contains(parsed.Pattern, "*") {
			g.wild = append(g.wild, one)
		} else if _, ok := g.named[parsed.Pattern]; !ok {
			g.named[parsed.Pattern] = one
		}
	}
	for _, p := range private {
		if a := p.Addr(); a.Is4In6() && p.Bits() >= 96 {
			p = netip.PrefixFrom(a.Unmap(), p.Bits()-96)
		}
		if p.IsValid() {
			g.private = append(g.private, p.Masked())
		}
	}
	g.self = listeners(self)
	addrs, _ := net.InterfaceAddrs() // if it fails, a wildcard listener is recognised by loopback only
	for _, a := range addrs {
		if p, err := netip.ParsePrefix(a.String()); err == nil {
			g.local = append(g.local, plain(p.Addr()))
		}
	}
	return g
}

// listeners reads addresses to listen on, HOST:PORT. Malformed ones are left out.
func listeners(texts []string) (all []netip.AddrPort) {
	for _, s := range texts {
		if host, port, err := net.SplitHostPort(s); err == nil && (host == "" || strings.EqualFold(host, "localhost")) {
			s = net.JoinHostPort(map[bool]string{true: "0.0.0.0", false: "127.0.0.1"}[host == ""], port)
		}
		if ap, err := netip.ParseAddrPort(s); err == nil {
			all = append(all, netip.AddrPortFrom(plain(ap.Addr()), ap.Port()))
		}
	}
	return all
}

// resolve returns the address that a rule gives for a host name.
func (g *guard) resolve(host string) (netip.AddrPort, bool) {
	host = ruleName(host)
	named, ok := g.named[host]
	for _, r := range g.wild {
		if ok && named.order < r.order {
			break
		}
		if r.Matches(host) {
			return r.to, true
		}
	}
	return named.to, ok
}

// permits returns an error for an address that may not be connected to. It is for hosts without a rule.
func (g *guard) permits(to netip.AddrPort) error {
	if err := g.foreign(to); err != nil {
		return err
	}
	ip := plain(to.Addr())
	switch open := within(g.private, ip); {
	case special(ip) && !open:
		return refuse("%s is a private or special address", ip)
	case to.Port() != 80 && to.Port() != 443 && !open:
		return refuse("port %d is neither 80 nor 443", to.Port())
	}
	if v4, ok := embedded(ip); ok {
		return g.permits(netip.AddrPortFrom(v4, to.Port()))
	}
	return nil
}

// isSelf reports whether an address is that of one of our own listeners. 127.0.0.1 and ::1 count as one, since localhost may be either;
// another loopback address, like 127.0.0.2, is another listener's.
func (g *guard) isSelf(to netip.AddrPort) bool {
	home := func(ip netip.Addr) bool {
		return ip.IsUnspecified() || ip == netip.IPv6Loopback() || ip == netip.AddrFrom4([4]byte{127, 0, 0, 1})
	}
	ip, own := plain(to.Addr()), g.self
	if g.now != nil {
		own = slices.Concat(own, listeners(g.now()))
	}
	return slices.ContainsFunc(own, func(s netip.AddrPort) bool {
		switch {
		case s.Port() != to.Port():
			return false
		case s.Addr() == ip || home(s.Addr()) && home(ip):
			return true
		}
		return s.Addr().IsUnspecified() && (ip.IsLoopback() || slices.Contains(g.local, ip))
	})
}

// control checks each address that the dialer is about to connect to.
func (g *guard) control(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return refuse("%q is not an IP address with a port", address)
	}
	return g.permits(to)
}

// dial connects to the authority of a URL.
func (g *guard) dial(ctx context.Context, network, authority string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(authority)
	if err != nil {
		return nil, err
	}
	if sent(ctx) {
		return nil, io.ErrUnexpectedEOF
	}
	if to, ok := g.resolve(host); ok {
		if err := g.foreign(to); err != nil {
			return nil, err
		}
		return g.dialRule(ctx, "tcp", to.String())
	}
	if v, addrs := pinned(ctx); len(addrs) > 0 {
		return g.dialPinned(ctx, v, addrs, port)
	}
	return (&net.Dialer{Timeout: dialTimeout, Control: g.control, Resolver: g.resolver}).DialContext(ctx, network, authority)
}

// localNames are suffixes of names that have a meaning only in a local network.
var localNames = []string{"local", "localhost", "internal", "intranet", "lan", "home", "corp", "private", "home.arpa", "localdomain"}

// checkName refuses hosts and ports that cannot be public, before any lookup. The rest is checked again when dialled.
func (g *guard) checkName(host, port string) error {
	number, err := strconv.ParseUint(cmp.Or(port, "80"), 10, 16)
	if err != nil {
		return refuse("there is no port %s", port)
	}
	at := func(ip netip.Addr) netip.AddrPort { return netip.AddrPortFrom(ip, uint16(number)) }
	if to, ok := g.resolve(host); ok {
		return g.foreign(to)
	}
	if ip, err := netip.ParseAddr(host); err == nil {
		return g.permits(at(ip))
	}
	local := func(name string) bool { return strings.HasSuffix("."+strings.TrimSuffix(host, "."), "."+name) }
	switch home := at(netip.IPv6Loopback()); {
	case local("localhost") && g.isSelf(home):
		return g.foreign(home)
	case len(g.private) > 0: // a name may be that of any of them
		return nil
	case !strings.Contains(strings.TrimSuffix(host, "."), "."), slices.ContainsFunc(localNames, local):
		return refuse("%s is a name in the local network", host)
	case number != 80 && number != 443:
		return refuse("port %s is neither 80 nor 443", port)
	}
	return nil
}

// foreign returns an error for the address of one of our own listeners.
func (g *guard) foreign(to netip.AddrPort) error {
	if g.isSelf(to) {
		return refuse("%s is Nightjar's own address", to)
	}
	return nil
}

// opened reports whether the settings open a host: by a rule for its name, or by its literal address.
func (g *guard) opened(host string) bool {
	if _, ok := g.resolve(host); ok {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && within(g.private, plain(ip))
}
