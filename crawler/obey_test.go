package crawler_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
)

// TestWhatSitesAskIsObeyed crawls a site that says in every way what must not be fetched, followed or shown: robots.txt,
// X-Robots-Tag, robots meta elements, rel=nofollow and dates. Nothing forbidden is requested, whether through a link, a
// redirect, a frame or a sitemap, and no page that forbids indexing becomes a find.
func TestWhatSitesAskIsObeyed(t *testing.T) {
	type answer struct{ header, body string } // header as "Name: value"
	pages := map[string]answer{
		"a.test/robots.txt": {body: "User-agent: *\nDisallow: /\n\nUser-agent: nightjar\nDisallow: /private\nDisallow: /*.php$\nAllow: /private/open\nSitemap: /sitemap.xml\n"},
		"a.test/sitemap.xml": {body: "<urlset><url><loc>http://a.test/private/x</loc></url><url><loc>http://a.test/mapped</loc></url>" +
			"<url><loc>http://a.test/x.php</loc></url><url><loc>http://b.test/never</loc></url><url><loc>http://a.test/logout</loc></url></urlset>"},
		"a.test/": {body: `target <a href=/private/1>1</a> <a href=/private/open>2</a> <a href=/x.php>3</a> <a href=/x.php?y>4</a> <a href=/header>5</a>
			<a href=/ours>6</a> <a href=/others>7</a> <a href=/meta>8</a> <a href=/metaours>9</a> <a href=/never rel="x nofollow">10</a> <a href=/move>11</a>
			<a href=/noindex>12</a> <a href=/old>13</a> <a href=/future>14</a> <a href=/oldmeta>15</a> <a href=/framed>16</a> <a href=http://shut.test/never>17</a>
			<a href=http://late.test/never>18</a> <a href=/both rel=nofollow>19</a> <a href=/both>20</a> <a href=/bothheader>21</a>`},
		"a.test/private/open":    {body: "target open"},
		"a.test/x.php?y":         {body: "target query"},
		"a.test/mapped":          {body: "target mapped"},
		"a.test/both":            {body: "target both"},
		"a.test/header":          {"X-Robots-Tag: nofollow", "target header <a href=/never/header>x</a>"},
		"a.test/ours":            {"X-Robots-Tag: otherbot: noarchive, nightjar: none", "target ours <a href=/never/ours>x</a>"},
		"a.test/others":          {"X-Robots-Tag: otherbot: none", "target others <a href=/followed/others>x</a>"},
		"a.test/meta":            {body: "<meta name=robots content='NoFollow'>target meta <a href=/never/meta>x</a>"},
		"a.test/metaours":        {body: "<meta name=nightjar content='none'><meta name=robots content=all>target metaours <a href=/never/metaours>x</a>"},
		"a.test/bothheader":      {"X-Robots-Tag: noindex", "<meta name=robots content=nofollow>target bothheader <a href=/never/bothheader>x</a>"},
		"a.test/move":            {"Location: /private/moved", ""},
		"a.test/noindex":         {body: "<meta name=robots content=noindex>target noindex <a href=/followed/noindex>x</a>"},
		"a.test/old":             {"X-Robots-Tag: unavailable_after: 25 Jun 2010 15:00:00 GMT", "target old"},
		"a.test/future":          {"X-Robots-Tag: unavailable_after: 2090-06-25", "target future"},
		"a.test/oldmeta":         {body: "<meta name=robots content='unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT'>target oldmeta"},
		"a.test/framed":          {body: "<iframe src=/private/frame></iframe>target framed"},
		"a.test/followed/others": {body: "target followed others"}, "a.test/followed/noindex": {body: "target followed noindex"},
		"shut.test/robots.txt": {body: "User-agent: *\nDisallow: /"},
		"late.test/robots.txt": {"Location: http://shut.test/robots.txt", ""},
	}
	var mu sync.Mutex
	asked := map[string]int{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		url := r.Host + r.URL.RequestURI()
		mu.Lock()
		asked[url]++
		mu.Unlock()
		a, ok := pages[url]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if name, value, ok := strings.Cut(a.header, ": "); ok {
			w.Header().Set(name, value)
			if name == "Location" {
				w.WriteHeader(http.StatusFound)
			}
		}
		io.WriteString(w, a.body)
	}))
	defer s.Close()
	rule, err := fetch.ParseResolve("*.test=" + s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	live := fetch.NewLive(fetch.LiveOptions{Resolve: []fetch.Resolve{rule}, UserAgent: "Nightjar/1.0 (+http://example.com/)", Sitemaps: true})
	defer live.Close()
	finds, outcomes := map[string]bool{}, map[string]fetch.Outcome{}
	_, err = crawler.Run(t.Context(), live, counting{}, crawler.Options{Starts: []string{"http://a.test/"}, Live: true, OnFetch: func(f *crawler.Fetch) {
		outcomes[f.URL] = f.Response.Outcome
		if f.Find() {
			finds[strings.TrimPrefix(f.FinalURL, "http://a.test/")] = true
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	for url, n := range asked {
		for _, never := range []string{"never", "private/1", "private/x", "private/moved", "private/frame", ".php", "logout"} {
			if strings.Contains(url, never) && url != "a.test/x.php?y" {
				t.Errorf("%s was requested %d times", url, n)
			}
		}
	}
	want := map[string]bool{}
	for find := range strings.FieldsSeq("private/open x.php?y mapped both header others meta future framed followed/others followed/noindex") {
		want[find] = true
	}
	want[""] = true // the start page
	if fmt.Sprint(finds) != fmt.Sprint(want) {
		t.Errorf("finds: %v; want %v", finds, want)
	}
	for url, outcome := range map[string]fetch.Outcome{"http://a.test/private/1": fetch.Robots, "http://a.test/x.php": fetch.Robots, "http://a.test/move": fetch.Robots, "http://shut.test/never": fetch.Robots, "http://late.test/never": fetch.Robots} {
		if outcomes[url] != outcome {
			t.Errorf("%s: %q; want %q", url, outcomes[url], outcome)
		}
	}
}
