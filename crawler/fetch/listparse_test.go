package fetch

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

var sitemapNow = time.Date(2026, 11, 5, 12, 0, 0, 0, time.UTC)

// pick reads a sitemap and lists its pages and sitemaps, as written.
func pick(tb testing.TB, body []byte, most int) (pages, index []string) {
	tb.Helper()
	p := newPicker(most, sitemapNow, func(string) bool { return true })
	if err := parseList(asWire(bytes.NewReader(body)), nil, p); err != nil {
		tb.Errorf("%.60q: %v", body, err)
	}
	for _, e := range p.picked(false) {
		pages = append(pages, e.loc)
	}
	for _, e := range p.picked(true) {
		index = append(index, e.loc)
	}
	return pages, index
}

func TestParseSitemap(t *testing.T) {
	wide := func(s string) string {
		var b strings.Builder
		b.WriteString("\xff\xfe")
		for _, u := range utf16.Encode([]rune(s)) {
			b.WriteByte(byte(u))
			b.WriteByte(byte(u >> 8))
		}
		return b.String()
	}
	const set = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`
	for _, c := range []struct {
		name, body   string
		pages, index []string
	}{
		{"empty", "", nil, nil},
		{"one", set + "<url><loc>http://a.test/</loc></url></urlset>", []string{"http://a.test/"}, nil},
		{"newest first", set + "<url><loc>/old</loc><lastmod>2020-01-01</lastmod></url><url><loc>/none</loc></url><url><loc>/new</loc><lastmod>2026-11-05T10:00+01:00</lastmod></url>" +
			"<url><loc>/never</loc><lastmod>2036-01-01</lastmod></url>", []string{"/new", "/old", "/none", "/never"}, nil},
		{"index", "<sitemapindex><sitemap><loc>/b</loc><lastmod>2020</lastmod></sitemap><sitemap><loc> /a\n</loc><lastmod>2021-02</lastmod></sitemap></sitemapindex>", nil, []string{"/a", "/b"}},
		{"entities and CDATA", set + "<url><loc>/?a=1&amp;b=2</loc></url><url><loc><![CDATA[/?c=1&d=2]]></loc></url>", []string{"/?a=1&b=2", "/?c=1&d=2"}, nil},
		{"name space", `<s:urlset xmlns:s="x"><s:url><s:loc>/a</s:loc><image:image><image:loc>/a.png</image:loc></image:image></s:url></s:urlset>`, []string{"/a"}, nil},
		{"own elements in between", set + "<url><image:image><image:loc>/a.png</image:loc><image:title/></image:image><loc>/a</loc><title/><video:loc>/v</video:loc></url><url><loc>/b</loc></url>", []string{"/a", "/b"}, nil},
		{"RSS by guid", "<rss><channel><item><guid>http://a.test/g</guid></item><item><guid isPermaLink=\"false\">http://a.test/no</guid></item>" +
			"<item><guid ispermalink=true>http://a.test/true</guid><link>/first</link></item><item><guid>17</guid></item></channel></rss>", []string{"http://a.test/g", "/first"}, nil},
		{"RSS", "<rss><channel><link>/home</link><item><title>x</title><link>/a</link><pubDate>Thu, 05 Nov 2020 12:01:00 GMT</pubDate></item></channel></rss>", []string{"/a"}, nil},
		{"Atom", `<feed><link href="/"/><entry><link rel="edit" href="/e"/><link rel="alternate" href="/a?x&amp;y"/><updated>2003-12-13T18:30:02Z</updated></entry></feed>`, []string{"/a?x&y"}, nil},
		{"text", "\ufeffhttp://a.test/1\r\nhttp://a.test/2\n\nnonsense\n", []string{"http://a.test/1", "http://a.test/2"}, nil},
		{"UTF-16", wide(set + "<url><loc>/ü</loc></url>"), []string{"/ü"}, nil},
		{"gzip", squeeze(set + "<url><loc>/a</loc></url></urlset>"), []string{"/a"}, nil},
		{"broken off", set + "<url><loc>/a</loc></url><url><loc>/b", []string{"/a"}, nil},
		{"not closed", set + "<url><loc>/a<url><loc>/b</loc></url>", []string{"/b"}, nil},
		{"a page", "<!doctype html><title>Not found</title><a href=/>x</a>", nil, nil},
		{"a script", "<script>x<url><loc>/a</loc></url></script>", []string{"/a"}, nil},
	} {
		pages, index := pick(t, []byte(c.body), 100)
		if !cmp.Equal(pages, c.pages) || !cmp.Equal(index, c.index) {
			t.Errorf("%s: %q, %q", c.name, pages, index)
		}
	}
}

// TestSitemapPicks chooses from a large file: the newest entries, or some spread over the file.
func TestSitemapPicks(t *testing.T) {
	var dated, plain strings.Builder
	for i := range 10_000 {
		day := sitemapNow.AddDate(0, 0, -(i*7919)%10_000)
		fmt.Fprintf(&dated, "<url><loc>/%d</loc><lastmod>%s</lastmod></url>", (i*7919)%10_000, day.Format(time.RFC3339))
		fmt.Fprintf(&plain, "<url><loc>/%d</loc></url>", i)
	}
	pages, _ := pick(t, []byte(dated.String()), 50)
	for i, p := range pages {
		if p != fmt.Sprint("/", i) {
			t.Fatalf("%d: %s; want the newest", i, p)
		}
	}
	if len(pages) != 100 {
		t.Errorf("%d pages", len(pages))
	}
	pages, _ = pick(t, []byte(plain.String()), 50)
	for _, some := range [][]string{pages[:50], pages[50:]} {
		last, largest := 0, 0
		for _, p := range some {
			var n int
			fmt.Sscanf(p, "/%d", &n)
			largest = max(largest, n-last)
			last = n
		}
		if largest = max(largest, 10_000-last); len(pages) != 100 || largest > 500 {
			t.Errorf("%d pages, a gap of %d", len(pages), largest)
		}
	}
}

// TestSitemapBombs reads files made to cost memory or time: nothing is kept, and the time is linear in their size.
func TestSitemapBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const size = 1 << 20
	fill := func(s string) []byte { return []byte("<urlset>" + strings.Repeat(s, size/len(s))) }
	laughs := `<!DOCTYPE lolz [<!ENTITY lol "lol">`
	for i := range 20 {
		laughs += fmt.Sprintf(`<!ENTITY lol%d "%s">`, i, strings.Repeat(fmt.Sprintf("&lol%d;", i-1), 10))
	}
	for name, body := range map[string][]byte{
		"billion laughs": []byte(laughs + "]><urlset><url><loc>/&lol19;</loc></url></urlset>"),
		"file":           []byte(`<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><urlset><url><loc>/&f;</loc></url></urlset>`),
		"deep":           fill("<a>"),
		"deep entries":   fill("<url><loc>"),
		"attributes":     []byte("<urlset " + strings.Repeat(`a="" `, size/5) + ">"),
		"entries":        fill("<url><loc>/a</loc></url>"),
		"long":           fill(strings.Repeat("x", 1000)),
		"long loc":       []byte("<urlset><url><loc>/" + strings.Repeat("x", size) + "</loc></url>"),
		"lines":          []byte("http://a.test/" + strings.Repeat("x", size)),
		"lower than":     fill("<"),
		"comment":        []byte("<urlset><!--" + strings.Repeat("-", size)),
		"gzip":           []byte(squeeze(string(bytes.Repeat([]byte("<url><loc>/a</loc></url>"), size/24)))),
		"gzip in gzip":   []byte(squeeze(squeeze("<url><loc>/a</loc></url>"))),
	} {
		pages, _ := pick(t, body, 100)
		if len(pages) > 200 {
			t.Errorf("%s: %d pages", name, len(pages))
		}
		for _, p := range pages {
			if len(p) > maxField+10 || strings.Contains(p, "lollol") || strings.Contains(p, "root:") {
				t.Errorf("%s: %.100q", name, p)
			}
		}
	}
	// Entries beyond the limit are not read, compressed or not.
	late := strings.Repeat(" ", maxListBytes) + "<url><loc>/late</loc></url>"
	for _, body := range []string{"<urlset>" + late, squeeze("<urlset>" + late)} {
		if pages, _ := pick(t, []byte(body), 100); pages != nil {
			t.Errorf("%q was read", pages)
		}
	}
}

// TestReferenceSitemaps reads the files of crawler-commons. TestParseSitemap and TestSitemapPicks have files of our own.
func TestReferenceSitemaps(t *testing.T) {
	root := os.Getenv("NIGHTJAR_REFERENCE")
	if root == "" {
		t.Skip("left out: NIGHTJAR_REFERENCE does not name the folder of reference suites")
	}
	want := map[string][2]int{ // pages and sitemaps
		"atom.xml": {1, 0}, "do-not-visit.txt": {1, 0}, "sitemap-with-bom.txt": {2, 0}, "sitemap.badns.xml": {2, 0}, "sitemap.index.xml": {0, 15},
		"sitemap.ns.xml": {2, 0}, "sitemap.txt": {2, 0}, "sitemap.txt.gz": {5, 0}, "xmlSitemap.gz": {5, 0},
		"hebdenbridgetimes-articles-sitemap.xml": {-1, 0}, "pagemaps-sitemap.xml": {2, 0}, "shinpaideshou-news-sitemap.xml": {-1, 0}, "sitemap-images.xml": {1, 0},
		"sitemap-links.xml": {3, 0}, "sitemap-mobile.xml": {3, 0}, "sitemap-news.xml": {2, 0}, "sitemap-videos-tvshow.xml": {1, 0}, "sitemap-videos.xml": {3, 0},
	}
	read := 0
	err := filepath.WalkDir(filepath.Join(root, "sitemaps"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		read++
		pages, index := pick(t, body, 1000)
		w, ok := want[d.Name()]
		if w[0] < 0 { // as many as there are entries
			w[0] = bytes.Count(body, []byte("<url>"))
		}
		if !ok || len(pages) != w[0] || len(index) != w[1] {
			t.Errorf("%s: %d pages and %d sitemaps %.300q; want %v", d.Name(), len(pages), len(index), pages, w)
		}
		for _, p := range slices.Concat(pages, index) {
			if !strings.HasPrefix(p, "http") || strings.ContainsAny(p, " \n") || strings.Contains(p, ".jpg") {
				t.Errorf("%s: %q", d.Name(), p)
			}
		}
		return nil
	})
	if err != nil || read < len(want) {
		t.Fatalf("%d files read of %d, %v", read, len(want), err)
	}
}

// flat lists the addresses of all lists of an answer, and says where the first list is.
func flat(res Response) (from string, urls []string) {
	for _, list := range res.Lists {
		if from == "" {
			from = list.URL
		}
		for _, page := range list.Pages {
			urls = append(urls, page.URL)
		}
	}
	return from, urls
}

func xml(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/xml")
		fmt.Fprint(w, body)
	}
}

// TestLiveSitemaps lists the addresses of hosts, subject to robots.txt, guard and site. No file is requested twice.
func TestLiveSitemaps(t *testing.T) {
	var many strings.Builder
	var all []string
	for i := range 1000 {
		all = append(all, fmt.Sprintf("http://many.test/%d", i))
		fmt.Fprintf(&many, "<url><loc>%s</loc></url>", all[i])
	}
	pages := map[string]http.HandlerFunc{
		"a.test/robots.txt": say("User-agent: *\nDisallow: /private\nSitemap: /index.xml\nSitemap: http://b.test/x.xml\nSitemap: http://127.0.0.1/x.xml\nSitemap: /private.xml"),
		"a.test/index.xml": xml(`<sitemapindex><sitemap><loc>http://a.test/s1.xml</loc></sitemap><sitemap><loc>http://b.test/s.xml</loc></sitemap>
			<sitemap><loc>/s2.xml.gz</loc></sitemap><sitemap><loc>/index.xml</loc></sitemap></sitemapindex>`),
		"a.test/s1.xml": xml(`<urlset><url><loc>http://a.test/new?utm_source=x#y</loc></url><url><loc>http://a.test/new</loc></url><url><loc>http://b.test/other</loc></url>
			<url><loc>http://a.test/private/x</loc></url><url><loc>http://a.test/logout</loc></url><url><loc>http://a.test/?access_token=x</loc></url>
			<url><loc>http://127.0.0.1/</loc></url><url><loc>javascript:x</loc></url><url><loc>http://a.test/</loc></url></urlset>`),
		"a.test/s2.xml.gz":            say(squeeze("<urlset><url><loc>http://a.test/gz</loc></url><url><loc>/new</loc></url></urlset>")),
		"plain.test/sitemap.xml":      xml("<urlset><url><loc>http://plain.test/x</loc></url><url><loc>http://www.plain.test/x</loc></url><url><loc>http://b.test/x</loc></url></urlset>"),
		"www.site.example/robots.txt": say("Sitemap: http://maps.site.example/map.xml"),
		"maps.site.example/map.xml":   xml("<urlset><url><loc>http://www.site.example/x</loc></url><url><loc>/y</loc></url><url><loc>http://shut.site.example/x</loc></url></urlset>"),
		"moved.test/sitemap.xml":      to("http://b.test/s.xml", 302),
		"turned.test/sitemap.xml":     to("/turned.xml", 301),
		"turned.test/turned.xml":      xml("<urlset><url><loc>/x</loc></url></urlset>"),
		"inside.test/sitemap.xml":     to("http://169.254.169.254/s.xml", 302),
		"shut.test/robots.txt":        say("User-agent: *\nDisallow: /sitemap.xml"),
		"closed.test/robots.txt":      say("User-agent: *\nDisallow: /\nSitemap: /map.xml"),
		"broken.test/robots.txt":      code(500),
		"many.test/sitemap.xml":       xml(many.String()),
		"gone.test/sitemap.xml":       code(410),
		"twice.test/robots.txt":       say("Sitemap: /s.xml\nSitemap: http://twice.test/s.xml\nSitemap: /t.xml"),
		"twice.test/s.xml":            xml("<sitemapindex><sitemap><loc>/t.xml</loc></sitemap><sitemap><loc>/u.xml</loc></sitemap></sitemapindex>"),
		"twice.test/t.xml":            xml("<sitemapindex><sitemap><loc>/s.xml</loc></sitemap></sitemapindex>"),
		"twice.test/u.xml":            xml("<sitemapindex><sitemap><loc>/s.xml</loc></sitemap><sitemap><loc>/t.xml</loc></sitemap></sitemapindex>"),
	}
	for i := range 20 {
		next := "/" + strings.Repeat("i", i+1) + ".xml"
		this := "/sitemap.xml"
		if i > 0 {
			this = "/" + strings.Repeat("i", i) + ".xml"
		}
		pages["deep.test"+this] = xml("<sitemapindex><sitemap><loc>http://deep.test" + next + "</loc></sitemap></sitemapindex>")
	}
	w := mustWeb(t, pages)
	l := w.mustLive(t, LiveOptions{Sitemaps: true, Resolve: []Resolve{{"*.example", w.addr()}}})
	for _, c := range []struct {
		host    string
		outcome Outcome
		final   string // "" for no list
		want    []string
		files   int // requested
	}{
		{"gone.test", OK, "", nil, 1},
		{"a.test", OK, "http://a.test/s1.xml", []string{"http://a.test/new", "http://a.test/", "http://a.test/gz"}, 3},
		{"plain.test", OK, "http://plain.test/sitemap.xml", []string{"http://plain.test/x"}, 1},
		{"www.site.example", OK, "http://maps.site.example/map.xml", []string{"http://www.site.example/x", "http://maps.site.example/y", "http://shut.site.example/x"}, 0},
		{"none.test", OK, "", nil, 1},
		{"moved.test", OK, "", nil, 1},
		{"turned.test", OK, "http://turned.test/sitemap.xml", []string{"http://turned.test/x"}, 2},
		{"inside.test", OK, "", nil, 1},
		{"shut.test", OK, "", nil, 0},
		{"closed.test", OK, "", nil, 0},
		{"broken.test", Robots, "", nil, 0},
		{"many.test", OK, "http://many.test/sitemap.xml", all, 1},
		{"twice.test", OK, "", nil, 3},
		{"deep.test", OK, "", nil, maxSitemapFiles},
		{"127.0.0.1", Refused, "", nil, 0},
	} {
		url := "http://" + c.host + "/page"
		got := l.List(t.Context(), url)
		from, urls := flat(got)
		slices.Sort(urls) // TestSitemapPicks tests the order
		slices.Sort(c.want)
		if got.URL != url || got.FinalURL != url || got.Outcome != c.outcome || from != c.final || !slices.Equal(urls, c.want) || (got.Outcome == OK) != (got.Reason == "") {
			t.Errorf("%s: %s (%s) at %s, %.300q; want %+v", c.host, got.Outcome, got.Reason, from, urls, c)
		}
		n, bytes := 0, int64(0)
		for _, x := range got.Exchanges {
			if x.Purpose == ForSitemap {
				bytes += x.Bytes
			}
			if x.Purpose == ForSitemap && strings.HasPrefix(x.URL, "http://"+c.host+"/") {
				n++
			}
		}
		if n != c.files || c.want != nil && got.Bytes != bytes {
			t.Errorf("%s: %d files, %d bytes; want %d files, %d bytes: %+v", c.host, n, got.Bytes, c.files, bytes, got.Exchanges)
		}
	}
	requested := map[string]bool{}
	for _, asked := range w.all() {
		if requested[asked] || strings.HasPrefix(asked, "b.test/") || strings.Contains(asked, "/private") || strings.HasSuffix(asked, "/page") {
			t.Errorf("%s was requested", asked)
		}
		requested[asked] = true
	}
	before := len(requested)
	if got := w.mustLive(t, LiveOptions{}).List(t.Context(), "http://plain.test/"); got.Outcome != OK || got.Lists != nil || len(got.Exchanges) != 0 || len(w.all()) != before {
		t.Errorf("sitemaps are read although the settings forbid it: %+v", got)
	}
}

