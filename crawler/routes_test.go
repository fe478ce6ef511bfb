package crawler_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
)

// TestRoutesAreAskedOnce crawls a site where start pages, links, frames, redirects, refreshes, canonical addresses and the
// site map name routes of one document. Its server is asked once for each document, and nothing that is recorded of the
// crawl has a route.
func TestRoutesAreAskedOnce(t *testing.T) {
	pages := map[string]string{
		"/": `<a href="/app#/teams">Teams</a> <a href="/app#!/rinks">Rinks</a> <a href="/app">App</a> <a href="#/here">here</a>
			<a href="/to">to</a> <a href="/soon">soon</a> <a href="/framed#/x">framed</a>`,
		"/app":     `<a href="#/teams/7">Team 7</a> <a href="/app#/teams/8">Team 8</a> <a href="other#/a?b=c">other</a> target app`,
		"/soon":    `<meta http-equiv=refresh content="0;url=/app#/later"> target soon`,
		"/framed":  `<iframe src="/app#/framed"></iframe> <link rel=canonical href="/app#/named"> target framed`,
		"/other":   `target other`,
		"/mapped":  `target mapped`,
		"/started": `target started`,
	}
	var mu sync.Mutex
	asked := map[string]int{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked[r.RequestURI]++
		mu.Unlock()
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/robots.txt":
			fmt.Fprint(w, "Sitemap: http://a.test/map.xml\n")
		case "/map.xml":
			w.Header().Set("Content-Type", "application/xml")
			fmt.Fprint(w, "<urlset><url><loc>http://a.test/app#/map</loc></url><url><loc>http://a.test/mapped#/1</loc></url><url><loc>http://a.test/mapped#/2</loc></url></urlset>")
		case "/to":
			http.Redirect(w, r, "http://a.test/app#/there", http.StatusFound)
		default:
			fmt.Fprint(w, pages[r.URL.Path])
		}
	}))
	defer s.Close()
	rule, err := fetch.ParseResolve("*.test=" + s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	live := fetch.NewLive(fetch.LiveOptions{Resolve: []fetch.Resolve{rule}, UserAgent: "Nightjar/1.0", Sitemaps: true})
	defer live.Close()
	var recorded []string
	note := func(urls ...string) { recorded = append(recorded, urls...) }
	starts := []string{"http://a.test/", "http://a.test/#/again", "http://a.test/started#/1", "http://a.test/started#/2"}
	_, err = crawler.Run(t.Context(), live, counting{}, crawler.Options{Starts: starts, Live: true, OnFetch: func(f *crawler.Fetch) {
		note(f.URL, f.FinalURL)
		note(f.Done...)
		for _, e := range f.Queued {
			note(e.URL)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{"/robots.txt": 1, "/map.xml": 1, "/to": 1}
	for path := range pages {
		want[path] = 1
	}
	// A redirect and a refresh lead to a document that may have been asked for before; their ends cannot be known earlier.
	want["/app"] = 3
	if !maps.Equal(asked, want) {
		t.Errorf("asked %v, want %v", asked, want)
	}
	if i := slices.IndexFunc(recorded, func(url string) bool { return url == "" || slices.Contains([]byte(url), '#') }); i >= 0 {
		t.Errorf("the crawl recorded %q", recorded[i])
	}
}
