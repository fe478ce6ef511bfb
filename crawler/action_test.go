package crawler_test

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/weburl"
)

// actions returns the addresses in the table of package page, on http://a.test: those that trigger an action, and those
// that only show a page.
func actions(t *testing.T) (does, shows map[string]bool) {
	t.Helper()
	data, err := os.ReadFile("weburl/testdata/actions.txt")
	if err != nil {
		t.Fatal(err)
	}
	does, shows = map[string]bool{}, map[string]bool{}
	for line := range strings.Lines(string(data)) {
		kind, url, _ := strings.Cut(strings.TrimSpace(line), " http://")
		_, path, _ := strings.Cut(url, "/")
		url, err := weburl.Canonical("http://a.test/" + path)
		switch {
		case kind != "does" && kind != "shows" || err != nil || weburl.Secret(url):
		case kind == "does":
			does[url] = true
		default:
			shows[url] = true
		}
	}
	return does, shows
}

// TestNothingIsDone crawls a site whose pages lead in every way to addresses that trigger an action. None of them may be
// requested. Addresses that only look like actions are fetched.
func TestNothingIsDone(t *testing.T) {
	does, shows := actions(t)
	var mu sync.Mutex
	asked := map[string]int{}
	var all strings.Builder // the front page, and the site map
	var sitemap strings.Builder
	n := 0
	for url := range does {
		n++
		to := html.EscapeString(url)
		fmt.Fprintf(&all, `<a href="%s">do</a> <a href="/to/%d">elsewhere</a> <a href="/refresh/%d">again</a> <a href="/frame/%d">framed</a> <a href="/canonical/%d">c</a>`, to, n, n, n, n)
		fmt.Fprintf(&sitemap, "<url><loc>%s</loc></url>", to)
	}
	list := make([]string, 0, len(does))
	for url := range does {
		list = append(list, url)
	}
	for url := range shows {
		fmt.Fprintf(&all, `<a href="%s">see</a>`, html.EscapeString(url))
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		url := "http://" + r.Host + r.URL.RequestURI()
		mu.Lock()
		asked[url]++
		mu.Unlock()
		var kind string
		var i int
		if _, err := fmt.Sscanf(strings.ReplaceAll(r.URL.Path, "/", " "), "%s %d", &kind, &i); err == nil && (i < 1 || i > len(list)) {
			kind = ""
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch {
		case r.URL.Path == "/robots.txt":
			fmt.Fprint(w, "Sitemap: http://a.test/map.xml\n")
		case r.URL.Path == "/map.xml":
			w.Header().Set("Content-Type", "application/xml")
			fmt.Fprintf(w, "<urlset>%s</urlset>", sitemap.String())
		case r.URL.Path == "/":
			fmt.Fprint(w, all.String())
		case kind == "to":
			http.Redirect(w, r, list[i-1], http.StatusFound)
		case kind == "refresh":
			fmt.Fprintf(w, `<meta http-equiv=refresh content="0;url=%s">target %d`, html.EscapeString(list[i-1]), i)
		case kind == "frame":
			fmt.Fprintf(w, `<iframe src="%s"></iframe>target framed %d`, html.EscapeString(list[i-1]), i)
		case kind == "canonical":
			fmt.Fprintf(w, `<link rel=canonical href="%s">target named %d`, html.EscapeString(list[i-1]), i)
		default:
			fmt.Fprintf(w, "target %s", html.EscapeString(r.URL.RequestURI()))
		}
	}))
	defer s.Close()
	rule, err := fetch.ParseResolve("*.test=" + s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	live := fetch.NewLive(fetch.LiveOptions{Resolve: []fetch.Resolve{rule}, UserAgent: "Nightjar/1.0", Sitemaps: true})
	defer live.Close()
	if _, err := crawler.Run(t.Context(), live, counting{}, crawler.Options{Starts: []string{"http://a.test/"}, Live: true}); err != nil {
		t.Fatal(err)
	}
	followed := 0
	for url, n := range asked {
		if does[url] || weburl.Action(url) {
			t.Errorf("%s was requested %d times", url, n)
		}
		if strings.HasPrefix(url, "http://a.test/to/") || strings.HasPrefix(url, "http://a.test/frame/") {
			followed++
		}
	}
	for url := range shows {
		if asked[url] == 0 {
			t.Errorf("%s was not requested", url)
		}
	}
	if asked["http://a.test/map.xml"] != 1 || followed < len(does) {
		t.Errorf("site map %d times, %d pages that lead to actions", asked["http://a.test/map.xml"], followed)
	}
	t.Logf("%d addresses that do something, %d that show something", len(does), len(shows))
}
