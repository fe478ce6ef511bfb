package scrub

import (
	"regexp"
	"slices"
	"strings"
)

// meta says what the content of a meta element is.
type meta struct {
	refresh, token bool
}

func metaOf(rest []byte) (m meta) {
	for {
		a, after, ok := next(rest)
		if !ok {
			return m
		}
		rest = after
		value := strings.ToLower(decode(a.value))
		switch strings.ToLower(string(a.name)) {
		case "http-equiv":
			m.refresh = m.refresh || strings.TrimSpace(value) == "refresh"
		case "name", "property", "id", "itemprop":
			m.token = m.token || slices.ContainsFunc(tokens, func(word string) bool { return strings.Contains(value, word) })
		}
	}
}

// tokens are in the names of meta elements that hold a token of the person's session.
var tokens = []string{"csrf", "xsrf", "token", "nonce", "secret", "session"}

var refreshURL = regexp.MustCompile(`(?is)^([^;,]*[;,]\s*(?:url\s*=)?\s*["']?)(.*)$`)

// content cleans what a meta element says: the address that a refresh leads to, any other address, or a token.
func (m meta) content(text string) (clean string, same bool) {
	switch {
	case m.token:
		return "", false
	case m.refresh:
		if parts := refreshURL.FindStringSubmatch(text); parts != nil && parts[2] != "" {
			to := link(parts[2])
			return parts[1] + to, to == parts[2]
		}
	case strings.Contains(text, ":"):
		if head := strings.ToLower(strings.TrimSpace(text)); strings.HasPrefix(head, "http:") || strings.HasPrefix(head, "https:") {
			clean = link(text)
			return clean, clean == text
		}
	}
	return "", true
}
