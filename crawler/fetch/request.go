package fetch

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"nightjar/crawler/weburl"
)

// wholeTimeouts times LiveOptions.Timeout is the limit for all requests for one page together, without the waits for
// the host.
const wholeTimeouts = 3

// requestSpec is what a request says besides the URL.
type requestSpec struct {
	purpose Purpose
	accept  string
	known   Known         // makes the request conditional
	whole   time.Duration // limit for all requests for one page together; 0 means wholeTimeouts
}

// roundTrip waits for the host, sends one GET for res.FinalURL, calls read with the answer, releases the host, and adds
// the exchange to res.
func (l *Live) roundTrip(ctx context.Context, res *Response, q requestSpec, read func(*http.Response) error) (status int, err error) {
	req, err := l.request(res.FinalURL, q)
	if err != nil {
		return 0, err
	}
	x := Exchange{URL: res.FinalURL, Purpose: q.purpose}
	v, err := l.startRequest(ctx, res, &x)
	if err != nil {
		return 0, err
	}
	var header http.Header
	x.At = l.clock.Now()
	start := time.Now()
	err = l.send(v.pin(ctx), req, &x, cmp.Or(q.whole, wholeTimeouts*l.options.Timeout)-res.Took, func(answer *http.Response) error {
		res.Status, header = answer.StatusCode, answer.Header
		return read(answer)
	})
	x.Took = time.Since(start)
	res.Took += x.Took
	l.endRequest(ctx, v, &x, header, err)
	if _, ok := errors.AsType[*refusal](err); !ok { // a refused request is not sent
		res.Exchanges = append(res.Exchanges, x)
	}
	return x.Status, err
}

// send sends the request, which may take whole, and fills in x. The body of the answer passed to read is a wire.
func (l *Live) send(ctx context.Context, req *http.Request, x *Exchange, whole time.Duration, read func(*http.Response) error) error {
	ctx, pace := newPace(l.trace(ctx, req.URL.Hostname(), x), whole, l.options.Timeout)
	defer pace.stop()
	answer, err := l.transport.RoundTrip(req.WithContext(ctx))
	if err != nil {
		if late, ok := errors.AsType[*errTimeout](context.Cause(ctx)); ok {
			err = late
		}
		_, x.Reason = reason(err, "requesting "+req.URL.Hostname())
		return err
	}
	w := &wire{r: answer.Body, keep: l.options.Keep, room: l.options.Room, ctx: ctx, pace: pace}
	answer.Body = w
	x.Status = answer.StatusCode
	if l.options.Keep {
		x.Proto, x.RequestHeader, x.Header = answer.Proto, req.Header, answer.Header
	}
	if answer.TLS != nil && req.URL.Port() == "" {
		l.httpsHosts.Add(req.URL.Hostname(), struct{}{})
	}
	err = read(answer)
	drain(w)
	x.Bytes, x.Body, x.Truncated = w.n, w.raw, !w.ended
	if w.err != nil {
		if x.Cut, x.Reason = reason(w.err, "reading the answer"); errors.Is(w.err, errTooLong) {
			x.Cut = TooLarge
		}
	}
	return err
}

// retryAfter is the wait that a Retry-After header asks for, in seconds or until a date; 0 if it is absent, past, or malformed.
func retryAfter(value string, now time.Time) time.Duration {
	value = strings.TrimSpace(value)
	seconds, err := strconv.ParseUint(value, 10, 64)
	switch {
	case err == nil:
		return time.Duration(min(seconds, uint64(maxSilence/time.Second))) * time.Second
	case errors.Is(err, strconv.ErrRange):
		return maxSilence
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}

// request makes a GET for a canonical URL. It keeps the URL's escapes, some of which net/url would change.
func (l *Live) request(raw string, q requestSpec) (*http.Request, error) {
	start := weburl.Origin(raw)
	u, err := url.Parse(start)
	if err != nil {
		return nil, refuse("%q is not a valid URL", start)
	}
	path, query, _ := strings.Cut(strings.TrimPrefix(raw, start), "?")
	if u.Path, err = url.PathUnescape(path); err == nil {
		u.RawPath = path
	}
	if err != nil || u.EscapedPath() != path {
		if strings.HasPrefix(path, "//") { // an opaque path must not look like an authority
			return nil, refuse("the path %.80q cannot be requested", path)
		}
		u.Path, u.RawPath, u.Opaque = "", "", path
	}
	u.RawQuery = query
	header := http.Header{
		"User-Agent":      {l.options.UserAgent},
		"Accept":          {q.accept},
		"Accept-Encoding": {"gzip, br, zstd"},
	}
	if q.known.ETag != "" {
		header["If-None-Match"] = []string{q.known.ETag}
	}
	if q.known.LastModified != "" {
		header["If-Modified-Since"] = []string{q.known.LastModified}
	}
	return &http.Request{
		Method: http.MethodGet, URL: u, Host: u.Host, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: header,
	}, nil
}

// sentKey is the context key of an *atomic.Bool that is set once the request has been written to a connection.
type sentKey struct{}

// sent reports whether the request was already written to a connection, which then broke. The transport would dial
// again and resend it at once, within the host's delay and without our record.
func sent(ctx context.Context) bool {
	once, ok := ctx.Value(sentKey{}).(*atomic.Bool)
	return ok && once.Load()
}

// trace records the address that the request goes to, whether that is in a private network that the person allowed, and
// that the request has been written.
func (l *Live) trace(ctx context.Context, host string, x *Exchange) context.Context {
	once := &atomic.Bool{}
	ctx = context.WithValue(ctx, sentKey{}, once)
	wrote := func() { once.Store(true) }
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteHeaders: wrote, GotConn: func(info httptrace.GotConnInfo) {
		to, err := netip.ParseAddrPort(info.Conn.RemoteAddr().String())
		if err != nil {
			return
		}
		ip := plain(to.Addr())
		x.Addr = ip.String()
		followConn(ctx, ip)
		if len(l.guard.private) == 0 {
			return
		}
		if within(l.guard.private, ip) {
			l.privateHosts.Store(host, true)
		} else {
			l.privateHosts.Delete(host)
		}
	}})
}

// upgrade changes http to https for a host that has answered over https, as RFC 6797 does. It leaves URLs with a port
// unchanged.
func (l *Live) upgrade(url string) string {
	rest, plain := strings.CutPrefix(url, "http://")
	if !plain {
		return url
	}
	host := weburl.Host(url)
	if authority, _, _ := strings.Cut(rest, "/"); authority != host || !l.httpsHosts.Contains(host) {
		return url
	}
	return "https://" + rest
}
