package cli

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"nightjar/crawler/render"
	"nightjar/daemon/app"
	"nightjar/daemon/app/apptest"
)

// asking is a site that logs its requests and their User-Agents by path.
type asking struct {
	mu     sync.Mutex
	agents map[string]string
	*httptest.Server
}

// mustAsking serves pages: path to HTML. Its robots.txt names a sitemap with the page /listed.
func mustAsking(t *testing.T, pages map[string]string) *asking {
	t.Helper()
	a := &asking{agents: map[string]string{}}
	a.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.mu.Lock()
		a.agents[r.URL.Path] = r.UserAgent()
		a.mu.Unlock()
		switch html, ok := pages[r.URL.Path]; {
		case ok:
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, html)
		case r.URL.Path == "/robots.txt":
			fmt.Fprintf(w, "Sitemap: http://%s/map.xml\n", r.Host)
		case r.URL.Path == "/map.xml":
			w.Header().Set("Content-Type", "application/xml")
			fmt.Fprintf(w, `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://%s/listed</loc></url></urlset>`, r.Host)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(a.Close)
	return a
}

func (a *asking) agent(path string) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.agents[path]
}

// crawl runs lab crawl on the site with a model of harbours, from its front page.
func (a *asking) crawl(t *testing.T, model string, flags ...string) (code int, errs string) {
	t.Helper()
	args := append([]string{"crawl", "--model", model, "--start", "http://quay.test/", "--delay", "0s", "--budget", "20",
		"--resolve", "*.test=" + strings.TrimPrefix(a.URL, "http://")}, flags...)
	code, _, errs = mustRun(t, args...)
	return code, errs
}

func mustBundle(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "m.bundle")
	if code, _, errs := mustRun(t, "train", "--session", apptest.Harbours(t), "--out", name); code != 0 {
		t.Fatal(errs)
	}
	return name
}

// TestCrawlLiveFlags: the contact reaches the site, and its sitemap is read only with --sitemaps.
func TestCrawlLiveFlags(t *testing.T) {
	model := mustBundle(t)
	site := mustAsking(t, map[string]string{
		"/":  `<title>Quay</title><p>harbour quay and ships that sail from it every day<a href="/a">more</a>`,
		"/a": "<p>forest trees with moss, far from any harbour", "/listed": "<p>a crane on the quay that no link leads to",
	})
	if code, errs := site.crawl(t, model); code != 0 {
		t.Fatal(errs)
	}
	if site.agent("/a") != "Nightjar/"+app.Version || site.agent("/map.xml") != "" || site.agent("/listed") != "" {
		t.Errorf("without flags: asked %v", site.agents)
	}
	if code, errs := site.crawl(t, model, "--sitemaps", "--contact", "https://example.org/me"); code != 0 {
		t.Fatal(errs)
	}
	want := "Nightjar/" + app.Version + " (+https://example.org/me)"
	for _, path := range []string{"/a", "/map.xml", "/listed", "/robots.txt"} {
		if got := site.agent(path); got != want {
			t.Errorf("%s was asked by %q, want %q", path, got, want)
		}
	}
	for _, bad := range [][]string{
		{"--contact", "a\r\nX-Evil: 1"}, {"--replay", "x", "--sitemaps"}, {"--replay", "x", "--render"}, {"--replay", "x", "--contact", "c"},
	} {
		if code, errs := site.crawl(t, model, bad...); code != 2 {
			t.Errorf("%q: code %d, %s", bad, code, errs)
		}
	}
}

// TestCrawlRender: a page that is empty without scripts is rendered.
func TestCrawlRender(t *testing.T) {
	if _, err := render.Find(); err != nil {
		t.Skip(err)
	}
	model := mustBundle(t)
	site := mustAsking(t, map[string]string{
		"/": `<title>Quay</title><div id="app"></div><script>document.getElementById("app").innerHTML =
			"<p>harbour quay and ships that sail from it every day</p>".repeat(20) + '<a href="/made">more</a>'</script>`,
		"/made": "<p>a crane on the quay",
	})
	if code, errs := site.crawl(t, model); code != 0 || site.agent("/made") != "" {
		t.Fatalf("without --render: code %d, %s, asked %v", code, errs, site.agents)
	}
	if code, errs := site.crawl(t, model, "--render"); code != 0 || site.agent("/made") == "" {
		t.Errorf("with --render: code %d, %s, asked %v", code, errs, site.agents)
	}
}

// TestCrawlEndsRatherThanWaits: a crawl whose only site wants a pause for ages ends, and says which site until when.
func TestCrawlEndsRatherThanWaits(t *testing.T) {
	model := mustBundle(t)
	for _, pause := range []string{"99999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT"} {
		site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/" {
				w.Header().Set("Content-Type", "text/html")
				fmt.Fprint(w, `<title>Quay</title><p>harbour quay and ships<a href="/a">a</a> <a href="/b">b</a>`)
				return
			}
			w.Header().Set("Retry-After", pause)
			w.WriteHeader(http.StatusTooManyRequests)
		}))
		code, out, errs := mustRun(t, "crawl", "--model", model, "--start", "http://quay.test/", "--delay", "0s",
			"--resolve", "*.test="+strings.TrimPrefix(site.URL, "http://"))
		site.Close()
		if code != 0 || !strings.Contains(errs, "lab: quay.test must not be asked before ") || !strings.Contains(errs, "(it asked for a pause)") {
			t.Errorf("%s: code %d, %s", pause, code, errs)
		}
		if !strings.Contains(out, "nothing can be fetched within 2 minutes: 1 host with links must not be asked before") {
			t.Errorf("%s: %s", pause, out)
		}
	}
}

// TestCrawlClosedByRobots: a crawl whose only site is closed by its robots.txt says so, names the host, and says what can be done.
func TestCrawlClosedByRobots(t *testing.T) {
	model := mustBundle(t)
	for _, tt := range []struct {
		name, robots string
		out, errs    string
	}{
		{"all", "User-agent: *\nDisallow: /\n", "0 pages fetched", "lab: quay.test: 1 page: the robots.txt of quay.test forbids the page\nlab: hint: "},
		{"part", "User-agent: *\nDisallow: /a\nDisallow: /b\n", "1 page fetched", "lab: quay.test: 2 pages: the robots.txt of quay.test forbids the page\n"},
		{"none", "User-agent: *\nDisallow:\n", "3 pages fetched", ""},
	} {
		site := mustAsking(t, map[string]string{
			"/":  `<title>Quay</title><p>harbour quay and ships that sail from it every day<a href="/a">a</a> <a href="/b">b</a>`,
			"/a": "<p>the harbour and its ships, old and new", "/b": "<p>a crane on the quay", "/robots.txt": tt.robots,
		})
		code, out, errs := mustRun(t, "crawl", "--model", model, "--start", "http://quay.test/", "--delay", "0s",
			"--resolve", "*.test="+strings.TrimPrefix(site.URL, "http://"))
		if code != 0 || !strings.Contains(out, tt.out) || !strings.Contains(errs, tt.errs) {
			t.Errorf("%s: code %d, %s, %s", tt.name, code, out, errs)
		}
		if tells := strings.Contains(out+errs, "forbid"); tells != (tt.errs != "") {
			t.Errorf("%s: %s, %s", tt.name, out, errs)
		}
	}
}
