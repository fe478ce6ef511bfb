package fetch

import (
	"net/netip"
	"slices"
)

// specialPrefixes are the address ranges without public web pages: the IANA special-purpose address registries (RFC 6890)
// for IPv4 and IPv6, globally reachable or not, multicast, and the public address of a cloud's metadata service. IPv6
// outside 2000::/3 is unassigned and also counts as special.
var specialPrefixes = prefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
	"192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24",
	"198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4", "168.63.129.16/32",
	"2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20",
)

var (
	globalIPv6 = netip.MustParsePrefix("2000::/3")
	nat64      = netip.MustParsePrefix("64:ff9b::/96")
	sixToFour  = netip.MustParsePrefix("2002::/16")
)

func prefixes(list ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(list))
	for i, s := range list {
		out[i] = netip.MustParsePrefix(s)
	}
	return out
}

// plain is an address without zone, and IPv4-mapped IPv6 as IPv4.
func plain(ip netip.Addr) netip.Addr { return ip.WithZone("").Unmap() }

// special reports whether a plain address belongs to no public host.
func special(ip netip.Addr) bool {
	return !ip.IsValid() || ip.Is6() && !globalIPv6.Contains(ip) || within(specialPrefixes, ip)
}

// within reports whether one of the prefixes holds the address.
func within(list []netip.Prefix, ip netip.Addr) bool {
	return slices.ContainsFunc(list, func(p netip.Prefix) bool { return p.Contains(ip) })
}

// embedded returns the IPv4 address to which NAT64 or 6to4 translates ip.
func embedded(ip netip.Addr) (v4 netip.Addr, ok bool) {
	b := ip.As16()
	switch {
	case nat64.Contains(ip):
		return netip.AddrFrom4([4]byte(b[12:16])), true
	case sixToFour.Contains(ip):
		return netip.AddrFrom4([4]byte(b[2:6])), true
	}
	return netip.Addr{}, false
}
