package fetch

import (
	"net/http"
	"strings"
	"testing"
)

// TestProbe requests a page that cannot exist once a host: after its first page, if robots.txt allows it. NotFound is set
// only if the host answers with a page.
func TestProbe(t *testing.T) {
	front := say("front page")
	soft := func(w http.ResponseWriter, r *http.Request) { say("<p>Nothing here, but look at this")(w, r) }
	w := mustWeb(t, map[string]http.HandlerFunc{
		"soft.test/": front, "soft.test/gone": code(404), "hard.test/": front, "moved.test/": front, "shut.test/": front,
		"shut.test/robots.txt": say("User-agent: *\nDisallow: /\nAllow: /$"), "pdf.test/": front,
	})
	known := w.Config.Handler
	w.Config.Handler = http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if path := strings.TrimPrefix(r.URL.Path, "/"); len(path) != probeLetters {
			known.ServeHTTP(rw, r)
			return
		}
		w.mu.Lock()
		w.asks = append(w.asks, r.Host+"/probe")
		w.mu.Unlock()
		switch r.Host {
		case "soft.test", "shut.test":
			soft(rw, r)
		case "moved.test":
			to("/", 302)(rw, r)
		case "pdf.test":
			say("%PDF-1.7")(rw, r)
		default:
			http.NotFound(rw, r)
		}
	})
	l := w.mustLive(t, LiveOptions{Probe: true})
	if got := l.Fetch(t.Context(), "http://soft.test/gone"); got.NotFound != nil || len(got.Exchanges) != 2 {
		t.Errorf("no page yet: %+v", got)
	}
	for host, want := range map[string]string{"soft": "<p>Nothing here, but look at this", "hard": "", "moved": "", "shut": "", "pdf": ""} {
		for i := range 3 {
			got := l.Fetch(t.Context(), "http://"+host+".test/")
			if string(got.NotFound) != want || got.Outcome != OK || string(got.Body) != "front page" || got.Bytes != int64(len("front page")) || got.FinalURL != "http://"+host+".test/" {
				t.Errorf("%s: %+v", host, got)
			}
			probed := got.Exchanges[len(got.Exchanges)-1].Purpose == ForProbe
			if probed != (i == 0 && host != "shut") {
				t.Errorf("%s, time %d: probed %v", host, i, probed)
			}
			want = ""
		}
	}
	probes := 0
	for _, ask := range w.asked() {
		if strings.HasSuffix(ask, "/probe") {
			probes++
		}
	}
	if probes != 4 {
		t.Errorf("%d probes: %q", probes, w.asked())
	}
	off := w.mustLive(t, LiveOptions{})
	if got := off.Fetch(t.Context(), "http://soft.test/"); got.NotFound != nil {
		t.Errorf("a probe that was not wanted: %q", got.NotFound)
	}
}

// TestNoCookiesOrCredentials fetches from a server that sets cookies, redirects, and asks for a login. It gets neither back.
func TestNoCookiesOrCredentials(t *testing.T) {
	cookie := func(next http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			http.SetCookie(w, &http.Cookie{Name: "id", Value: "1", Path: "/"})
			w.Header().Set("WWW-Authenticate", `Basic realm="who"`)
			w.Header().Set("Accept-CH", "Sec-CH-UA-Platform")
			w.Header().Set("Set-Login", "logged-in")
			for name := range r.Header {
				switch name {
				case "User-Agent", "Accept", "Accept-Encoding":
				default:
					t.Errorf("%s%s was sent %s", r.Host, r.URL, name)
				}
			}
			next(w, r)
		}
	}
	w := mustWeb(t, map[string]http.HandlerFunc{
		"a.test/robots.txt": cookie(say("User-agent: *\nAllow: /")), "a.test/": cookie(to("/login", 302)), "a.test/login": cookie(to("http://b.test/", 307)),
		"b.test/": cookie(code(401)), "b.test/x": cookie(code(407)), "a.test/page": cookie(say("page")), "a.test/part": cookie(say("part")),
	})
	l := w.mustLive(t, LiveOptions{Probe: true})
	for range 2 {
		for url, want := range map[string]Outcome{"http://a.test/": Status, "http://b.test/x": Status, "http://a.test/page": OK} {
			if got := l.Fetch(t.Context(), url); got.Outcome != want {
				t.Errorf("%+v", got)
			}
		}
		if p, err := l.Subresource(t.Context(), "http://a.test/part", "*/*", 100); err != nil || string(p.Body) != "part" {
			t.Errorf("%+v, %v", p, err)
		}
	}
	if w.last.Get("User-Agent") != "Nightjar/1.0 (+http://example.com/)" {
		t.Errorf("%v", w.last)
	}
}
