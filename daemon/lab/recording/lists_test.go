package recording

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/crawler/archive"
	"nightjar/crawler/fetch"
)

// TestListing: hosts list what the robots.txt and sitemaps in a recording say, as a crawl recorded them, as other programs do, or made
// up. They are no pages.
func TestListing(t *testing.T) {
	dir := t.TempDir()
	a, err := archive.Open(archive.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	sitemap := func(urls ...string) string {
		return "<urlset><url><loc>" + strings.Join(urls, "</loc></url><url><loc>") + "</loc></url></urlset>"
	}
	_, err = a.Write(t.Context(), []fetch.Exchange{
		answer(fetch.ForPage, "http://a.test/", 200, "<p>home"),
		answer(fetch.ForRobots, "http://a.test/robots.txt", 200, "User-agent: *\nDisallow: /no/\nSitemap: /s.xml"),
		answer(fetch.ForSitemap, "http://a.test/s.xml", 200, sitemap("http://a.test/1", "http://a.test/no/2", "http://b.test/3"), "Content-Type", "text/xml"),
		answer(fetch.ForSitemap, "http://gone.test/sitemap.xml", 404, sitemap("http://gone.test/1"), "Content-Type", "text/xml"),
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	plain, list := http.Header{"Content-Type": {"text/plain"}}, http.Header{"Content-Type": {"application/xml"}}
	others := mustArchive(t,
		record{"http://b.test/robots.txt", 200, plain, "Sitemap: http://b.test/all.xml"},
		record{"http://b.test/all.xml", 200, list, "<sitemapindex><sitemap><loc>http://b.test/part.txt</loc></sitemap></sitemapindex>"},
		record{"http://b.test/part.txt", 200, plain, "http://b.test/4\nhttp://b.test/5"},
		record{"http://page.test/sitemap.xml", 200, http.Header{"Content-Type": {"text/html"}}, "<p>http://page.test/6"},
	)
	r, _, err := Open([]string{dir, others})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	l := Listing{Replay: r, MadeUp: map[string][]byte{"http://c.test/sitemap.xml": []byte(sitemap("http://c.test/7"))}, Now: time.Now()}
	for host, want := range map[string][]string{
		"a": {"http://a.test/1"}, "b": {"http://b.test/4", "http://b.test/5"}, "c": {"http://c.test/7"}, "gone": nil, "page": nil, "none": nil,
	} {
		got := l.List(t.Context(), "http://"+host+".test/some")
		var urls []string
		for _, list := range got.Lists {
			for _, p := range list.Pages {
				urls = append(urls, p.URL)
			}
		}
		if slices.Sort(urls); got.Outcome != fetch.OK || !slices.Equal(urls, want) {
			t.Errorf("%s lists %q, %s; want %q", host, urls, got.Outcome, want)
		}
	}
	if got := r.Fetch(t.Context(), "http://a.test/s.xml"); got.Outcome != fetch.Missing || len(r.Pages()) != 2 {
		t.Errorf("a sitemap is %s among the pages %q", got.Outcome, r.Pages())
	}
}
