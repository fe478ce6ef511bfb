package fetch

import (
	"net/http"
	"strings"
	"time"
)

// Purpose says why a request was sent.
type Purpose string

// The purposes.
const (
	ForPage     Purpose = "page"
	ForRedirect Purpose = "redirect" // the page, where a redirect led
	ForRobots   Purpose = "robots"   // robots.txt
	ForSitemap  Purpose = "sitemap"
	ForProbe    Purpose = "probe" // a page that cannot exist
	ForPart     Purpose = "part"  // what a page needs to be rendered
)

// Exchange is one request to a server of the web and what came of it.
type Exchange struct {
	URL     string // canonical
	Purpose Purpose
	Addr    string // IP address that was asked, "" when none was reached
	At      time.Time
	Took    time.Duration
	Status  int       // 0 without an answer
	Bytes   int64     // of the body, on the wire
	Reason  string    // why there is no answer, or no whole one; "" when there is
	Until   time.Time // the host must be left alone until then; zero when that is within a minute

	// What an archive needs, filled in only with LiveOptions.Keep and when there is an answer. The body is as it was
	// sent, its Content-Encoding not undone; Truncated says that it was cut.
	Proto         string // "HTTP/1.1", "HTTP/2.0"
	RequestHeader http.Header
	Header        http.Header
	Body          []byte
	Truncated     bool
}

// Known is what is kept of a page that was fetched before.
type Known struct {
	ETag         string
	LastModified string
	Body         []byte // UTF-8, as Response.Body
}

// asks reports whether there is something to ask the server about.
func (k Known) asks() bool { return k.ETag != "" || k.LastModified != "" }

// maxValidator bounds an ETag in bytes.
const maxValidator = 256

// validators reads what a later request for the page may be made conditional by (RFC 9110, 8.8). Values that do not look
// like what they should be are dropped: they would be sent back.
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

// isETag reports whether s is an entity tag: a quoted string of visible characters, W/ before it when it is weak.
func isETag(s string) bool {
	opaque, ok := strings.CutPrefix(strings.TrimPrefix(s, "W/"), `"`)
	if opaque, ok2 := strings.CutSuffix(opaque, `"`); ok && ok2 && len(s) <= maxValidator {
		return !strings.ContainsFunc(opaque, func(r rune) bool { return r <= ' ' || r >= 0x7f || r == '"' })
	}
	return false
}

// unchanged takes the page as it is known, which the server says it still is.
func (res *Response) unchanged(known Known, header http.Header, agent string) {
	res.Outcome, res.NotModified, res.Body = OK, true, known.Body
	res.ETag, res.LastModified = known.ETag, known.LastModified
	res.validators(header)
	res.robotsTags(header, agent)
}
