package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"

	"nightjar/crawler/clock"
	"nightjar/crawler/page"
	"nightjar/crawler/weburl"
)

// Limits of one request.
const (
	DefaultTimeout = 10 * time.Second // [HMM] §5.1
	maxHeader      = 64 << 10
)

// LiveOptions say how the live web is asked.
type LiveOptions struct {
	// Delay is the pause between two requests to one host. robots.txt may ask for a longer one. Below 1 s it counts
	// only for hosts opened by Resolve or AllowPrivate.
	Delay time.Duration
	// UserAgent is sent with each request, as "Nightjar/1.0 (+contact)". What stands before the slash is the name that
	// robots.txt knows us by.
	UserAgent string
	// Resolve and AllowPrivate open what is otherwise refused: private addresses, and ports other than 80 and 443.
	Resolve      []Resolve
	AllowPrivate []netip.Prefix
	// Self are our own listen addresses (host:port), which are never fetched.
	Self []string
	// Timeout bounds the wait for the header of an answer; 0 is DefaultTimeout. Half of it bounds the wait for the next
	// byte of the body, which must bring 1,000 bytes a second over Timeout; and three times as much all requests for
	// one page together, turns not counted.
	Timeout time.Duration
	// RootCAs are the authorities that certificates are checked by; nil is the machine's.
	RootCAs *x509.CertPool
	// Clock is what delays and expiries are told by; nil is the machine's.
	Clock clock.Clock
	// Sitemaps allows reading the sitemaps of hosts, whose addresses become Response.Candidates.
	Sitemaps bool
	// Probe asks each host once for a page that cannot exist; see Response.NotFound.
	Probe bool
	// Keep fills in what an archive needs of each Exchange: headers and body.
	Keep bool
	// Asked tells when hosts were last asked before this fetcher was made, so that a restart does not cut a delay short.
	// It is read by NewLive only.
	Asked map[string]time.Time
	// Silent tells until when hosts must be left alone, as Exchange.Until said earlier, at most a day ahead. It is read by
	// NewLive only.
	Silent map[string]time.Time
	// Known tells what is kept of a page, so that the server need not send it again; nil means nothing.
	Known func(ctx context.Context, url string) (Known, bool)
}

// Live fetches from the web: politely, without cookies or credentials, and from public addresses only.
type Live struct {
	options   LiveOptions
	token     string // product token, for robots.txt
	clock     clock.Clock
	guard     *guard
	turns     *turns
	robots    *robotsCache
	transport *http.Transport
	near      sync.Map // hosts that were found at an address inside AllowPrivate
	secure    hosts    // that have answered over https
	probed    hosts
	hops      hops
	sitemaps  sitemaps
}

// NewLive makes a fetcher for the web. Close it when done.
func NewLive(o LiveOptions) *Live {
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.UserAgent == "" {
		o.UserAgent = "Nightjar"
	}
	o.Clock = clock.Or(o.Clock)
	l := &Live{options: o, clock: o.Clock, guard: newGuard(o.Resolve, o.AllowPrivate, o.Self), turns: newTurns(o.Clock), robots: newRobotsCache(o.Clock)}
	l.turns.lookup = l.guard.addresses
	l.remember(o.Asked, o.Silent)
	l.token, _, _ = strings.Cut(o.UserAgent, "/")
	l.token, _, _ = strings.Cut(l.token, " ")
	l.transport = &http.Transport{
		Proxy:                  nil, // a proxy would hide from the guard which address is asked
		DialContext:            l.guard.dial,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: o.RootCAs},
		TLSHandshakeTimeout:    dialTimeout,
		ResponseHeaderTimeout:  o.Timeout,
		MaxResponseHeaderBytes: maxHeader,
		DisableCompression:     true, // encodings are undone by readBody, which counts both sides
		ForceAttemptHTTP2:      true,
		MaxIdleConns:           256, // as many hosts take turns; one that comes again within the half minute needs no new connection
		MaxIdleConnsPerHost:    1,
		IdleConnTimeout:        30 * time.Second,
	}
	return l
}

