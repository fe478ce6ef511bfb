// Package fetch gets pages: from the live web, or from a recorded one. It is the only code that opens sockets to the
// web.
package fetch

import (
	"context"
	"time"
)

// Outcome classifies how a fetch ended.
type Outcome string

// The outcomes.
const (
	OK        Outcome = "ok"
	Missing   Outcome = "missing"  // replay: the recording lacks the page
	Robots    Outcome = "robots"   // robots.txt disallows it
	Refused   Outcome = "refused"  // by our own rules: private address, scheme, port, secret in the URL
	Status    Outcome = "status"   // an HTTP status other than 200
	Type      Outcome = "type"     // not HTML
	TooLarge  Outcome = "size"     // larger than the cap
	Timeout   Outcome = "timeout"  //
	Redirects Outcome = "redirect" // too many, a loop, or a downgrade to http
	Network   Outcome = "network"  // DNS, dial, TLS, reset
	Canceled  Outcome = "canceled" // the crawl was stopped
	Later     Outcome = "later"    // not asked: its host is to be left alone for longer than a fetch waits; see ReadyAt
)

// Free reports whether an attempt that ended so costs no budget: URLs that robots.txt refuses, and those that are to be
// asked for again.
func (o Outcome) Free() bool { return o == Robots || o == Later }

// Response is how one attempt ended. Body is valid UTF-8.
type Response struct {
	URL       string   // as asked, canonical
	FinalURL  string   // after redirects, canonical
	Redirects []string // canonical URLs between URL and FinalURL
	Outcome   Outcome
	Reason    string // in words, for any outcome but OK
	Status    int    // HTTP status, 0 without an answer
	Body      []byte // decoded to UTF-8
	Truncated bool   // Body was cut at the cap
	NoIndex   bool   // X-Robots-Tag
	NoFollow  bool
	Until     time.Time // unavailable_after of X-Robots-Tag, zero without one
	Bytes     int64     // on the wire
	Took      time.Duration

	ETag         string     // validators of the page, "" without one
	LastModified string     //
	NotModified  bool       // the server said that the page is as Known has it; Body is from there
	Candidates   []string   // canonical URLs from the host's sitemaps, with the first page of the host that is asked
	NotFound     []byte     // what the host shows, as if it were a page, for an address that cannot exist; UTF-8, nil without
	Exchanges    []Exchange // every request that was sent for it, robots.txt and the like included, in order
}

// Fetcher gets pages. It is safe for concurrent use.
type Fetcher interface {
	// Fetch gets url, which is canonical. It waits for the host's turn when it must, and returns when ctx ends. After
	// Later the page has not been asked for: the URL goes back to where it came from, and is fetched when ReadyAt says.
	Fetch(ctx context.Context, url string) Response
	// ReadyAt is when the URL's host may next be asked; the zero time means now.
	ReadyAt(url string) time.Time
}
