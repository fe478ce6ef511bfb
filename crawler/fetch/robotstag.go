package fetch

import (
	"net/http"
	"strings"
	"time"

	"nightjar/crawler/page"
)

// robotsTags reads what the X-Robots-Tag headers say to us.
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

// addressed returns the words of an X-Robots-Tag value that are for us: those without a name before them, or with ours.
// A name holds until the next one.
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

// isAgent reports whether what stands before a colon is the name of a robot, and not a directive with a value or part of
// a date.
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

// Expired reports whether a page asked not to be shown any more after a time, zero for none, that has come when the page
// was asked for.
func (res *Response) Expired(until time.Time) bool {
	n := len(res.Exchanges)
	return n > 0 && !until.IsZero() && !res.Exchanges[n-1].At.Before(until)
}
