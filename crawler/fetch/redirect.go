package fetch

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	"nightjar/crawler/weburl"
)

// MaxRedirects is how many redirects are followed for one page.
const MaxRedirects = 5

// IsRedirect reports whether a status is a redirect.
func IsRedirect(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// Redirect moves res.FinalURL to the target of a redirect. It returns false, with the outcome set, when the redirect may
// not be followed.
func (res *Response) Redirect(location string, seen map[string]bool) bool {
	to, err := weburl.Resolve(res.FinalURL, escapeBytes(location))
	to = weburl.Document(to)
	switch {
	case err != nil:
		res.fail(Redirects, "redirected to %.80q: %v", location, err)
	case seen[to]:
		res.fail(Redirects, "the redirects form a loop")
	case len(seen) > MaxRedirects:
		res.fail(Redirects, "more than %d redirects", MaxRedirects)
	case strings.HasPrefix(res.FinalURL, "https:") && strings.HasPrefix(to, "http:"):
		res.fail(Redirects, "redirected from https to http")
	default:
		if res.FinalURL != res.URL {
			res.Redirects = append(res.Redirects, res.FinalURL)
		}
		res.FinalURL = to
		return true
	}
	return false
}

// escapeBytes escapes the bytes of a Location that is not UTF-8, as browsers do: they ask for the bytes that the server named.
func escapeBytes(location string) string {
	if utf8.ValidString(location) {
		return location
	}
	var b strings.Builder
	for i := range len(location) {
		if c := location[i]; c < utf8.RuneSelf {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// Response reads the answer of a stored exchange as a fetcher does, but follows no redirect.
func (e Exchange) Response() Response {
	res := Response{URL: e.URL, FinalURL: e.URL, Took: e.Took}
	res.readAnswer(e.Status, e.Header, bytes.NewReader(e.Body), "nightjar")
	return res
}
