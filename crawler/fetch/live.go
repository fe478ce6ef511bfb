package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"nightjar/crawler/clock"
	"nightjar/crawler/page"
	"nightjar/crawler/weburl"
)

// Limits of one request.
const (
	DefaultTimeout = 10 * time.Second // [HMM] §4
	maxHeader      = 64 << 10
)

// LiveOptions are the settings of a Live fetcher.
type LiveOptions struct {
	// Delay is the pause between two requests to one host. robots.txt may set a longer one. A delay below 1 s applies
	// only to hosts opened by Resolve or AllowPrivate.
	Delay time.Duration
	// UserAgent is sent with each request, for example "Nightjar/1.0 (+contact)". The part before the slash is the
	// product token that robots.txt rules are matched with.
	UserAgent string
	// Resolve and AllowPrivate permit private addresses, and ports other than 80 and 443, which are otherwise refused.
	Resolve      []Resolve
	AllowPrivate []netip.Prefix
	// Self are our own listen addresses (host:port), which are never fetched.
	Self []string
	// SelfNow, unless nil, returns more of them, as they are at that moment. It is called for each connection.
	SelfNow func() []string
	// Dial, unless nil, connects to the addresses that Resolve gives, in place of the machine's network.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Conn, unless nil, wraps each new connection, for example to limit its rate; an error refuses it. ctx has the values of
	// that of the Fetch for which it was dialled.
	Conn func(ctx context.Context, c net.Conn) (net.Conn, error)
	// Room, unless nil, is called before more than roomPiece bytes of a body are read, and again for each further roomPiece. It
	// may wait, so that many large bodies do not fill the memory at once; an error ends the request.
	Room func(ctx context.Context, bytes int64) error
	// Timeout bounds the wait for the header of an answer; 0 is DefaultTimeout. Half of it bounds the wait for the next
	// byte of the body, which must bring 1,000 bytes a second, averaged over Timeout. Three times Timeout bounds all
	// requests for one page together, without the waits for the host.
	Timeout time.Duration
	// RootCAs are the authorities that certificates are checked with; nil means the system's.
	RootCAs *x509.CertPool
	// Clock measures delays and expiries; nil means the system's.
	Clock clock.Clock
	// Sitemaps makes List read the sitemaps of hosts and the feeds that their pages name.
	Sitemaps bool
	// Probe makes Fetch request, once a host, a page that cannot exist; see Response.NotFound.
	Probe bool
	// Page, unless nil, makes a page of HTML in UTF-8 of a PDF, or of a plain text or Markdown in UTF-8, which Fetch otherwise does not
	// take. It may be called concurrently, and returns soon after ctx ends.
	Page func(ctx context.Context, url string, body []byte) (html []byte, err error)
	// Keep makes Fetch fill in the headers and the body of each Exchange, for the archive.
	Keep bool
	// Memory keeps what hosts ask for, for later fetchers; nil means that it is forgotten. Hosts is what earlier ones kept;
	// only NewLive reads it.
	Memory Memory
	Hosts  []HostState
	// Refuse reports whether an address must never be requested, not even after a redirect; nil means never. The goroutines
	// of Fetch call it.
	Refuse func(url string) bool
	// Known returns the stored copy of a page, which makes its request conditional; nil means that there are none.
	Known func(ctx context.Context, url string) (Known, bool)
}

// Live fetches from the web: politely, without cookies or credentials, and only from public addresses.
type Live struct {
	options      LiveOptions
	token        string // product token, for robots.txt
	clock        clock.Clock
	guard        *guard
	limiter      *hostLimiter
	robots       *robotsCache
	transport    *http.Transport
	privateHosts sync.Map                     // hosts whose last connection went to an address in AllowPrivate
	httpsHosts   *lru.Cache[string, struct{}] // hosts that have answered over https
	probedHosts  *lru.Cache[string, struct{}]
	hops         *lru.Cache[string, hop]      // by page
	halfRead     *lru.Cache[string, HostList] // lists whose reading was cut short, since their hosts had to rest or the crawl was stopped; by host
	listing      turns                        // of those who read the lists of a host

	naming sync.Mutex
	named  map[string][]string // feeds that pages of a host named, by host; not of all hosts
}

// Limits of what is remembered.
const (
	maxSeen     = 100_000 // hosts of a set
	maxHops     = 1000    // pages with interrupted redirects
	maxHalfRead = 1_000   // hosts whose lists are being read
)

