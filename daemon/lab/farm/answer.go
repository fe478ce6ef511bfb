package farm

import (
	"context"
	"maps"
	"math"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// robotsTxt is the robots.txt of every host. It forbids nothing that the farm links to.
const robotsTxt = "User-agent: *\nDisallow: /private/\n"

const notFound = "<!DOCTYPE html><title>Not found</title><h1>There is no such page</h1>\n"

// answer answers a request.
func (f *Farm) answer(w http.ResponseWriter, r *http.Request) {
	name := r.Host
	if host, _, err := net.SplitHostPort(name); err == nil {
		name = host
	}
	h := f.byName[strings.ToLower(name)]
	if h == nil {
		http.Error(w, "no such host", http.StatusMisdirectedRequest)
		return
	}
	n, req, p := h.arrive(f.clock.Now(), &f.options)
	req.Path = r.URL.RequestURI()
	robots := r.URL.Path == "/robots.txt"
	defer func() {
		h.leave(req, robots)
		if f.options.OnRequest != nil {
			f.options.OnRequest(req)
		}
	}()
	f.wait(r.Context(), p.wait)
	if p.reset {
		hangUp(w)
		return
	}
	a := f.compose(h, r, p)
	if p.cut {
		a.cut(w, n)
		return
	}
	req.Status = a.status
	a.send(w, r.Method)
}

// wait waits on the farm's clock, at most until the client goes.
func (f *Farm) wait(ctx context.Context, d time.Duration) {
	if d <= 0 {
		return
	}
	alarm := f.clock.NewTimer(d)
	defer alarm.Stop()
	select {
	case <-alarm.C:
	case <-ctx.Done():
	}
}

// composed is a response ready to send.
type composed struct {
	status int
	header http.Header
	body   []byte
}

// compose makes the response to a request.
func (f *Farm) compose(h *host, r *http.Request, p plan) composed {
	a := composed{status: http.StatusOK, header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}}
	d, ok := f.pages.get(h.number, r.URL.RequestURI())
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		a.status = http.StatusMethodNotAllowed
	case p.status != 0:
		a.status, a.body = p.status, []byte(http.StatusText(p.status))
		if p.retryAfter > 0 {
			a.header.Set("Retry-After", strconv.Itoa(int(math.Ceil(p.retryAfter.Seconds()))))
		}
	case r.URL.Path == "/robots.txt":
		a.header.Set("Content-Type", "text/plain; charset=utf-8")
		a.body = []byte(robotsTxt)
	case !ok:
		a.status, a.body = http.StatusNotFound, []byte(notFound)
	case r.Header.Get("If-None-Match") == d.etag:
		a.status = http.StatusNotModified
		a.header.Set("Etag", d.etag)
	default:
		a.document(d, strings.Contains(r.Header.Get("Accept-Encoding"), "gzip"))
	}
	return a
}

// document makes a response of a page, decompressed unless the client accepts gzip.
func (a *composed) document(d *document, zipped bool) {
	a.header.Set("Etag", d.etag)
	a.header.Set("Vary", "Accept-Encoding")
	if !zipped {
		a.body = d.html()
		return
	}
	a.header.Set("Content-Encoding", "gzip")
	a.body = d.zipped
}

// start sends status and header.
func (a *composed) start(w http.ResponseWriter) {
	maps.Copy(w.Header(), a.header)
	w.Header().Set("Content-Length", strconv.Itoa(len(a.body)))
	w.WriteHeader(a.status)
}

// send sends the whole response.
func (a *composed) send(w http.ResponseWriter, method string) {
	a.start(w)
	if method != http.MethodHead && a.status != http.StatusNotModified {
		_, _ = w.Write(a.body) // the client may have gone
	}
}

// cut starts the response and resets the connection in the middle of the body.
func (a *composed) cut(w http.ResponseWriter, n uint64) {
	a.start(w)
	_, _ = w.Write(a.body[:mixed(n)%uint64(len(a.body)+1)])
	if flusher, ok := w.(http.Flusher); ok {
		flusher.Flush()
	}
	time.Sleep(time.Millisecond) // a reset discards what the client has not received yet
	hangUp(w)
}

// hangUp resets the connection.
func hangUp(w http.ResponseWriter) {
	hijacker, ok := w.(http.Hijacker)
	if !ok {
		panic(http.ErrAbortHandler)
	}
	c, _, err := hijacker.Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	reset(c)
}
