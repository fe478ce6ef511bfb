package fetch

import (
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
)

// wholeTimeouts is how many times LiveOptions.Timeout all requests for one page may take together, turns not counted.
const wholeTimeouts = 3

// question is what is asked for, besides the address.
type question struct {
	purpose Purpose
	accept  string
	known   Known // what need not be sent again
}

// ask sends one GET for the URL that res has come to when the host's turn has come, hands the answer to read before the
// turn ends, and adds the exchange to res.
func (l *Live) ask(ctx context.Context, res *Response, q question, read func(*http.Response) error) (status int, err error) {
	req, err := l.request(res.FinalURL, q)
	if err != nil {
		return 0, err
	}
	x := Exchange{URL: res.FinalURL, Purpose: q.purpose}
	v, err := l.enter(ctx, res, &x)
	if err != nil {
		return 0, err
	}
	var header http.Header
	x.At = l.clock.Now()
	start := time.Now()
	err = l.send(v.pin(ctx), req, &x, wholeTimeouts*l.options.Timeout-res.Took, func(answer *http.Response) error {
		res.Status, header = answer.StatusCode, answer.Header
		return read(answer)
	})
	x.Took = time.Since(start)
	res.Took += x.Took
	l.conclude(ctx, v, &x, header, err)
	if _, ok := errors.AsType[*refusal](err); !ok { // what is refused is not sent
		res.Exchanges = append(res.Exchanges, x)
	}
	return x.Status, err
}

// send sends the request, which may take as long as whole says, and fills in x. The body that read is given is a wire.
func (l *Live) send(ctx context.Context, req *http.Request, x *Exchange, whole time.Duration, read func(*http.Response) error) error {
	ctx, pace := newPace(l.watch(ctx, req.URL.Hostname(), x), whole, l.options.Timeout)
	defer pace.stop()
	answer, err := l.transport.RoundTrip(req.WithContext(ctx))
	if err != nil {
		if late, ok := errors.AsType[*errTimeout](context.Cause(ctx)); ok {
			err = late
		}
		_, x.Reason = reason(err, "asking "+req.URL.Hostname())
		return err
	}
	w := &wire{r: answer.Body, keep: l.options.Keep, ctx: ctx, pace: pace}
	answer.Body = w
	x.Status = answer.StatusCode
	if l.options.Keep {
		x.Proto, x.RequestHeader, x.Header = answer.Proto, req.Header, answer.Header
	}
	if answer.TLS != nil && req.URL.Port() == "" {
		l.secure.add(req.URL.Hostname())
	}
	err = read(answer)
	drain(w)
	x.Bytes, x.Body, x.Truncated = w.n, w.raw, !w.ended
	if w.err != nil {
		_, x.Reason = reason(w.err, "reading the answer")
	}
	return err
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
func (l *Live) request(raw string, q question) (*http.Request, error) {
	start := origin(raw)
	u, err := url.Parse(start)
	if err != nil {
		return nil, refuse("%q is no address", start)
	}
	path, query, _ := strings.Cut(strings.TrimPrefix(raw, start), "?")
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

// sentKey is the key of an *atomic.Bool in a request's context: it has been written to a connection.
type sentKey struct{}

// sent reports whether the request that a connection is dialled for has gone out before, on one that then broke. The
// transport would send it again at once: a second request within the host's delay, which nobody knows of.
func sent(ctx context.Context) bool {
	once, ok := ctx.Value(sentKey{}).(*atomic.Bool)
	return ok && once.Load()
}

// watch notes which address was asked, when it is one that the person opened, and that the request has gone out.
func (l *Live) watch(ctx context.Context, host string, x *Exchange) context.Context {
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
		settle(ctx, ip)
		if len(l.guard.private) == 0 {
			return
		}
		if within(l.guard.private, ip) {
			l.near.Store(host, true)
		} else {
			l.near.Delete(host)
		}
	}})
}