// lastOf remembers the last values, at most that many.
func lastOf[V any](most int) *lru.Cache[string, V] {
	c, err := lru.New[string, V](most)
	if err != nil {
		panic(err) // most is a constant above 0
	}
	return c
}

// NewLive makes a fetcher for the web. Close it when done.
func NewLive(o LiveOptions) *Live {
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.UserAgent == "" {
		o.UserAgent = "Nightjar"
	}
	if o.Memory == nil {
		o.Memory = &forgets{}
	}
	o.Clock = clock.Or(o.Clock)
	l := &Live{options: o, clock: o.Clock, guard: o.guard(), limiter: newHostLimiter(o.Clock), robots: newRobotsCache(o.Clock)}
	l.named = map[string][]string{}
	l.httpsHosts, l.probedHosts, l.hops, l.halfRead = lastOf[struct{}](maxSeen), lastOf[struct{}](maxSeen), lastOf[hop](maxHops), lastOf[HostList](maxHalfRead)
	l.limiter.lookup = l.guard.addresses
	l.token, _, _ = strings.Cut(o.UserAgent, "/")
	l.token, _, _ = strings.Cut(l.token, " ")
	l.restore(o.Hosts)
	l.transport = &http.Transport{
		Proxy:                  nil, // a proxy would hide the address from the guard
		DialContext:            l.dial,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: o.RootCAs},
		TLSHandshakeTimeout:    dialTimeout,
		ResponseHeaderTimeout:  o.Timeout,
		MaxResponseHeaderBytes: maxHeader,
		DisableCompression:     true, // readBody decompresses, and counts the bytes before and after
		ForceAttemptHTTP2:      true,
		MaxIdleConns:           256, // connections of many hosts stay open between their requests
		MaxIdleConnsPerHost:    1,
		IdleConnTimeout:        30 * time.Second,
	}
	return l
}

// dial connects to the authority of a URL, if the guard permits it.
func (l *Live) dial(ctx context.Context, network, authority string) (net.Conn, error) {
	c, err := l.guard.dial(ctx, network, authority)
	if err != nil {
		return nil, err
	}
	// What the network has not taken when the connection is closed is not sent any more: after an outage, the system would deliver
	// requests that were given up long ago, many at once, and the pages would be asked for twice.
	if tcp, ok := c.(*net.TCPConn); ok {
		if err := tcp.SetLinger(0); err != nil {
			return nil, errors.Join(err, c.Close())
		}
	}
	if l.options.Conn == nil {
		return c, nil
	}
	return l.options.Conn(ctx, c)
}

// Close closes the idle connections and the memory. No fetch may be in flight.
func (l *Live) Close() error {
	l.transport.CloseIdleConnections()
	for _, host := range l.limiter.resting() { // by the clock as it shows now: it may have been set since
		l.keep(context.Background(), host)
	}
	if err := l.options.Memory.Close(context.Background()); err != nil {
		return fmt.Errorf("store what hosts asked for: %w", err)
	}
	return nil
}

// ReadyAt is when the next request may go to the URL's host; the zero time means now.
func (l *Live) ReadyAt(url string) time.Time {
	return l.limiter.readyAt(weburl.Host(url), func() time.Duration { return l.delay(url) })
}

// Rests returns why the host of an address must wait for longer than the usual pause.
func (l *Live) Rests(url string) Rest {
	if h := l.limiter.peek(weburl.Host(url)); h.next > l.limiter.now() {
		return h.why
	}
	return RestNone
}

// Fetch gets a page: it checks robots.txt, waits for the host, and follows redirects the same way.
func (l *Live) Fetch(ctx context.Context, raw string) Response {
	res := Response{URL: raw, FinalURL: raw}
	if u, err := weburl.Canonical(raw); err != nil {
		res.fail(Refused, "%v", err)
		return res
	} else if u = weburl.Document(u); u != raw {
		res.URL, res.FinalURL = u, u
	}
	waitCtx, seen := withWaitLimit(ctx, shortWait), l.resumeHops(&res)
	if len(seen) > 0 {
		waitCtx = withWaitLimit(ctx, lentWait(ctx, hopWaitLimit(&res)))
	}
	for {
		res.FinalURL = l.upgrade(res.FinalURL)
		if err := l.checkURL(res.FinalURL); err != nil {
			res.fail(Refused, "%v", err)
			return res
		}
		if refused(ctx, res.FinalURL) {
			res.fail(Refused, "the site is refused")
			return res
		}
		if !l.allowed(waitCtx, &res) {
			l.saveHops(&res, seen)
			return res
		}
		seen[res.FinalURL] = true
		from, location := res.FinalURL, l.get(waitCtx, &res)
		if location == "" && !res.refresh(seen) {
			l.saveHops(&res, seen)
			if documentLimit(ctx) == 0 {
				l.probe(ctx, &res)
			}
			return res
		}
		if location != "" && !res.Redirect(location, seen) || !res.stays(ctx, from) {
			return res
		}
		waitCtx = withWaitLimit(ctx, lentWait(ctx, hopWaitLimit(&res)))
	}
}