func FuzzSitemap(f *testing.F) {
	f.Add([]byte("<urlset><url><loc>http://a.test/</loc><lastmod>2020-01-01</lastmod></url></urlset>"))
	f.Add([]byte("<feed><entry><link href=/x /></entry>"))
	f.Add([]byte("http://a.test/\nhttp://b.test/"))
	f.Add([]byte("<rss><item><title><![CDATA[<b>x</b> &amp;]]></title><guid>http://a.test/</guid><pubDate>5 Nov 2020 12:00:00 GMT</pubDate></item>"))
	f.Add([]byte("<rdf:RDF><item><dc:date>2020-11-05</dc:date><link>/x</link><title>&lt;i&gt;</title></item>"))
	f.Add([]byte(squeeze("<sitemap>x</sitemap>")))
	f.Fuzz(func(t *testing.T, body []byte) {
		p := newPicker(5, sitemapNow, func(url string) bool { return strings.HasPrefix(url, "http") })
		_ = parseList(asWire(bytes.NewReader(body)), nil, p) // what is broken is left out
		for _, index := range []bool{false, true} {
			list := p.picked(index)
			if len(list) > 10 {
				t.Fatalf("%d entries", len(list))
			}
			for i, e := range list {
				if e.loc == "" || len(e.loc) > maxField || e.index != index || len(e.title) > maxEntryTitle || !utf8.ValidString(e.title) {
					t.Fatalf("%+v", e)
				}
				if i > 0 && e.mod.After(list[i-1].mod) && !list[i-1].mod.IsZero() {
					t.Fatalf("%v after %v", e.mod, list[i-1].mod)
				}
			}
		}
	})
}
