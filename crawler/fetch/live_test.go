package fetch

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"time"

	"go.uber.org/goleak"

	"github.com/andybalholm/brotli"
	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
)

// web is a server for many hosts that records the requests.
type web struct {
	*httptest.Server
	pages map[string]http.HandlerFunc
	mu    sync.Mutex
	asks  []string
	last  http.Header
}

// mustWeb serves handlers by host and path ("a.test/x"); robots.txt is missing unless given.
func mustWeb(tb testing.TB, pages map[string]http.HandlerFunc) *web {
	tb.Helper()
	w := &web{pages: pages}
	w.Server = httptest.NewServer(w)
	tb.Cleanup(w.Close)
	return w
}

func (w *web) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	host, _, _ := strings.Cut(r.Host, ":")
	w.mu.Lock()
	w.asks = append(w.asks, host+r.RequestURI)
	w.last = r.Header.Clone()
	w.mu.Unlock()
	if h, ok := w.pages[host+r.RequestURI]; ok {
		h(rw, r)
		return
	}
	http.NotFound(rw, r)
}

// asked lists the requests except those for robots.txt.
func (w *web) asked() (list []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, a := range w.asks {
		if !strings.HasSuffix(a, "/robots.txt") {
			list = append(list, a)
		}
	}
	return list
}

func (w *web) addr() string { return w.Listener.Addr().String() }

// mustLive is a fetcher that resolves *.test to the server.
func (w *web) mustLive(tb testing.TB, o LiveOptions) *Live {
	tb.Helper()
	rule, err := ParseResolve("*.test=" + w.addr())
	if err != nil {
		tb.Fatal(err)
	}
	o.Resolve = append(o.Resolve, rule)
	if o.UserAgent == "" {
		o.UserAgent = "Nightjar/1.0 (+http://example.com/)"
	}
	l := NewLive(o)
	tb.Cleanup(func() { l.Close() })
	return l
}

func say(body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		for i := 0; i < len(header); i += 2 {
			w.Header().Add(header[i], header[i+1])
		}
		io.WriteString(w, body)
	}
}

func to(location string, status int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", location)
		w.WriteHeader(status)
	}
}

func code(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }
}

func squeezeWith(tb testing.TB, kind, s string) string {
	tb.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	switch kind {
	case "br":
		w = brotli.NewWriter(&b)
	case "zstd":
		w, _ = zstd.NewWriter(&b)
	}
	io.WriteString(w, s)
	w.Close()
	return b.String()
}

// liveWeb has pages for everything that servers do.
func liveWeb(t *testing.T) map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{
		"a.test/":        say("home"),
		"a.test/gzip":    say(squeeze("gz"), "Content-Encoding", "gzip"),
		"a.test/br":      say(squeezeWith(t, "br", "brotli"), "Content-Encoding", "br"),
		"a.test/zstd":    say(squeezeWith(t, "zstd", "zst"), "Content-Encoding", "zstd"),
		"a.test/twice":   say(squeeze(squeeze("x")), "Content-Encoding", "gzip, gzip"),
		"a.test/deflate": say(deflated("deflated", true), "Content-Encoding", "deflate"),
		"a.test/bare":    say(deflated("bare", false), "Content-Encoding", "deflate"),
		"a.test/bomb":    say(squeeze(strings.Repeat("0", 16<<20)), "Content-Encoding", "gzip"),
		"a.test/brbomb":  say(squeezeWith(t, "br", strings.Repeat("0", 16<<20)), "Content-Encoding", "br"),
		"a.test/notgzip": say("plain", "Content-Encoding", "gzip"),
		"a.test/cutgzip": say(squeeze(strings.Repeat("some words ", 100))[:30], "Content-Encoding", "gzip"),
		"a.test/big":     say(strings.Repeat("big ", MaxBody/4+1)),
		"a.test/pdf": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/pdf")
			w.Write([]byte("%PDF"))
		},
		"a.test/png":   say("\x89PNG\x0d\x0a\x1a\x0a0000"),
		"a.test/gone":  code(410),
		"a.test/error": code(500),
		"a.test/headers": func(w http.ResponseWriter, _ *http.Request) {
			for i := range 200 {
				w.Header().Set(fmt.Sprint("X-", i), strings.Repeat("x", 1000))
			}
		},
		"a.test/short": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Content-Length", "100")
			w.Write([]byte("short"))
		},
		"a.test/tag":    say("tag", "X-Robots-Tag", "noindex, nofollow"),
		"a.test/cookie": say("cookie", "Set-Cookie", "a=b"),
		"a.test/to":     to("http://b.test/x?utm_source=1#y", 301),
		"b.test/x":      to("y", 303),
		"b.test/y":      say("y"),
		"a.test/loop":   to("/loop2", 302),
		"a.test/loop2":  to("/loop", 302),
		"a.test/5":      to("/4", 307), "a.test/4": to("/3", 308), "a.test/3": to("/2", 302), "a.test/2": to("/1", 302), "a.test/1": to("/", 302),
		"a.test/6":                  to("/5", 302),
		"a.test/nowhere":            code(302),
		"a.test/ftp":                to("ftp://a.test/", 302),
		"a.test/secret":             to("/x?access_token=abc", 302),
		"a.test/leadsout":           to("/logout", 302),
		"a.test/forbidden":          to("http://c.test/private/x", 302),
		"c.test/robots.txt":         say("User-agent: nightjar\nDisallow: /private\n\nUser-agent: *\nDisallow: /"),
		"c.test/private/x":          say("private"),
		"c.test/open":               say("open"),
		"d.test/robots.txt":         code(503),
		"d.test/":                   say("d"),
		"e.test/robots.txt":         code(403),
		"e.test/":                   say("e"),
		"f.test/robots.txt":         to("http://c.test/robots.txt", 301),
		"f.test/private":            say("f"),
		"f.test/":                   say("f"),
		"g.test/robots.txt":         to("/robots.txt", 302),
		"g.test/":                   say("g"),
		"a.test/%7Eu/%2f^|/%25?q=%": say("odd"),
	}
}

