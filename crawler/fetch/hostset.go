package fetch

import (
	"strings"
	"sync"

	"nightjar/crawler/weburl"
)

// maxSeen is the largest number of hosts in a set.
const maxSeen = 100_000

// hostSet is a set of host names. When full, it drops hosts at random.
type hostSet struct {
	mu  sync.Mutex
	set map[string]struct{}
}

// add adds a host and reports whether it is new.
func (h *hostSet) add(host string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, ok := h.set[host]; ok {
		return false
	}
	if h.set == nil {
		h.set = map[string]struct{}{}
	}
	for other := range h.set {
		if len(h.set) < maxSeen {
			break
		}
		delete(h.set, other)
	}
	h.set[host] = struct{}{}
	return true
}

func (h *hostSet) has(host string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, ok := h.set[host]
	return ok
}

// upgrade changes http to https for a host that has answered over https, as RFC 6797 does. It leaves URLs with a port
// unchanged.
func (l *Live) upgrade(url string) string {
	rest, plain := strings.CutPrefix(url, "http://")
	if !plain {
		return url
	}
	host := weburl.Host(url)
	if authority, _, _ := strings.Cut(rest, "/"); authority != host || !l.httpsHosts.has(host) {
		return url
	}
	return "https://" + rest
}
