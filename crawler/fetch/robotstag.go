package fetch

import (
	"net/http"
	"strings"
	"time"

	"nightjar/crawler/page"
)

// robotsTags reads the directives for us from the X-Robots-Tag headers.
func (res *Response) robotsTags(header http.Header, agent string) {
	for _, value := range header.Values("X-Robots-Tag") {
		words := addressed(value, agent)
		noIndex, noFollow := page.RobotsTag(words)
		res.NoIndex = res.NoIndex || noIndex
		res.NoFollow = res.NoFollow || noFollow
		if until := page.Unavailable(words); !until.IsZero() && (res.Until.IsZero() || until.Before(res.Until)) {
			res.Until = until
		}
	}
}

// addressed returns the directives of an X-Robots-Tag value that are for us: those after our name, or before any name. A
// name applies until the next one.
func addressed(value, agent string) string {
	var ours []string
	forUs := true
	for part := range strings.SplitSeq(value, ",") {
		if name, words, ok := strings.Cut(part, ":"); ok && isAgent(strings.TrimSpace(name)) {
			name = strings.TrimSpace(name)
			forUs = name == "*" || strings.EqualFold(name, "robots") || strings.EqualFold(name, agent)
			part = words
		}
		if forUs {
			ours = append(ours, part)
		}
	}
	return strings.Join(ours, ",")
}

// isAgent reports whether the text before a colon is the name of a robot, not a directive with a value or part of a date.
func isAgent(name string) bool {
	switch strings.ToLower(name) {
	case "unavailable_after", "max-snippet", "max-image-preview", "max-video-preview", "":
		return false
	case "*":
		return true
	}
	return !strings.ContainsFunc(name, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_')
	}) && !digits(name)
}

// digits reports whether a name begins with one, as the time of a date does.
func digits(name string) bool { return name[0] >= '0' && name[0] <= '9' }

// Expired reports whether a page had expired when it was requested. until is its unavailable_after, zero if absent.
func (res *Response) Expired(until time.Time) bool {
	n := len(res.Exchanges)
	return n > 0 && !until.IsZero() && !res.Exchanges[n-1].At.Before(until)
}
