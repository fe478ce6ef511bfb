package fetch

import (
	"context"
	"crypto/tls"
	"errors"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"nightjar/crawler/clock"
	"nightjar/crawler/page"
)

// Limits of one request.
const (
	DefaultTimeout = 10 * time.Second // [HMM] §5.1
	maxHeader      = 64 << 10
)

// minDelay is the shortest delay between two requests to a host that the person did not open.
const minDelay = time.Second

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
	// Timeout bounds one request from dialling to the last byte; 0 is DefaultTimeout.
	Timeout time.Duration
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
	// Silent tells until when hosts are to be left alone, as an earlier Live.Silences said. It is read by NewLive only.
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
	l.token, _, _ = strings.Cut(o.UserAgent, "/")
	l.token, _, _ = strings.Cut(l.token, " ")
	l.transport = &http.Transport{
		Proxy:                  nil, // a proxy would hide from the guard which address is asked
		DialContext:            l.guard.dial,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    dialTimeout,
		ResponseHeaderTimeout:  o.Timeout,
		MaxResponseHeaderBytes: maxHeader,
		DisableCompression:     true, // encodings are undone by readBody, which counts both sides
		ForceAttemptHTTP2:      true,
		MaxIdleConns:           50,
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
func (l *Live) ReadyAt(url string) time.Time { return l.turns.readyAt(page.Host(url), l.delay(url)) }

// delay is the pause after a request to the URL's host.
func (l *Live) delay(url string) time.Duration {
	host := page.Host(url)
	delay := max(l.options.Delay, l.robots.crawlDelay(url), 0)
	if _, near := l.near.Load(host); delay < minDelay && !near && !l.guard.opened(host) {
		delay = minDelay
	}
	return delay
}

// Fetch gets a page: asks robots.txt, waits for the host's turn, follows redirects the same way.
func (l *Live) Fetch(ctx context.Context, raw string) Response {
	res := Response{URL: raw, FinalURL: raw}
	if u, err := page.Canonical(raw); err != nil {
		res.fail(Refused, "%v", err)
		return res
	} else if u != raw {
		res.URL, res.FinalURL = u, u
	}
	for seen := map[string]bool{}; ; {
		if err := l.gate(res.FinalURL); err != nil {
			res.fail(Refused, "%v", err)
			return res
		}
		if !l.allowed(ctx, &res) {
			return res
		}
		seen[res.FinalURL] = true
		location := l.get(ctx, &res)
		if location == "" || !res.redirect(location, seen) {
			return res
		}
	}
}

// get asks for the page that res has come to, and returns where a redirect leads, or "" when the answer stands.
func (l *Live) get(ctx context.Context, res *Response) (location string) {
	_, err := l.ask(ctx, res, "text/html,application/xhtml+xml;q=0.9", func(answer *http.Response) error {
		if location = answer.Header.Get("Location"); !redirects(answer.StatusCode) {
			location = ""
		}
		if location == "" {
			res.take(answer.StatusCode, answer.Header, answer.Body, l.token)
		}
		return nil
	})
	if err != nil {
		res.failNetwork(err, "asking "+page.Host(res.FinalURL))
	}
	if ctx.Err() != nil && (res.Outcome == Network || res.Outcome == Timeout) {
		res.fail(Canceled, "the crawl was stopped")
	}
	return location
}

// gate decides on a URL by what is written in it.
func (l *Live) gate(raw string) error {
	u, err := url.Parse(origin(raw))
	switch {
	case err != nil:
		return refuse("%q is no address", origin(raw))
	case page.Secret(raw):
		return refuse("the address carries credentials or what looks like a secret")
	case page.Action(raw):
		return refuse("opening the address looks as if it did something, like logging out or deleting")
	}
	return l.guard.names(u.Hostname(), u.Port())
}

// ask sends one GET when the host's turn has come, and hands the answer to read before the turn ends.
func (l *Live) ask(ctx context.Context, res *Response, accept string, read func(*http.Response) error) (status int, err error) {
	req, err := l.request(res.FinalURL, accept)
	if err != nil {
		return 0, err
	}
	host := page.Host(res.FinalURL)
	if err := l.turns.acquire(ctx, host); err != nil {
		return 0, err
	}
	defer func() { l.turns.release(host, l.delay(res.FinalURL)) }()
	start := time.Now()
	defer func() { res.Took += time.Since(start) }()
	ctx, cancel := context.WithTimeout(l.watch(ctx, host), l.options.Timeout)
	defer cancel()
	answer, err := l.transport.RoundTrip(req.WithContext(ctx))
	if err != nil {
		return 0, err
	}
	defer drain(answer.Body)
	res.Status = answer.StatusCode
	if s := answer.StatusCode; s == http.StatusTooManyRequests || s == http.StatusServiceUnavailable {
		l.turns.busy(host, retryAfter(answer.Header.Get("Retry-After"), l.clock.Now()))
	} else {
		l.turns.answered(host)
	}
	return answer.StatusCode, read(answer)
}

// retryAfter reads a Retry-After header: seconds, or a date. The zero time stands for none, past, and unreadable.
func retryAfter(value string, now time.Time) time.Time {
	value = strings.TrimSpace(value)
	if seconds, err := strconv.ParseUint(value, 10, 64); err == nil {
		return now.Add(time.Duration(min(seconds, uint64(maxSilence/time.Second))) * time.Second)
	} else if errors.Is(err, strconv.ErrRange) {
		return now.Add(maxSilence)
	}
	if at, err := http.ParseTime(value); err == nil && at.After(now) {
		return at
	}
	return time.Time{}
}

// request makes a GET for a canonical URL exactly as it is written: net/url would write some escapes differently.
func (l *Live) request(raw, accept string) (*http.Request, error) {
	u, err := url.Parse(origin(raw))
	if err != nil {
		return nil, refuse("%q is no address", origin(raw))
	}
	path, query, _ := strings.Cut(strings.TrimPrefix(raw, origin(raw)), "?")
	if u.Path, err = url.PathUnescape(path); err == nil {
		u.RawPath = path
	}
	if err != nil || u.EscapedPath() != path {
		if strings.HasPrefix(path, "//") { // an opaque path must not look like an authority
			return nil, refuse("the path %.80q cannot be asked for", path)
		}
		u.Path, u.RawPath, u.Opaque = "", "", path
	}
	u.RawQuery = query
	return &http.Request{
		Method: http.MethodGet, URL: u, Host: u.Host, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{
			"User-Agent":      {l.options.UserAgent},
			"Accept":          {accept},
			"Accept-Encoding": {"gzip, br, zstd"},
		},
	}, nil
}

// watch notes when the host turns out to be at an address that the person opened.
func (l *Live) watch(ctx context.Context, host string) context.Context {
	if len(l.guard.private) == 0 {
		return ctx
	}
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) {
		if to, err := netip.ParseAddrPort(info.Conn.RemoteAddr().String()); err == nil && within(l.guard.private, plain(to.Addr())) {
			l.near.Store(host, true)
		} else {
			l.near.Delete(host)
		}
	}})
}