// Close gives up the connections that are kept open.
func (l *Live) Close() error {
	l.transport.CloseIdleConnections()
	return nil
}

// ReadyAt is when the URL's host may next be asked; the zero time means now.
func (l *Live) ReadyAt(url string) time.Time {
	return l.turns.readyAt(weburl.Host(url), func() time.Duration { return l.delay(url) })
}

// Fetch gets a page: asks robots.txt, waits for the host's turn, follows redirects the same way.
func (l *Live) Fetch(ctx context.Context, raw string) Response {
	res := Response{URL: raw, FinalURL: raw}
	if u, err := weburl.Canonical(raw); err != nil {
		res.fail(Refused, "%v", err)
		return res
	} else if u != raw {
		res.URL, res.FinalURL = u, u
	}
	begun, seen := withPatience(ctx, shortly), l.goOn(&res)
	if len(seen) > 0 {
		begun = withPatience(ctx, onward(&res))
	}
	for {
		res.FinalURL = l.upgrade(res.FinalURL)
		if err := l.gate(res.FinalURL); err != nil {
			res.fail(Refused, "%v", err)
			return res
		}
		if !l.allowed(begun, &res) {
			l.breakOff(&res, seen)
			return res
		}
		seen[res.FinalURL] = true
		location := l.get(begun, &res)
		if location == "" && !res.refresh(seen) {
			l.breakOff(&res, seen)
			l.candidates(ctx, &res)
			l.probe(ctx, &res)
			return res
		}
		if location != "" && !res.redirect(location, seen) {
			return res
		}
		begun = withPatience(ctx, onward(&res))
	}
}

// get asks for the page that res has come to, and returns where a redirect leads, or "" when the answer stands.
func (l *Live) get(ctx context.Context, res *Response) (location string) {
	q := question{purpose: ForPage, accept: acceptPage}
	if res.FinalURL != res.URL {
		q.purpose = ForRedirect
	}
	if l.options.Known != nil {
		q.known, _ = l.options.Known(ctx, res.FinalURL)
	}
	_, err := l.ask(ctx, res, q, func(answer *http.Response) error {
		if location = answer.Header.Get("Location"); !redirects(answer.StatusCode) {
			location = ""
		}
		switch {
		case location != "":
		case answer.StatusCode == http.StatusNotModified && q.known.asks():
			res.unchanged(q.known, answer.Header, l.token)
		default:
			res.take(answer.StatusCode, answer.Header, answer.Body, l.token)
		}
		return nil
	})
	if err != nil {
		res.failNetwork(err, "asking "+weburl.Host(res.FinalURL))
	}
	if ctx.Err() != nil && (res.Outcome == Network || res.Outcome == Timeout) {
		res.fail(Canceled, "the crawl was stopped")
	}
	return location
}

// refresh moves res on to where the page sends its reader at once, if it may be followed. Otherwise the page stands.
func (res *Response) refresh(seen map[string]bool) bool {
	if res.Outcome != OK || res.NoFollow {
		return false
	}
	to := page.Refresh(res.FinalURL, res.Body)
	if to == "" {
		return false
	}
	next := Response{URL: res.URL, FinalURL: res.FinalURL, Redirects: res.Redirects, Status: res.Status, Bytes: res.Bytes, Took: res.Took, Exchanges: res.Exchanges}
	if !next.redirect(to, seen) {
		return false
	}
	*res = next
	return true
}

// gate decides on a URL by what is written in it.
func (l *Live) gate(raw string) error {
	u, err := url.Parse(origin(raw))
	switch {
	case err != nil:
		return refuse("%q is no address", origin(raw))
	case weburl.Secret(raw):
		return refuse("the address carries credentials or what looks like a secret")
	case weburl.Action(raw):
		return refuse("opening the address looks as if it did something, like logging out or deleting")
	}
	return l.guard.names(u.Hostname(), u.Port())
}