// get requests res.FinalURL and returns the target of a redirect, or "" when the answer is none.
func (l *Live) get(ctx context.Context, res *Response) (location string) {
	limit := documentLimit(ctx)
	q := requestSpec{purpose: ForPage, accept: acceptPage}
	if limit > 0 {
		q.accept, q.whole = acceptDocument, documentTime
	} else if l.options.Page != nil {
		q.accept += ",application/pdf;q=0.8,text/plain;q=0.5,text/markdown;q=0.5"
	}
	if res.FinalURL != res.URL {
		q.purpose = ForRedirect
	}
	if limit == 0 {
		q.known = l.known(ctx, res)
	}
	_, err := l.roundTrip(ctx, res, q, func(answer *http.Response) error {
		if location = answer.Header.Get("Location"); !IsRedirect(answer.StatusCode) {
			location = ""
		}
		switch {
		case location != "":
		case answer.StatusCode == http.StatusNotModified && q.known.hasValidators():
			res.useKnown(q.known, answer.Header, l.token)
		case limit > 0:
			res.readDocument(answer.StatusCode, answer.Header, answer.Body, limit)
		case l.pageLimit(answer.Header) > 0:
			res.readDocument(answer.StatusCode, answer.Header, answer.Body, l.pageLimit(answer.Header))
			if res.Outcome == OK {
				res.validators(answer.Header)
				res.robotsTags(answer.Header, l.token)
			}
		default:
			res.readAnswer(answer.StatusCode, answer.Header, answer.Body, l.token)
		}
		return nil
	})
	if err != nil {
		res.failNetwork(err, "requesting "+weburl.Host(res.FinalURL))
	}
	if limit == 0 && res.Outcome == OK && res.ContentType != "" {
		l.makePage(ctx, res)
	}
	if ctx.Err() != nil && (res.Outcome == Network || res.Outcome == Timeout) {
		res.fail(Canceled, "the crawl was stopped")
	}
	return location
}

// Source is what the answer says of the document in its body.
func (res *Response) Source() page.Source {
	return page.Source{URL: res.FinalURL, Encoding: res.Charset, Refresh: res.Refresh}
}

// refresh moves res.FinalURL to the target of an immediate refresh that may be followed. Otherwise it returns false and
// leaves res as it is.
func (res *Response) refresh(seen map[string]bool) bool {
	if res.Outcome != OK || res.NoFollow || res.ContentType != "" && !isHTML(res.ContentType) {
		return false
	}
	to := page.Refresh(res.Source(), res.Body)
	if to == "" {
		return false
	}
	next := Response{URL: res.URL, FinalURL: res.FinalURL, Redirects: res.Redirects, Status: res.Status, Bytes: res.Bytes, Took: res.Took, Exchanges: res.Exchanges}
	if !next.Redirect(to, seen) {
		return false
	}
	*res = next
	return true
}

// Refusal returns a function that says why a fetcher with these options refuses an address without looking up its host; nil if it
// does not.
func (o LiveOptions) Refusal() func(url string) error {
	return (&Live{options: o, guard: o.guard()}).checkURL
}

func (o LiveOptions) guard() *guard {
	g := newGuard(o.Resolve, o.AllowPrivate, o.Self)
	g.now = o.SelfNow
	if o.Dial != nil {
		g.dialRule = o.Dial
	}
	return g
}

// checkURL refuses a URL for what it says, without looking up its host.
func (l *Live) checkURL(raw string) error {
	u, err := url.Parse(weburl.Origin(raw))
	switch {
	case err != nil:
		return refuse("%q is not a valid URL", weburl.Origin(raw))
	case l.options.Refuse != nil && l.options.Refuse(raw):
		return refuse("the site is refused")
	case weburl.Secret(raw):
		return refuse("the address contains credentials or what looks like a secret")
	case weburl.Action(raw):
		return refuse("opening the address could change something, like logging out or deleting")
	}
	return l.guard.checkName(u.Hostname(), u.Port())
}
