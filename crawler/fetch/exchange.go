package fetch

import (
	"net/http"
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
	Status  int    // 0 without an answer
	Bytes   int64  // of the body, on the wire
	Reason  string // why there is no answer, or no whole one; "" when there is

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
