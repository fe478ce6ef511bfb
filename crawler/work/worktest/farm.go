package worktest

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"nightjar/crawler/fetch"
)

// Farm is a web of many hosts on one server, which records what it is asked for.
type Farm struct {
	server *httptest.Server
	hold   chan struct{} // closed when the farm ends

	mu    sync.Mutex
	asked []string // host and path, in order
	open  map[string]int
	most  int // requests to one host at the same time
}

// NewFarm starts a farm that ends with the test.
func NewFarm(t *testing.T) *Farm {
	bomb()
	f := &Farm{hold: make(chan struct{}), open: make(map[string]int)}
	f.server = httptest.NewServer(f)
	t.Cleanup(func() {
		close(f.hold)
		f.server.Close()
	})
	return f
}

// Options are those of a fetcher for which the hosts below .test are this farm, without delays.
func (f *Farm) Options() fetch.LiveOptions {
	addr := strings.TrimPrefix(f.server.URL, "http://")
	return fetch.LiveOptions{UserAgent: "Nightjar/test", Resolve: []fetch.Resolve{{Pattern: "*.test", Addr: addr}}}
}

// Asked lists the requests so far, as host and path, and the largest number of requests to one host at the same time.
func (f *Farm) Asked() (list []string, most int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.asked), f.most
}

// times counts the requests for a host and path.
func (f *Farm) times(what string) (n int) {
	list, _ := f.Asked()
	for _, a := range list {
		if a == what {
			n++
		}
	}
	return n
}

// addresses are pages whose answers do not depend on earlier ones.
func addresses() []string {
	list := []string{
		"http://a.test/", "http://a.test/latin", "http://a.test/move", "http://a.test/away", "http://a.test/chain", "http://a.test/loop",
		"http://a.test/private/page", "http://a.test/missing", "http://a.test/picture", "http://a.test/gone", "http://a.test/refresh",
		"http://a.test/refresh-away", "http://a.test/noindex", "http://a.test/etag", "http://a.test/to-private", "http://a.test/nowhere",
		"http://big.test/", "http://bomb.test/", "http://cut.test/", "http://h0.test/", "http://gzip.test/", "http://a.test/outside",
	}
	for i := range 6 {
		list = append(list, fmt.Sprintf("http://p%d.test/x", i), fmt.Sprintf("http://p%d.test/y", i))
	}
	return list
}

const oldTag = `"v1"`

func (f *Farm) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	host, _, _ := strings.Cut(r.Host, ":")
	f.enter(host, r.URL.Path)
	defer f.leave(host)
	rw.Header().Set("Content-Type", "text/html; charset=utf-8")
	switch host {
	case "big.test":
		if r.URL.Path == "/" {
			f.write(rw, "<title>big</title><p>"+strings.Repeat("word ", 1<<20))
			return
		}
	case "bomb.test":
		if r.URL.Path == "/" {
			f.packed(rw, bomb())
			return
		}
	case "gzip.test":
		if r.URL.Path == "/" {
			f.packed(rw, zipped("<title>zip</title><p>It was compressed on the way. <a href=/next>next</a>"))
			return
		}
	case "cut.test":
		if r.URL.Path == "/" {
			rw.Header().Set("Content-Length", "1000")
			f.write(rw, "<title>cut</title>")
			return
		}
	case "busy.test":
		if r.URL.Path == "/" {
			rw.Header().Set("Retry-After", "3600")
			http.Error(rw, "busy", http.StatusServiceUnavailable)
			return
		}
	case "slow.test":
		if r.URL.Path == "/" {
			select {
			case <-r.Context().Done():
			case <-f.hold:
			}
			return
		}
	case "elsewhere.test":
		if r.URL.Path == "/robots.txt" {
			http.Redirect(rw, r, "http://rules.test/elsewhere.txt", http.StatusFound)
			return
		}
	}
	f.path(rw, r, host)
}

