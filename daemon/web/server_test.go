package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/go-chi/chi/v5"
)

// public are the routes that need no cookie: they show nothing private.
var public = map[string]bool{"GET /login": true, "POST /login": true, "GET /static/{hash}/{name}": true}

// concrete fills a route's pattern.
func concrete(pattern string) string {
	return strings.NewReplacer("{id}", "1", "{topic}", "1", "{uuid}", "0", "{version}", "1", "{hash}", "0", "{name}", "base.css", "{map}", "1", "{community}", "1", "{ontology}", "1",
		"{fetch}", "1", "{grouping}", "1").Replace(pattern)
}

// TestEveryRouteIsGuarded walks the router, so that it also checks routes that are added later.
func TestEveryRouteIsGuarded(t *testing.T) {
	f := newFixture(t)
	walked := 0
	ask := func(method, path string, change func(*http.Request)) int {
		r := httptest.NewRequest(method, path, strings.NewReader(""))
		r.Host = f.host
		r.AddCookie(f.cookie)
		r.Header.Set("Origin", "http://"+f.host)
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		change(r)
		return f.serve(r).Code
	}
	err := chi.Walk(f.Router(), func(method, pattern string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		walked++
		path := concrete(pattern)
		for _, host := range wrongHosts(f.host) {
			if code := ask(method, path, func(r *http.Request) { r.Host = host }); code != http.StatusMisdirectedRequest {
				t.Errorf("%s %s under host %q: %d", method, path, host, code)
			}
		}
		if code := ask(method, path, func(r *http.Request) { r.Host = "127.0.0.1:4774" }); path != "/" && code != http.StatusNotFound {
			t.Errorf("%s %s under the loopback address: %d", method, path, code)
		}
		if !public[method+" "+pattern] {
			for name, value := range map[string]string{"none": "", "wrong": secret(), "short": "x"} {
				code := ask(method, path, func(r *http.Request) {
					r.Header.Del("Cookie")
					if value != "" {
						r.AddCookie(&http.Cookie{Name: cookieName, Value: value})
					}
				})
				if code != http.StatusUnauthorized {
					t.Errorf("%s %s with cookie %s: %d", method, path, name, code)
				}
			}
		}
		if method == http.MethodGet {
			code := ask(method, path, func(r *http.Request) {
				r.Header.Set("Sec-Fetch-Site", "cross-site")
				r.Header.Set("Sec-Fetch-Mode", "no-cors")
			})
			if code != http.StatusForbidden {
				t.Errorf("%s %s as a picture of another site: %d", method, path, code)
			}
			return nil
		}
		for name, change := range crossSite(f.host) {
			if code := ask(method, path, change); code != http.StatusForbidden {
				t.Errorf("%s %s, %s: %d", method, path, name, code)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if walked < 30 {
		t.Errorf("walked %d routes only", walked)
	}
}

func wrongHosts(own string) []string {
	name, port, _ := strings.Cut(own, ":")
	return []string{
		"", "evil.example", "evil.example:" + port, name, name + ":80", name + ":" + port + "0", name + ".:" + port,
		strings.ToUpper(own), "x." + own, name + ".evil.example:" + port, "user@" + own, " " + own, own + " ", "LOCALHOST.:" + port, "localho\u017ft:" + port,
		"localhost", "127.0.0.1", "127.0.0.1:80", "[::1]:" + port, "127.0.0.2:" + port, "localhost.evil.example:" + port,
		"127.0.0.1.nip.io:" + port, "localhost.:" + port, "0.0.0.0:" + port, "nightjar-00000000000000000000000000000000.localhost:" + port,
	}
}

// crossSite are changing requests as other pages, or nobody in particular, can make them.
func crossSite(own string) map[string]func(*http.Request) {
	origin := func(o string) func(*http.Request) { return func(r *http.Request) { r.Header.Set("Origin", o) } }
	site := func(s string) func(*http.Request) { return func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", s) } }
	return map[string]func(*http.Request){
		"no origin":        func(r *http.Request) { r.Header.Del("Origin") },
		"null origin":      origin("null"),
		"other origin":     origin("https://evil.example"),
		"https":            origin("https://" + own),
		"other port":       origin("http://" + strings.Split(own, ":")[0] + ":9912"),
		"loopback origin":  origin("http://127.0.0.1:4774"),
		"suffix":           origin("http://" + own + ".evil.example"),
		"trailing slash":   origin("http://" + own + "/"),
		"extension":        origin("chrome-extension://abcdefghijklmnopabcdefghijklmnop"),
		"cross-site fetch": site("cross-site"),
		"same-site fetch":  site("same-site"),
		"no site":          site("none"),
	}
}

func TestAbsoluteTargetIsRefused(t *testing.T) {
	f := newFixture(t)
	r := httptest.NewRequest(http.MethodGet, "http://"+f.host+"/", nil)
	r.RequestURI = "http://" + f.host + "/"
	r.AddCookie(f.cookie)
	if code := f.serve(r).Code; code != http.StatusMisdirectedRequest {
		t.Errorf("absolute target: %d", code)
	}
}

func TestGetChangesNothing(t *testing.T) {
	s := seed(t)
	dump := func() string { // pictures and leads only keep what else would be made again at each request
		var all strings.Builder
		rows, err := s.db.Query(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '%pictures' AND name <> 'leads' ORDER BY name`)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var name string
			if err := rows.Scan(&name); err != nil {
				t.Fatal(err)
			}
			all.WriteString(name + " ")
			all.WriteString(strings.Repeat("i", s.count(t, `SELECT count(*) FROM "`+name+`"`)) + "\n")
		}
		all.WriteString(time.UnixMilli(int64(s.count(t, `SELECT total(length(value)) FROM settings`))).String())
		return all.String()
	}
	before := dump()
	err := chi.Walk(s.Router(), func(method, pattern string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		if method == http.MethodGet && pattern != "/events" && pattern != "/login" {
			path := strings.Replace(concrete(pattern), "/sessions/0", "/sessions/"+s.session, 1)
			if code := s.get(path + "?host=linwood-university.test").Code; code >= 500 {
				t.Errorf("GET %s: %d", path, code)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if after := dump(); after != before {
		t.Error("asking for pages changed the store")
	}
	if len(s.submitted)+len(s.ran)+len(s.stopped)+len(s.approved)+s.refused+len(s.revoked) > 0 {
		t.Error("asking for pages did something")
	}
}

func TestHeaders(t *testing.T) {
	f := newFixture(t)
	for _, path := range []string{"/", "/nowhere", "/login", "/static/0/base.css", "/settings"} {
		h := f.get(path).Header()
		for name, want := range map[string]string{
			"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
		} {
			if got := h.Get(name); got != want {
				t.Errorf("%s of %s: %q", name, path, got)
			}
		}
		if got := h.Get("Access-Control-Allow-Origin"); got != "" {
			t.Errorf("%s may be read by %q", path, got)
		}
	}
}

func TestLoopback(t *testing.T) {
	f := newFixture(t)
	for _, host := range []string{"127.0.0.1:4774", "localhost:4774"} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Host = host
		w := f.serve(r)
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "nightjar open") {
			t.Errorf("%s: %d %s", host, w.Code, w.Body)
		}
		if strings.Contains(w.Body.String(), f.host) {
			t.Errorf("%s tells the dashboard's name", host)
		}
	}
}

func TestLogin(t *testing.T) {
	f := newFixture(t)
	follow := func(link string) *httptest.ResponseRecorder {
		u, err := url.Parse(link)
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequest(http.MethodGet, u.RequestURI(), nil)
		r.Host = u.Host
		return f.serve(r)
	}
	link := f.LoginURL("")
	w := follow(link)
	if w.Code != http.StatusOK || len(w.Result().Cookies()) != 1 {
		t.Fatalf("first use: %d", w.Code)
	}
	c := w.Result().Cookies()[0]
	if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" || c.Domain != "" || len(c.Value) < 40 {
		t.Errorf("cookie %v", c)
	}
	if w := follow(link); w.Code != http.StatusUnauthorized || len(w.Result().Cookies()) != 0 {
		t.Errorf("second use: %d", w.Code)
	}
	late := f.LoginURL("")
	f.now = f.now.Add(61 * time.Second)
	if w := follow(late); w.Code != http.StatusUnauthorized {
		t.Errorf("after a minute: %d", w.Code)
	}
	if w := follow(strings.Replace(late, "code=", "kode=", 1)); w.Code != http.StatusUnauthorized {
		t.Errorf("without a code: %d", w.Code)
	}
	if n := f.count(t, `SELECT count(*) FROM settings WHERE instr(value, ?) > 0`, c.Value); n != 0 {
		t.Error("the store holds the cookie itself")
	}
}

// TestLoginLeadsToAPage shows the page that was asked for, and the first page for whatever is no page of the dashboard.
func TestLoginLeadsToAPage(t *testing.T) {
	f := newFixture(t)
	where := func(link string) string {
		u, err := url.Parse(link)
		if err != nil || u.Host != f.host || u.Path != "/login" {
			t.Fatalf("link %q, %v", link, err)
		}
		r := httptest.NewRequest(http.MethodGet, u.RequestURI(), nil)
		r.Host = u.Host
		body := f.serve(r).Body.String()
		_, to, _ := strings.Cut(body, `content="0;url=`)
		to, _, _ = strings.Cut(to, `"`)
		if !strings.Contains(body, `href="`+to+`">Go`) {
			t.Errorf("%s: the link leads elsewhere than %q", link, to)
		}
		return to
	}
	for _, path := range []string{"/model/3", "/sessions/0190a1b2-c3d4-7001-8001-000000000001", "/crawls", "/model/3/newest"} {
		if to := where(f.LoginURL(path)); to != path {
			t.Errorf("%s led to %q", path, to)
		}
	}
	for _, bad := range []string{
		"", "/", "//evil.test", "//evil.test/model/3", "/\\evil.test", "\\\\evil.test", "https://evil.test/", "javascript:alert(1)", "data:text/html,x",
		"/model/3?to=//evil.test", "/model/3#x", "/model/3/../../evil", "/model/%2e%2e", "/.evil.test", "/model//3", "/model/3/", "model/3",
		"/model/3\n", "/model/3\r\nSet-Cookie: a=b", " /model/3", "/\t/evil.test", "/model/3;url=//evil.test", "/model/\"><script>", "/ｍodel/3",
		"/login", "/nowhere", "/model/3/newest/a/b/c/d", "/model/" + strings.Repeat("3", 65), "/topics/3/train", "/logout",
	} {
		if to := where(f.LoginURL(bad)); to != "/" {
			t.Errorf("%q led to %q", bad, to)
		}
		// A link may be changed by whoever passes it on.
		if to := where(f.LoginURL("") + "&to=" + url.QueryEscape(bad)); to != "/" {
			t.Errorf("changed to %q, it led to %q", bad, to)
		}
	}
}

func TestLoginOutlivesRestart(t *testing.T) {
	f := newFixture(t)
	again, err := New(t.Context(), f.Deps)
	if err != nil {
		t.Fatal(err)
	}
	if again.host != f.host {
		t.Errorf("host %s became %s", f.host, again.host)
	}
	f.Server = again
	if code := f.get("/").Code; code != http.StatusOK {
		t.Errorf("after a restart: %d", code)
	}
	if code := f.post("/logout", nil).Code; code != http.StatusUnauthorized {
		t.Errorf("logout: %d", code)
	}
	if code := f.get("/").Code; code != http.StatusUnauthorized {
		t.Errorf("after logout: %d", code)
	}
}

func TestOldLoginEnds(t *testing.T) {
	f := newFixture(t)
	f.now = f.now.Add(loginLife)
	if code := f.get("/").Code; code != http.StatusUnauthorized {
		t.Errorf("after %s: %d", loginLife, code)
	}
}

func TestAssets(t *testing.T) {
	f := newFixture(t)
	d := f.page(t, "/")
	d.Find("link[href], script[src], img[src]").Each(func(_ int, s *goquery.Selection) {
		address := s.AttrOr("href", s.AttrOr("src", ""))
		if !strings.HasPrefix(address, "/static/"+f.assets.hash+"/") {
			t.Errorf("asset %q", address)
		}
		w := f.get(address)
		if w.Code != http.StatusOK || !strings.Contains(w.Header().Get("Cache-Control"), "immutable") || w.Body.Len() == 0 {
			t.Errorf("%s: %d %v", address, w.Code, w.Header())
		}
	})
	for name := range f.assets.files {
		want := map[string]string{".css": "text/css", ".js": "javascript", ".svg": "image/svg+xml"}[name[strings.LastIndexByte(name, '.'):]]
		if got := f.get("/static/" + f.assets.hash + "/" + name).Header().Get("Content-Type"); want == "" || !strings.Contains(got, want) {
			t.Errorf("%s is %q", name, got)
		}
	}
}

func TestErrorsAreFriendly(t *testing.T) {
	f := newFixture(t)
	for path, want := range map[string]int{
		"/nowhere": 404, "/crawls/99": 404, "/crawls/x": 404, "/sessions/none": 404, "/model/99": 404, "/static/0/base.css": 404,
	} {
		w := f.get(path)
		if w.Code != want || tree(t, w).Find("h1").Length() != 1 {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	if code := f.post("/", nil).Code; code != http.StatusMethodNotAllowed {
		t.Errorf("POST /: %d", code)
	}
	// A broken store: the page names the log line and nothing of the error.
	f.exec(t, `DROP TABLE topics`)
	w := f.get("/")
	if w.Code != http.StatusInternalServerError || strings.Contains(w.Body.String(), "topics") {
		t.Errorf("broken store: %d %s", w.Code, w.Body)
	}
	if len(tree(t, w).Find("code").Text()) != 8 {
		t.Errorf("no request id: %s", w.Body)
	}
}
