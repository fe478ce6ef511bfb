package protocol

import (
	"net/url"
	"slices"
	"strings"
)

// Never reports whether the never-record list hosts covers the URL raw: its host is on the list, or is a subdomain of a
// host on the list, or the URL has no host.
func Never(hosts []string, raw string) bool {
	_, rest, ok := strings.Cut(raw, "://")
	if !ok {
		return true
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	u, err := url.Parse("http://" + rest)
	if err != nil || u.Hostname() == "" {
		return true
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	return slices.ContainsFunc(hosts, func(h string) bool {
		h = strings.Trim(strings.ToLower(h), ".")
		return h != "" && (host == h || strings.HasSuffix(host, "."+h))
	})
}
