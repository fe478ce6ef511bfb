package fetch

import (
	"strings"
	"sync"

	"nightjar/crawler/weburl"
)

// maxSeen bounds what is remembered of hosts.
const maxSeen = 100_000

// hosts is a set of host names. It forgets at random when it is full.
type hosts struct {
	mu  sync.Mutex
	set map[string]struct{}
}

// add reports whether the host is new.
func (h *hosts) add(host string) bool {
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

func (h *hosts) has(host string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, ok := h.set[host]
	return ok
}

// upgrade writes the address of a host that has answered over https as one of https: it is not asked in the clear any
// more, as with RFC 6797. An address with a port of its own stays.
func (l *Live) upgrade(url string) string {
	rest, plain := strings.CutPrefix(url, "http://")
	if !plain {
		return url
	}
	host := weburl.Host(url)
	if authority, _, _ := strings.Cut(rest, "/"); authority != host || !l.secure.has(host) {
		return url
	}
	return "https://" + rest
}
