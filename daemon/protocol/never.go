package protocol

import (
	"net/url"
	"strings"
)

// Never reports whether raw is of a host on the list or of a subdomain of one. What has no host is never recorded.
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
	for _, h := range hosts {
		if h = strings.Trim(strings.ToLower(h), "."); h != "" && (host == h || strings.HasSuffix(host, "."+h)) {
			return true
		}
	}
	return false
}
