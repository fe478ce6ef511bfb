package protocol

import (
	"net"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"nightjar/crawler/weburl"
)

// Host returns the host of a URL as the URL standard reads it, whatever its spelling: in lower case and ASCII, without a dot
// at its end, an IPv4 address in four decimal numbers, an IPv6 address in brackets. It is "" for a URL without a host.
// extension/src/shared/hosts.js does the same.
func Host(raw string) string {
	host, _ := hostPort(raw)
	return host
}

func hostPort(raw string) (host, port string) {
	scheme, rest, ok := strings.Cut(raw, "://")
	if !ok {
		return "", ""
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	if !strings.EqualFold(scheme, "https") {
		scheme = "http"
	}
	url, err := weburl.Canonical(strings.ToLower(scheme) + "://" + rest + "/")
	if err != nil {
		return "", ""
	}
	_, rest, _ = strings.Cut(url, "://")
	rest, _, _ = strings.Cut(rest, "/")
	rest = rest[strings.LastIndexByte(rest, '@')+1:]
	port = map[string]string{"http": "80", "https": "443"}[strings.ToLower(scheme)]
	if i := strings.LastIndexByte(rest, ':'); i > strings.LastIndexByte(rest, ']') {
		rest, port = rest[:i], rest[i+1:]
	}
	return strings.TrimSuffix(rest, "."), port
}

// Never reports whether the never-record list hosts covers the URL raw: its host is on the list, or is a subdomain of a
// host on the list, or the URL has no host.
func Never(hosts []string, raw string) bool {
	host := Host(raw)
	if host == "" {
		return true
	}
	return slices.ContainsFunc(hosts, func(h string) bool {
		h = strings.Trim(strings.ToLower(strings.TrimSpace(h)), ".")
		if h != "" && strings.IndexFunc(h, unusual) >= 0 {
			h = Host("http://" + h + "/")
		}
		return h != "" && (host == h || strings.HasSuffix(host, "."+h))
	})
}

// unusual reports whether a character of a host may have another spelling.
func unusual(r rune) bool {
	return r != '.' && r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z')
}

var (
	dashboardHost = regexp.MustCompile(`(^|\.)nightjar-[0-9a-f]{32}\.localhost$`)
	privateNames  = regexp.MustCompile(`(^|\.)(localhost|local|internal|lan|home\.arpa)$`)
)

// privatePrefixes are the IPv4 addresses of this computer, of local networks, and of no host (RFC 6890).
var privatePrefixes = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"),
	netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("169.254.0.0/16"), netip.MustParsePrefix("172.16.0.0/12"),
	netip.MustParsePrefix("192.168.0.0/16"), netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("224.0.0.0/3"),
}

// OfDashboard reports whether a URL is of a dashboard of Nightjar: by its unguessable name, or by the address at which this
// daemon listens, ADDR:PORT; "" for none.
func OfDashboard(listen, raw string) bool {
	host, port := hostPort(raw)
	if dashboardHost.MatchString(host) {
		return true
	}
	_, own, err := net.SplitHostPort(listen)
	return err == nil && port == own && (host == "localhost" || host == "[::1]" || strings.HasPrefix(host, "127.") || host == "0.0.0.0")
}

// OwnNetwork reports whether a URL is on this computer or its local network by its name: loopback, private and link-local
// addresses, names without a dot, and names that exist only in a home or company network. So is a URL without a host.
func OwnNetwork(raw string) bool {
	host := Host(raw)
	if host == "" || privateNames.MatchString(host) {
		return true
	}
	if strings.HasPrefix(host, "[") { // public addresses begin with 2 or 3; 2002: holds an IPv4 address
		return host[1] != '2' && host[1] != '3' || strings.HasPrefix(host, "[2002:")
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return !strings.Contains(host, ".")
	}
	return slices.ContainsFunc(privatePrefixes, func(p netip.Prefix) bool { return p.Contains(ip) })
}

// Rules say which pages may be stored.
type Rules struct {
	Never  []string // the never-record list
	Listen string   // where this daemon listens, ADDR:PORT
}

// Why a page may not be stored, in words for people.
const (
	OnNeverList  = "the host is on the never-record list"
	OnDashboard  = "it is a page of Nightjar itself"
	OnOwnNetwork = "the host is on your own network"
)

// Refusal returns why the page at a URL may not be stored, "" if it may. own says that the person lets the browser record
// pages of their own network.
func (r Rules) Refusal(raw string, own bool) string {
	switch {
	case OfDashboard(r.Listen, raw):
		return OnDashboard
	case Never(r.Never, raw):
		return OnNeverList
	case !own && OwnNetwork(raw):
		return OnOwnNetwork
	}
	return ""
}