// liveCases are the expected results of fetches from liveWeb, in this order.
var liveCases = []struct {
	url     string
	outcome Outcome
	final   string // "" is the same
	via     []string
	body    string
}{
	{url: "http://a.test/", outcome: OK, body: "home"},
	{url: "http://a.test/gzip", outcome: OK, body: "gz"},
	{url: "http://a.test/br", outcome: OK, body: "brotli"},
	{url: "http://a.test/zstd", outcome: OK, body: "zst"},
	{url: "http://a.test/twice", outcome: Type},
	{url: "http://a.test/deflate", outcome: OK, body: "deflated"},
	{url: "http://a.test/bare", outcome: OK, body: "bare"},
	{url: "http://a.test/bomb", outcome: TooLarge},
	{url: "http://a.test/brbomb", outcome: TooLarge},
	{url: "http://a.test/notgzip", outcome: Type},
	{url: "http://a.test/cutgzip", outcome: Network},
	{url: "http://a.test/big", outcome: OK, body: strings.Repeat("big ", MaxBody/4)},
	{url: "http://a.test/pdf", outcome: Type},
	{url: "http://a.test/png", outcome: Type},
	{url: "http://a.test/gone", outcome: Status},
	{url: "http://a.test/error", outcome: Status},
	{url: "http://a.test/headers", outcome: Network},
	{url: "http://a.test/short", outcome: Network},
	{url: "http://a.test/tag", outcome: OK, body: "tag"},
	{url: "http://a.test/cookie", outcome: OK, body: "cookie"},
	{url: "http://a.test/to", outcome: OK, final: "http://b.test/y", via: []string{"http://b.test/x"}, body: "y"},
	{url: "http://a.test/loop", outcome: Redirects, final: "http://a.test/loop2"},
	{url: "http://a.test/5", outcome: OK, final: "http://a.test/", via: []string{"http://a.test/4", "http://a.test/3", "http://a.test/2", "http://a.test/1"}, body: "home"},
	{url: "http://a.test/6", outcome: Redirects, final: "http://a.test/1", via: []string{"http://a.test/5", "http://a.test/4", "http://a.test/3", "http://a.test/2"}},
	{url: "http://a.test/nowhere", outcome: Status},
	{url: "http://a.test/ftp", outcome: Redirects},
	{url: "http://a.test/secret", outcome: Refused, final: "http://a.test/x?access_token=abc"},
	{url: "http://a.test/leadsout", outcome: Refused, final: "http://a.test/logout"},
	{url: "http://a.test/forbidden", outcome: Robots, final: "http://c.test/private/x"},
	{url: "http://c.test/private/x", outcome: Robots},
	{url: "http://c.test/open", outcome: OK, body: "open"},
	{url: "http://e.test/", outcome: OK, body: "e"},
	{url: "http://f.test/private", outcome: Robots},
	{url: "http://f.test/", outcome: OK, body: "f"},
	{url: "http://g.test/", outcome: Robots},
	{url: "http://u:p@a.test/", outcome: Refused},
	{url: "http://a.test/?password=x", outcome: Refused},
	{url: "ftp://a.test/", outcome: Refused},
	{url: "http://a.test//x/%zz?a^b'", outcome: Refused, final: "http://a.test//x/%zz?a^b%27"},
	{url: "http://a.test/%7Eu/%2f^|/%25?q=%", outcome: OK, body: "odd"},
	{url: "https://a.test/", outcome: Network}, // the server speaks no TLS
	{url: "http://d.test/", outcome: Robots},
}

