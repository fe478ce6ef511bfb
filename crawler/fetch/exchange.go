package fetch

import (
	"net/http"
	"strings"
	"time"
)

// Purpose says why a request was sent.
type Purpose string

// PurposeField is the WARC field that holds the Purpose of an answer. Other programs ignore it.
const PurposeField = "Nightjar-Purpose"

// The purposes.
const (
	ForPage        Purpose = "page"
	ForRedirect    Purpose = "redirect" // the target of a redirect
	ForRobots      Purpose = "robots"   // robots.txt
	ForSitemap     Purpose = "sitemap"
	ForFeed        Purpose = "feed"  // RSS or Atom
	ForProbe       Purpose = "probe" // a page that cannot exist
	ForSubresource Purpose = "part"  // a file that a page needs to be rendered
)

// Exchange is one request and its answer.
type Exchange struct {
	URL     string // canonical
	Purpose Purpose
	Addr    string // IP address of the server, "" when none was reached
	At      time.Time
	Took    time.Duration
	Status  int     // 0 when there was no answer
	Bytes   int64   // of the body, on the wire
	Reason  string  // why the answer is missing or incomplete, otherwise ""
	Worker  string  // name of the worker that sent it, "" for this process
	Cut     Outcome // why reading the answer ended early: Timeout, TooLarge, ...; otherwise ""

	// For the archive: filled in only with LiveOptions.Keep, and if there was an answer. The body is as sent, with its
	// Content-Encoding; Truncated says that it was cut.
	Proto         string // "HTTP/1.1", "HTTP/2.0"
	RequestHeader http.Header
	Header        http.Header
	Body          []byte
	Truncated     bool
}

// Known is the stored copy of a page that was fetched before.
type Known struct {
	ETag         string
	LastModified string
	Body         []byte // UTF-8, from Response.Body
}

// hasValidators reports whether a request can be made conditional.
func (k Known) hasValidators() bool { return k.ETag != "" || k.LastModified != "" }

// maxValidator bounds an ETag in bytes.
const maxValidator = 256

// validators reads the validators for a later conditional request (RFC 9110, 8.8). It drops malformed values, which
// would otherwise be sent back to the server.
func (res *Response) validators(header http.Header) {
	if tag := header.Get("ETag"); isETag(tag) {
		res.ETag = tag
	}
	if date := header.Get("Last-Modified"); date != "" {
		if _, err := http.ParseTime(date); err == nil {
			res.LastModified = date
		}
	}
}

// isETag reports whether s is an entity tag: a quoted string of visible characters, prefixed with W/ if it is weak.
func isETag(s string) bool {
	opaque, ok := strings.CutPrefix(strings.TrimPrefix(s, "W/"), `"`)
	if opaque, ok2 := strings.CutSuffix(opaque, `"`); ok && ok2 && len(s) <= maxValidator {
		return !strings.ContainsFunc(opaque, func(r rune) bool { return r <= ' ' || r >= 0x7f || r == '"' })
	}
	return false
}

// useKnown takes the page from known, after the server answered 304.
func (res *Response) useKnown(known Known, header http.Header, agent string) {
	res.Outcome, res.NotModified, res.Body, res.Refresh = OK, true, known.Body, refreshIn(header)
	res.ETag, res.LastModified = known.ETag, known.LastModified
	res.validators(header)
	res.robotsTags(header, agent)
}
