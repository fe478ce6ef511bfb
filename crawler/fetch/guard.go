package fetch

import (
	"context"
	"io"
	"net"
	"net/netip"
	"slices"
	"strings"
	"syscall"
	"time"
)

// dialTimeout bounds the building of one connection.
const dialTimeout = 5 * time.Second

// guard decides which addresses may be connected to. A fetched page decides which hosts the fetcher asks for, and its
// owner what their names resolve to, so the decision is made on the address of each connection as it is dialled.
type guard struct {
	rules   []rule
	private []netip.Prefix
	self    []netip.AddrPort
	local   []netip.Addr // addresses of this machine

	resolver *net.Resolver // nil is the system's
}

type rule struct {
	Resolve
	to netip.AddrPort
}

// newGuard takes what the person opened. Rules and addresses that do not parse open nothing.
func newGuard(resolve []Resolve, private []netip.Prefix, self []string) *guard {
	g := &guard{}
	for _, r := range resolve {
		if parsed, err := ParseResolve(r.String()); err == nil {
			g.rules = append(g.rules, rule{parsed, netip.MustParseAddrPort(parsed.Addr)})
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
	for _, s := range self {
		if host, port, err := net.SplitHostPort(s); err == nil && (host == "" || strings.EqualFold(host, "localhost")) {
			s = net.JoinHostPort(map[bool]string{true: "0.0.0.0", false: "127.0.0.1"}[host == ""], port)
		}
		if ap, err := netip.ParseAddrPort(s); err == nil {
			g.self = append(g.self, netip.AddrPortFrom(plain(ap.Addr()), ap.Port()))
		}
	}
	addrs, _ := net.InterfaceAddrs() // without them, a wildcard listener is known by loopback only
	for _, a := range addrs {
		if p, err := netip.ParsePrefix(a.String()); err == nil {
			g.local = append(g.local, plain(p.Addr()))
		}
	}
	return g
}

// resolve returns the address that the person opened for a host name.
func (g *guard) resolve(host string) (netip.AddrPort, bool) {
	for _, r := range g.rules {
		if r.Matches(host) {
			return r.to, true
		}
	}
	return netip.AddrPort{}, false
}

// permits decides on an address that was not opened by a rule.
func (g *guard) permits(to netip.AddrPort) error {
	ip := plain(to.Addr())
	switch open := within(g.private, ip); {
	case g.isSelf(netip.AddrPortFrom(ip, to.Port())):
		return refuse("%s is Nightjar itself", to)
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

// isSelf reports whether an address leads to one of our own listeners.
func (g *guard) isSelf(to netip.AddrPort) bool {
	loop := func(ip netip.Addr) bool { return ip.IsLoopback() || ip.IsUnspecified() }
	ip := plain(to.Addr())
	for _, s := range g.self {
		if s.Port() != to.Port() {
			continue
		}
		if s.Addr() == ip || loop(s.Addr()) && loop(ip) {
			return true
		}
		if s.Addr().IsUnspecified() && slices.Contains(g.local, ip) {
			return true
		}
	}
	return false
}

// control is called by the dialer with each address that it is about to connect to.
func (g *guard) control(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return refuse("%q is no address", address)
	}
	return g.permits(to)
}

// dial connects to what a URL's authority names.
func (g *guard) dial(ctx context.Context, network, authority string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(authority)
	if err != nil {
		return nil, err
	}
	if sent(ctx) {
		return nil, io.ErrUnexpectedEOF
	}
	if to, ok := g.resolve(host); ok {
		if g.isSelf(to) {
			return nil, refuse("%s is Nightjar itself", to)
		}
		return (&net.Dialer{Timeout: dialTimeout}).DialContext(ctx, "tcp", to.String())
	}
	if v, addrs := pinned(ctx); len(addrs) > 0 {
		return g.dialPinned(ctx, v, addrs, port)
	}
	return (&net.Dialer{Timeout: dialTimeout, Control: g.control, Resolver: g.resolver}).DialContext(ctx, network, authority)
}

// localNames are endings of names that mean something on this network only.
var localNames = []string{"local", "localhost", "internal", "intranet", "lan", "home", "corp", "private", "home.arpa", "localdomain"}

// names refuses, before anything is looked up, hosts and ports that could not be public. What it lets pass is still
// decided on when it is dialled.
func (g *guard) names(host, port string) error {
	if _, ok := g.resolve(host); ok {
		return nil
	}
	if ip, err := netip.ParseAddr(host); err == nil {
		if special(plain(ip)) && !within(g.private, plain(ip)) {
			return refuse("%s is a private or special address", host)
		}
	} else if len(g.private) == 0 {
		name := strings.TrimSuffix(host, ".")
		if !strings.Contains(name, ".") {
			return refuse("%s is a name of the local network", host)
		}
		for _, end := range localNames {
			if strings.HasSuffix(name, "."+end) {
				return refuse("%s is a name of the local network", host)
			}
		}
	}
	if port != "" && port != "80" && port != "443" && len(g.private) == 0 {
		return refuse("port %s is neither 80 nor 443", port)
	}
	return nil
}

// opened reports whether a host is one that the person opened: by a rule for its name, or by its literal address.
func (g *guard) opened(host string) bool {
	if _, ok := g.resolve(host); ok {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && within(g.private, plain(ip))
}
