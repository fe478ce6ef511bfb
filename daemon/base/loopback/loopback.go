// Package loopback says under which hosts a daemon may be asked that listens on this computer only.
//
// Any page on the web can have a name that leads to this computer, so that a browser brings its requests here (DNS rebinding). Such
// a request carries the name as its Host: an exact list of hosts stops it.
package loopback

import (
	"fmt"
	"net"
	"strings"
)

// Hosts are the values of a Host header under which a server is asked.
type Hosts map[string]bool

// HostsOf returns the hosts of a server that listens on addresses such as "127.0.0.1:4774": these, and localhost with their ports.
func HostsOf(addrs ...string) (Hosts, error) {
	all := Hosts{}
	for _, addr := range addrs {
		host, port, err := net.SplitHostPort(addr)
		if err != nil {
			return nil, fmt.Errorf("address of the server: %w", err)
		}
		all[net.JoinHostPort(host, port)] = true
		all["localhost:"+port] = true
	}
	return all, nil
}

// Has reports whether host, as it was sent, is one of them.
func (h Hosts) Has(host string) bool { return h[lower(host)] }

// lower puts ASCII letters of a host into lower case: hosts are the same in any case [RFC 3986 §3.2.2]. Other letters are kept, also those
// that would fold to ASCII ones.
func lower(host string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, host)
}

// Other returns the address of the other loopback interface, IPv6 for IPv4 and the other way round: browsers try both for localhost and
// the names below it. It returns "" for an address that is neither 127.0.0.1 nor ::1.
func Other(addr string) string {
	host, port, err := net.SplitHostPort(addr)
	other, ok := map[string]string{"127.0.0.1": "::1", "::1": "127.0.0.1"}[host]
	if err != nil || !ok {
		return ""
	}
	return net.JoinHostPort(other, port)
}
