package trap

import (
	"strings"

	"nightjar/crawler/weburl"
)

// Limits on the shape of an address. Beyond them, an address is far more often a trap than a page.
const (
	maxURL     = weburl.MaxLength // bytes
	maxDepth   = 20               // path segments
	maxRepeats = 3                // times the same segment occurs in a path
)

// Shape says why an address alone looks like a trap: too long, too deep, or repetitive. It returns "" if it does not.
func Shape(url string) string {
	if len(url) > maxURL {
		return "the address is too long"
	}
	var room [maxDepth]string
	segments := room[:0]
	for s := range strings.SplitSeq(pathOf(url), "/") {
		if s == "" {
			continue
		}
		if len(segments) == maxDepth {
			return "the address has too many folders"
		}
		segments = append(segments, s)
		if repeats(segments) > maxRepeats {
			return "the address repeats a folder too often"
		}
	}
	return ""
}

// repeats is how often the last segment occurs.
func repeats(segments []string) (n int) {
	last := segments[len(segments)-1]
	for _, s := range segments {
		if s == last {
			n++
		}
	}
	return n
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
