package fetch

import (
	"context"
	"time"
)

// Outcome says how a fetch ended.
type Outcome string

// The outcomes.
const (
	OK        Outcome = "ok"
	Missing   Outcome = "missing" // replay: the recording lacks the page
	Robots    Outcome = "robots"  // robots.txt disallows it
	Refused   Outcome = "refused" // by our own rules: private address, scheme, port, secret in the URL
	Status    Outcome = "status"  // an HTTP status other than 200
	Type      Outcome = "type"    // not HTML
	TooLarge  Outcome = "size"    // larger than the cap
	Timeout   Outcome = "timeout"
	Redirects Outcome = "redirect" // too many, a loop, or a downgrade to http
	Network   Outcome = "network"  // DNS, dial, TLS, reset
	Canceled  Outcome = "canceled" // the crawl was stopped
	Lost      Outcome = "lost"     // no worker brought a result
	Visited   Outcome = "visited"  // not sent: the person visited the page, and the crawl read its recorded copy
	Listed    Outcome = "listed"   // a list of the pages of a host, not a page
	Later     Outcome = "later"    // not sent: the host must rest for longer than a fetch waits; see ReadyAt
)

// Free reports whether an attempt with this outcome costs no budget: robots.txt forbids the URL, or it is tried again
// later.
func (o Outcome) Free() bool { return o == Robots || o == Later }

// Response is the result of one attempt. Body is valid UTF-8.
type Response struct {
	URL       string   // as requested, canonical
	FinalURL  string   // after redirects, canonical
	Redirects []string // canonical URLs between URL and FinalURL
	Outcome   Outcome
	Reason    string // why the outcome is not OK, for a person to read; or BlankReason
	Status    int    // HTTP status, 0 when there was no answer
	Body      []byte // decoded to UTF-8
	Charset   string // name of the encoding in which it was sent, "" if that is not known; see page.Source
	Refresh   string // header Refresh, "" for none
	Packed    []byte `json:"-"` // Body as a gzip member, as the server sent it; nil if that is not at hand, or large
	Truncated bool   // Body was cut at the cap
	NoIndex   bool   // X-Robots-Tag
	NoFollow  bool
	Until     time.Time // unavailable_after of X-Robots-Tag, zero if absent
	Bytes     int64     // on the wire
	Took      time.Duration

	Moved    string // a redirect to another host, which was not followed; only with Terms.OwnHost. The outcome is then Redirects
	RobotsAt string // the robots.txt of the page's origin redirects to this address on another host; only with Terms.OwnHost

	ContentType  string // as the server named it; only with Documents and of what LiveOptions.Page made a page of
	ETag         string // validators of the page, "" if absent
	LastModified string
	NotModified  bool       // the server answered 304; Body is that of Known
	Lists        []List     // of the host; only of Lister.List
	NotFound     []byte     // UTF-8 page with status 200 that the host shows for a URL that cannot exist; nil if it has none
	Exchanges    []Exchange // all requests that this attempt sent, including those for robots.txt, in order
}

// BlankReason is the reason of a page that is OK, but shows nothing until its scripts run, which they did not.
const BlankReason = "it is blank without JavaScript"

// Fetcher gets pages. It is safe for concurrent use.
type Fetcher interface {
	// Fetch gets url, which is canonical. It waits for the host if it must, and returns when ctx ends. With the outcome
	// Later, the page was not requested: call Fetch again at the time that ReadyAt gives.
	Fetch(ctx context.Context, url string) Response
	// ReadyAt is when the next request may go to the URL's host; the zero time means now.
	ReadyAt(url string) time.Time
}

// Lister is a Fetcher that also reads the lists of pages that hosts publish. It is safe for concurrent use.
type Lister interface {
	// List returns as Lists what url's host lists. It waits for the host if it must, and returns when ctx ends. With the outcome
	// Later, the lists are not read to their end: call List again at the time that ReadyAt gives.
	List(ctx context.Context, url string) Response
	// AddFeeds takes note of feeds that a page names: if they are on its site, they are lists of its host. It reports whether List
	// has more to read then.
	AddFeeds(ctx context.Context, page string, feeds []string) bool
}
