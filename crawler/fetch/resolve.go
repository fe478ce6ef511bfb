package fetch

import (
	"fmt"
	"net/netip"
	"strings"
)

// Resolve is a rule that sends the connections of host names that match a pattern to one address. It opens that address
// for these names only.
type Resolve struct {
	Pattern string // host name; "*" stands for one or more labels
	Addr    string // IP address and port
}

// ParseResolve reads PATTERN=ADDR:PORT, for example *.test=127.0.0.1:8080.
func ParseResolve(s string) (Resolve, error) {
	pattern, addr, ok := strings.Cut(strings.TrimSpace(s), "=")
	if !ok {
		return Resolve{}, fmt.Errorf("resolve %q: write PATTERN=ADDR:PORT, for example *.test=127.0.0.1:8080", s)
	}
	r := Resolve{Pattern: strings.TrimSuffix(strings.ToLower(strings.TrimSpace(pattern)), "."), Addr: strings.TrimSpace(addr)}
	if _, err := netip.ParseAddr(strings.Trim(r.Pattern, "[]")); err == nil {
		return Resolve{}, fmt.Errorf("resolve %q: the pattern must be a host name, not an address", s)
	}
	for label := range strings.SplitSeq(r.Pattern, ".") {
		if label != "*" && (label == "" || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "") {
			return Resolve{}, fmt.Errorf("resolve %q: %q is not a host name pattern", s, pattern)
		}
	}
	to, err := netip.ParseAddrPort(r.Addr)
	if err != nil || to.Port() == 0 {
		return Resolve{}, fmt.Errorf("resolve %q: %q is not an IP address with a port", s, addr)
	}
	r.Addr = to.String()
	return r, nil
}

// Open permits what rules (see ParseResolve) and networks (CIDR) name. The error names the one that cannot be read.
func (o *LiveOptions) Open(resolve, private []string) error {
	for _, text := range resolve {
		r, err := ParseResolve(text)
		if err != nil {
			return err
		}
		o.Resolve = append(o.Resolve, r)
	}
	for _, text := range private {
		p, err := netip.ParsePrefix(text)
		if err != nil {
			return fmt.Errorf("allow private addresses %q: %w", text, err)
		}
		o.AllowPrivate = append(o.AllowPrivate, p.Masked())
	}
	return nil
}

func (r Resolve) String() string { return r.Pattern + "=" + r.Addr }

// Matches reports whether the rule applies to a host. It never applies to a literal address.
func (r Resolve) Matches(host string) bool {
	host = ruleName(host)
	if _, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil || host == "" {
		return false
	}
	return matchLabels(strings.Split(r.Pattern, "."), strings.Split(host, "."))
}

// ruleName is a host name as rules spell it.
func ruleName(host string) string { return strings.TrimSuffix(strings.ToLower(host), ".") }

func matchLabels(pattern, host []string) bool {
	if len(pattern) == 0 || len(host) == 0 {
		return len(pattern) == len(host)
	}
	if pattern[0] != "*" || host[0] == "" {
		return pattern[0] == host[0] && matchLabels(pattern[1:], host[1:])
	}
	return matchLabels(pattern[1:], host[1:]) || matchLabels(pattern, host[1:])
}