// path answers for pages that every host has.
func (f *Farm) path(rw http.ResponseWriter, r *http.Request, host string) {
	switch p := r.URL.Path; p {
	case "/robots.txt", "/elsewhere.txt":
		rw.Header().Set("Content-Type", "text/plain")
		f.write(rw, "User-agent: *\nDisallow: /private/\n")
	case "/latin":
		rw.Header().Set("Content-Type", "text/html; charset=windows-1252")
		f.write(rw, "<title>caf\xe9</title><p>na\xefve")
	case "/move":
		http.Redirect(rw, r, "/moved", http.StatusMovedPermanently)
	case "/away":
		http.Redirect(rw, r, "http://b.test/landing", http.StatusFound)
	case "/chain":
		next := map[string]string{"a.test": "http://b.test/chain", "b.test": "http://b.test/chained", "c.test": "/end"}[host]
		http.Redirect(rw, r, next, http.StatusFound)
	case "/chained":
		http.Redirect(rw, r, "http://c.test/chain", http.StatusFound)
	case "/loop":
		next := map[string]string{"a.test": "http://b.test/loop", "b.test": "http://a.test/loop"}[host]
		http.Redirect(rw, r, next, http.StatusFound)
	case "/to-private":
		http.Redirect(rw, r, "http://b.test/private/page", http.StatusFound)
	case "/outside":
		http.Redirect(rw, r, "http://127.0.0.1:9/", http.StatusFound)
	case "/nowhere":
		http.Redirect(rw, r, "mailto:x@a.test", http.StatusFound)
	case "/gone":
		http.Error(rw, "gone", http.StatusGone)
	case "/picture":
		rw.Header().Set("Content-Type", "image/png")
		f.write(rw, "\x89PNG")
	case "/refresh":
		f.write(rw, `<meta http-equiv=refresh content="0; url=/moved">`)
	case "/refresh-away":
		f.write(rw, `<meta http-equiv=refresh content="0; url=http://b.test/landing">`)
	case "/noindex":
		rw.Header().Set("X-Robots-Tag", "noindex, nofollow")
		f.write(rw, page(host, p))
	case "/etag":
		rw.Header().Set("ETag", oldTag)
		if r.Header.Get("If-None-Match") == oldTag {
			rw.WriteHeader(http.StatusNotModified)
			return
		}
		f.write(rw, page(host, p))
	default:
		if n, ok := strings.CutPrefix(host, "h"); ok && len(n) == 6 && n[1:] == ".test" { // h0 leads to h1, h1 to h2, …
			http.Redirect(rw, r, "http://h"+string(n[0]+1)+".test/", http.StatusFound)
			return
		}
		if strings.HasPrefix(p, "/missing") || len(p) == 21 { // a probe's path has 20 letters
			http.NotFound(rw, r)
			return
		}
		f.write(rw, page(host, p))
	}
}

// page is the HTML of a usual page.
func page(host, path string) string {
	at := url.URL{Scheme: "http", Host: host, Path: path}
	return fmt.Sprintf(`<html lang=en><title>%s</title><h1>The page at %s</h1><p>Some words of %s that nobody else uses,
		before <a href="/next">the next page</a> and after. <a href="http://b.test/far#part" rel=nofollow>Far away</a>.`, at.String(), path, host)
}

func (f *Farm) enter(host, path string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked = append(f.asked, host+path)
	f.open[host]++
	f.most = max(f.most, f.open[host])
}

func (f *Farm) leave(host string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.open[host]--
}

// write ignores errors: the client may be gone.
func (f *Farm) write(rw http.ResponseWriter, text string) { _, _ = rw.Write([]byte(text)) }

// packed answers with a body that is compressed.
func (f *Farm) packed(rw http.ResponseWriter, body []byte) {
	rw.Header().Set("Content-Encoding", "gzip")
	_, _ = rw.Write(body)
}

func zipped(text string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(text)) // into memory
	_ = z.Close()
	return b.Bytes()
}

// bomb grows more than a hundredfold. To compress it takes a busy machine longer than a request may take, so it is ready before.
var bomb = sync.OnceValue(func() []byte { return zipped(strings.Repeat("<p>same", 2<<20)) })
