package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"nightjar/daemon/lab/webtest"
)

func TestEveryRouteIsGuarded(t *testing.T) {
	f := newFixture(t)
	w := &webtest.Wing{Site: f.Site, Begins: []string{"/"}}
	if n := len(w.Patterns(http.MethodGet)) + len(w.Patterns(http.MethodPost)); n < 30 {
		t.Errorf("%d routes only", n)
	}
	webtest.Guarded(t, w, "GET /login", "POST /login", "GET /static/{hash}/{name}") // which show nothing private
}

func TestAbsoluteTargetIsRefused(t *testing.T) {
	f := newFixture(t)
	r := httptest.NewRequest(http.MethodGet, "http://"+f.host+"/", nil)
	r.RequestURI = "http://" + f.host + "/"
	r.AddCookie(f.Cookie)
	if code := f.Send(r).Code; code != http.StatusMisdirectedRequest {
		t.Errorf("absolute target: %d", code)
	}
}

func TestGetChangesNothing(t *testing.T) {
	s := seed(t)
	webtest.GetsChangeNothing(t, &webtest.Wing{Site: s.Site, Begins: []string{"/"}}, strings.NewReplacer("{uuid}", s.Session))
}

func TestHeaders(t *testing.T) {
	f := newFixture(t)
	for _, path := range []string{"/", "/nowhere", "/login", "/static/0/base.css", "/settings"} {
		h := f.Get(path).Header()
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
		w := f.Send(r)
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
		return f.Send(r)
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
	f.Clock = f.Clock.Add(61 * time.Second)
	if w := follow(late); w.Code != http.StatusUnauthorized {
		t.Errorf("after a minute: %d", w.Code)
	}
	if w := follow(strings.Replace(late, "code=", "kode=", 1)); w.Code != http.StatusUnauthorized {
		t.Errorf("without a code: %d", w.Code)
	}
	if n := f.Count(t, `SELECT count(*) FROM settings WHERE instr(value, ?) > 0`, c.Value); n != 0 {
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
		body := f.Send(r).Body.String()
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
	f.Server, f.Dashboard = again, again
	if code := f.Get("/").Code; code != http.StatusOK {
		t.Errorf("after a restart: %d", code)
	}
	if code := f.Post("/logout", nil).Code; code != http.StatusUnauthorized {
		t.Errorf("logout: %d", code)
	}
	if code := f.Get("/").Code; code != http.StatusUnauthorized {
		t.Errorf("after logout: %d", code)
	}
}

func TestOldLoginEnds(t *testing.T) {
	f := newFixture(t)
	f.Clock = f.Clock.Add(loginLife)
	if code := f.Get("/").Code; code != http.StatusUnauthorized {
		t.Errorf("after %s: %d", loginLife, code)
	}
}

func TestAssets(t *testing.T) {
	f := newFixture(t)
	d := f.Page(t, "/")
	d.Find("link[href], script[src], img[src]").Each(func(_ int, s *goquery.Selection) {
		address := s.AttrOr("href", s.AttrOr("src", ""))
		if !strings.HasPrefix(address, "/static/"+f.assets.hash+"/") {
			t.Errorf("asset %q", address)
		}
		w := f.Get(address)
		if w.Code != http.StatusOK || !strings.Contains(w.Header().Get("Cache-Control"), "immutable") || w.Body.Len() == 0 {
			t.Errorf("%s: %d %v", address, w.Code, w.Header())
		}
	})
	for name := range f.assets.files {
		want := map[string]string{".css": "text/css", ".js": "javascript", ".svg": "image/svg+xml"}[name[strings.LastIndexByte(name, '.'):]]
		if got := f.Get("/static/" + f.assets.hash + "/" + name).Header().Get("Content-Type"); want == "" || !strings.Contains(got, want) {
			t.Errorf("%s is %q", name, got)
		}
	}
}

func TestErrorsAreFriendly(t *testing.T) {
	f := newFixture(t)
	for path, want := range map[string]int{
		"/nowhere": 404, "/crawls/99": 404, "/crawls/x": 404, "/sessions/none": 404, "/model/99": 404, "/static/0/base.css": 404,
	} {
		w := f.Get(path)
		if w.Code != want || webtest.Tree(t, w).Find("h1").Length() != 1 {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	if code := f.Post("/", nil).Code; code != http.StatusMethodNotAllowed {
		t.Errorf("POST /: %d", code)
	}
	// A broken store: the page names the log line and nothing of the error.
	f.Exec(t, `DROP TABLE topics`)
	w := f.Get("/")
	if w.Code != http.StatusInternalServerError || strings.Contains(w.Body.String(), "topics") {
		t.Errorf("broken store: %d %s", w.Code, w.Body)
	}
	if len(webtest.Tree(t, w).Find("code").Text()) != 8 {
		t.Errorf("no request id: %s", w.Body)
	}
}
