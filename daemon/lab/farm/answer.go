package farm

import (
	"context"
	"math"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// robotsTxt is every host's. Nothing that the farm links to is forbidden by it.
const robotsTxt = "User-agent: *\nDisallow: /private/\n"

const notFound = "<!DOCTYPE html><title>Not found</title><h1>There is no such page</h1>\n"

// answer serves one request.
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
	if p.reset || f.down.Load() {
		hangUp(w)
		return
	}
	a := f.compose(h, r, p)
	if p.cut {
		a.cut(w, n)
		return
	}
	req.Status, req.Bytes = a.status, int64(len(a.body))
	a.send(w, r.Method)
}

// wait lets time pass on the farm's clock, until the client goes at the longest.
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

// composed is an answer that is ready to be sent.
type composed struct {
	status int
	header http.Header
	body   []byte
}

// compose decides what is answered.
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

// document answers a page as it lies ready, or decompressed for a client that asks for nothing else.
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

// send writes the whole answer. A client that has gone is nobody to tell.
func (a *composed) send(w http.ResponseWriter, method string) {
	for key, values := range a.header {
		w.Header()[key] = values
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(a.body)))
	w.WriteHeader(a.status)
	if method != http.MethodHead && a.status != http.StatusNotModified {
		_, _ = w.Write(a.body)
	}
}

// cut begins the answer, promises all of it, and resets the connection somewhere in the body.
func (a *composed) cut(w http.ResponseWriter, n uint64) {
	for key, values := range a.header {
		w.Header()[key] = values
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(a.body)))
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body[:mixed(n)%uint64(len(a.body)+1)])
	if flusher, ok := w.(http.Flusher); ok {
		flusher.Flush()
	}
	time.Sleep(time.Millisecond) // lets the client see the beginning; what a reset overtakes is thrown away
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
