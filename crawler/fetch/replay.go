package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"nightjar/crawler/weburl"
)

// Replay is a recording: it answers from WARC files as the servers did, redirects included. It opens no socket, and no
// page has to wait.
type Replay struct {
	files   []recorded
	entries map[string]entry // by canonical URL
	pages   []string         // those with an HTML page
}

// recorded is an open file of the recording.
type recorded struct {
	file *os.File
	size int64
}

// Close closes the files.
func (r *Replay) Close() error {
	var err error
	for _, a := range r.files {
		err = errors.Join(err, a.file.Close())
	}
	return err
}

// Pages lists the canonical URLs of the recorded HTML pages in the order of the recording.
func (r *Replay) Pages() []string { return r.pages }

// ReadyAt is the zero time: a recording is always ready.
func (r *Replay) ReadyAt(string) time.Time { return time.Time{} }

// Fetch answers from the recording, following redirects inside it.
func (r *Replay) Fetch(ctx context.Context, url string) Response {
	res := Response{URL: weburl.Document(url), FinalURL: weburl.Document(url)}
	for seen := map[string]bool{}; ; {
		if ctx.Err() != nil {
			res.fail(Canceled, "the crawl was stopped")
			return res
		}
		e, ok := r.entries[res.FinalURL]
		if !ok {
			res.fail(Missing, "not in the recording")
			return res
		}
		seen[res.FinalURL] = true
		a, _, err := r.answer(e)
		if err != nil {
			res.fail(Network, "%v", err)
			return res
		}
		if !redirects(a.Status) || a.Header.Get("Location") == "" {
			res.readAnswer(a.Status, a.Header, bytes.NewReader(a.Body), "nightjar")
			return res
		}
		res.Status = a.Status
		res.Bytes += int64(len(a.Body))
		if !res.redirect(a.Header.Get("Location"), seen) {
			return res
		}
	}
}

// MaxRedirects is how many redirects are followed for one page.
const MaxRedirects = 5

// redirects reports whether a status is a redirect.
func redirects(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// redirect moves res.FinalURL to the target of a redirect. It returns false, with the outcome set, when the redirect may
// not be followed.
func (res *Response) redirect(location string, seen map[string]bool) bool {
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
