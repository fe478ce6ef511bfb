package broker

import (
	"fmt"
	"net"
	"net/netip"
	"os"
	"slices"
)

// maxAddressesTold is how many addresses of this machine are in an invitation.
const maxAddressesTold = 8

// addresses returns under which addresses a worker may reach the embedded server, the likeliest first.
func addresses(c Config, s *session) ([]string, error) {
	host, port, err := net.SplitHostPort(c.Listen)
	if err != nil {
		return nil, fmt.Errorf("address for workers: %w", err)
	}
	if s != nil && s.embedded != nil && s.embedded.addr() != nil {
		if _, port, err = net.SplitHostPort(s.embedded.addr().String()); err != nil {
			return nil, err
		}
	}
	if c.Address != "" {
		if _, _, err := net.SplitHostPort(c.Address); err == nil {
			return []string{c.Address}, nil
		}
		return []string{net.JoinHostPort(c.Address, port)}, nil
	}
	hosts := []string{host}
	if everywhere(host) {
		if hosts, err = own(); err != nil {
			return nil, err
		}
	}
	for i, h := range hosts {
		hosts[i] = net.JoinHostPort(h, port)
	}
	if len(hosts) == 0 {
		return nil, errNoAddress
	}
	return hosts[:min(len(hosts), maxAddressesTold)], nil
}

// certNames returns the hosts and addresses for the server's certificate.
func certNames(c Config) ([]string, error) {
	names := []string{"localhost", "127.0.0.1", "::1"}
	host, _, err := net.SplitHostPort(c.Listen)
	if err != nil {
		return nil, fmt.Errorf("address for workers: %w", err)
	}
	if everywhere(host) {
		if all, err := own(); err == nil {
			names = append(names, all...) // without them a worker asks for the name of all such certificates
		}
		if name, err := os.Hostname(); err == nil && name != "" {
			names = append(names, name)
		}
	} else {
		names = append(names, host)
	}
	if c.Address != "" {
		host, _, err := net.SplitHostPort(c.Address)
		if err != nil {
			host = c.Address
		}
		names = append(names, host)
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// everywhere reports whether a host to listen on stands for all addresses of the machine.
func everywhere(host string) bool {
	addr, err := netip.ParseAddr(host)
	return host == "" || err == nil && addr.IsUnspecified()
}

// own returns the addresses of this machine that others may reach: first IPv4, which works in most homes.
func own() (all []string, err error) {
	interfaces, err := net.InterfaceAddrs()
	if err != nil {
		return nil, fmt.Errorf("addresses of this machine: %w", err)
	}
	var six []string
	for _, a := range interfaces {
		prefix, err := netip.ParsePrefix(a.String())
		if err != nil || !prefix.Addr().IsGlobalUnicast() {
			continue
		}
		if addr := prefix.Addr().Unmap(); addr.Is4() {
			all = append(all, addr.String())
		} else {
			six = append(six, addr.String())
		}
	}
	return append(all, six...), nil
}
