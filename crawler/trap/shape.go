package trap

import (
	"strings"

	"nightjar/crawler/page"
)

// Limits on the shape of an address: what is longer, deeper or repeats itself more is a trap far more often than a page.
const (
	maxURL     = page.MaxURL // bytes
	maxDepth   = 20          // path segments
	maxRepeats = 3           // times the same segment occurs in a path
)

// Shape says why an address looks like a trap by itself, "" when it does not: too long, too deep, or repeating itself.
func Shape(url string) string {
	if len(url) > maxURL {
		return "the address is too long"
	}
	depth := 0
	seen := make(map[string]int)
	for s := range strings.SplitSeq(pathOf(url), "/") {
		if s == "" {
			continue
		}
		depth++
		if seen[s]++; seen[s] > maxRepeats {
			return "the address repeats itself"
		}
	}
	if depth > maxDepth {
		return "the address is too deep"
	}
	return ""
}

// pathOf is the escaped path of a canonical address.
func pathOf(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	if i := strings.IndexAny(rest, "?#"); i >= 0 {
		rest = rest[:i]
	}
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		return rest[i:]
	}
	return ""
}