func TestLive(t *testing.T) {
	w := mustWeb(t, liveWeb(t))
	l := w.mustLive(t, LiveOptions{})
	for _, c := range liveCases {
		got := l.Fetch(t.Context(), c.url)
		if c.final == "" {
			c.final = c.url
		}
		if got.Outcome != c.outcome || got.FinalURL != c.final || string(got.Body) != c.body || !cmp.Equal(got.Redirects, c.via) {
			got.Body = got.Body[:min(len(got.Body), 100)]
			t.Errorf("%s: %+v; want %+v", c.url, got, c)
		}
		if (got.Outcome == OK) != (got.Reason == "") || strings.Contains(got.Reason, "%!") {
			t.Errorf("%s: outcome %s, reason %q", c.url, got.Outcome, got.Reason)
		}
		if got.Truncated != strings.HasSuffix(c.url, "/big") || got.NoIndex != strings.HasSuffix(c.url, "/tag") || got.NoFollow != got.NoIndex {
			t.Errorf("%s: truncated %v, noindex %v", c.url, got.Truncated, got.NoIndex)
		}
	}
	for _, ask := range w.asked() {
		for _, never := range []string{"token", "logout", "private", "password", "g.test/", "d.test/"} {
			if strings.Contains(ask, never) {
				t.Errorf("asked for %s", ask)
			}
		}
	}
	if w.last.Get("Cookie") != "" || w.last.Get("Referer") != "" || w.last.Get("Authorization") != "" || !strings.HasPrefix(w.last.Get("User-Agent"), "Nightjar/1.0 (+http") {
		t.Errorf("request header %v", w.last)
	}
}

// TestLiveDowngrade: a redirect from https to http is not followed.
func TestLiveDowngrade(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/down" {
			to("http://example.com/", 302)(w, r)
			return
		}
		say(r.Proto)(w, r)
	}))
	defer s.Close()
	l := NewLive(LiveOptions{Resolve: []Resolve{{"*.com", s.Listener.Addr().String()}}})
	defer l.Close()
	if got := l.Fetch(t.Context(), "https://example.com/"); got.Outcome != Network {
		t.Errorf("unknown certificate: %+v", got)
	}
	l = NewLive(LiveOptions{Resolve: []Resolve{{"*.com", s.Listener.Addr().String()}}})
	defer l.Close()
	l.transport.TLSClientConfig.RootCAs = s.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	if got := l.Fetch(t.Context(), "https://example.com/"); got.Outcome != OK {
		t.Errorf("%+v", got)
	}
	if got := l.Fetch(t.Context(), "https://example.com/down"); got.Outcome != Redirects || got.FinalURL != "https://example.com/down" {
		t.Errorf("%+v", got)
	}
}

// TestLiveTimeout fetches from servers that are slow in each part of an answer.
func TestLiveTimeout(t *testing.T) {
	stop := make(chan struct{})
	slow := func(before string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			if before != "" {
				w.Header().Set("Content-Type", "text/html")
				io.WriteString(w, before)
				w.(http.Flusher).Flush()
			}
			<-stop
		}
	}
	w := mustWeb(t, map[string]http.HandlerFunc{"a.test/head": slow(""), "a.test/body": slow("begun"), "b.test/robots.txt": slow(""), "a.test/": say("x")})
	defer close(stop)
	l := w.mustLive(t, LiveOptions{Timeout: 50 * time.Millisecond})
	for _, u := range []string{"http://a.test/head", "http://a.test/body", "http://b.test/"} {
		if got := l.Fetch(t.Context(), u); got.Outcome != Timeout || got.Reason == "" {
			t.Errorf("%s: %+v", u, got)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := l.Fetch(ctx, "http://a.test/"); got.Outcome != Canceled {
		t.Errorf("%+v", got)
	}
}

// TestLiveRobotsOnce: robots.txt is requested once, however many pages are fetched at the same time.
func TestLiveRobotsOnce(t *testing.T) {
	w := mustWeb(t, map[string]http.HandlerFunc{"a.test/": say("x")})
	l := w.mustLive(t, LiveOptions{})
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if got := l.Fetch(t.Context(), "http://a.test/"); got.Outcome != OK {
				t.Errorf("%+v", got)
			}
		})
	}
	wg.Wait()
	if robots := len(w.asks) - len(w.asked()); robots != 1 || len(w.asked()) != 20 {
		t.Errorf("robots.txt was asked for %d times, the page %d times", robots, len(w.asked()))
	}
}

func TestMain(m *testing.M) {
	// A proxy in the environment must not be used: it could reach addresses that the guard refuses.
	os.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	os.Setenv("HTTPS_PROXY", "http://127.0.0.1:1")
	goleak.VerifyTestMain(m) // no goroutine is left when the tests have ended
}
