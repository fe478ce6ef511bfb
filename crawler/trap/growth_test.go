package trap_test

import (
	"fmt"
	"hash/fnv"
	"io"
	"strings"
	"testing"

	"nightjar/crawler/page"
	"nightjar/crawler/trap"
)

// site is a made-up site: the links of each of its pages, by path. Each page has a text of its own.
type site func(path string) (links []string)

// crawl reads a site breadth-first, beginning with a start page that links to entrance, and returns how many pages of it the
// guard admits. find says which pages are relevant.
func (s site) crawl(g *trap.Guard, entrance string, most int, find func(path string) bool) (n int) {
	const start = "http://a.test/"
	type queued struct{ url, parent string }
	queue, known := []queued{{entrance, start}}, map[string]bool{start: true, entrance: true}
	g.Page(trap.Read{URL: start, Page: &page.Page{URL: start, Text: prose(1), Links: []page.Link{{URL: entrance}}}})
	for len(queue) > 0 && n < most {
		at := queue[0]
		queue = queue[1:]
		if g.Admit(at.url) != "" {
			continue
		}
		n++
		path := strings.TrimPrefix(at.url, "http://a.test")
		p := &page.Page{URL: at.url, Text: prose(uint64(1000 + n))}
		for _, to := range s(path) {
			p.Links = append(p.Links, page.Link{URL: "http://a.test" + to})
		}
		g.Page(trap.Read{URL: at.url, Parent: at.parent, Page: p, Relevant: find != nil && find(path)})
		for _, l := range p.Links {
			if !known[l.URL] && g.Admit(l.URL) == "" {
				known[l.URL] = true
				queue = append(queue, queued{l.URL, at.url})
			}
		}
	}
	return n
}

// recombined has a page for each path of three words, each at most three times.
func recombined(path string) (links []string) {
	for _, w := range []string{"x", "y", "more"} {
		if strings.Count(path+"/", "/"+w+"/") < 3 {
			links = append(links, path+"/"+w)
		}
	}
	return links
}

// scattered has random folders, links back to the front page and to all pages above, and a menu.
func scattered(path string) (links []string) {
	links = append(links, "/menu-one", "/menu-two", "/")
	for i := range 5 {
		w := strings.Fields(prose(sum(fmt.Sprint(path, i))))
		links = append(links, "/"+w[0]+w[1]+"/"+w[2])
	}
	return links
}

// filtered has a page for each set of letters.
func filtered(path string) (links []string) {
	for _, c := range "abcdefghijklmnopqrst" {
		set := strings.TrimPrefix(path, "/")
		if at := strings.IndexFunc(set, func(r rune) bool { return r >= c }); at < 0 {
			links = append(links, "/"+strings.TrimPrefix(set+"+", "+")+string(c))
		}
	}
	return links
}

// varied has pages with four to twelve links.
func varied(path string) (links []string) {
	words := strings.Fields(prose(sum(path)))
	for _, w := range words[:4+sum(path)%9] {
		links = append(links, "/"+w+"/of-"+words[20])
	}
	return links
}

// pooled has 2,000 pages, each of which links to ten at random.
func pooled(path string) (links []string) {
	for i := range 10 {
		links = append(links, fmt.Sprintf("/id/w%d", sum(fmt.Sprint(path, i))%2000))
	}
	return links
}

func sum(s string) uint64 {
	h := fnv.New64a()
	_, _ = io.WriteString(h, s) // never fails
	return h.Sum64() >> 8
}

// book has chapters that follow each other.
func book(path string) []string {
	var n int
	_, _ = fmt.Sscanf(path, "/book/chapter-%d", &n) // 0 for the contents
	return []string{"/book/", fmt.Sprintf("/book/chapter-%d", max(n-1, 1)), fmt.Sprintf("/book/chapter-%d", n+1)}
}

// archive has pages of ten articles each.
func archive(path string) (links []string) {
	var n int
	if _, err := fmt.Sscanf(path, "/archive/%d", &n); err != nil {
		return []string{"/archive/1", "/about"}
	}
	for i := range 10 {
		links = append(links, fmt.Sprintf("/story/%d-%s", n*10+i, strings.Fields(prose(uint64(n*10 + i)))[0]))
	}
	return append(links, fmt.Sprintf("/archive/%d", n+1), fmt.Sprintf("/archive/%d", max(n-1, 1)))
}

// manual has five parts of chapters of sections, as many as it takes, and on each page a way up and to its neighbours.
func manual(path string) (links []string) {
	path = strings.TrimSuffix(path, "/")
	up := path[:strings.LastIndexByte(path, '/')+1]
	links = []string{"/manual/", up, up + "1/", up + "2/"}
	parts := 5
	if depth := strings.Count(path, "/"); depth > 1 {
		parts = []int{6, 0, 9, 2, 1, 0, 14}[(int(path[len(path)-1])+depth)%7]
		if depth > 4 {
			parts = 0
		}
	}
	for i := range parts {
		links = append(links, fmt.Sprintf("%s/%d/", path, i+1))
	}
	return links
}

// TestFamiliesWithoutEndAreClosed: whatever its addresses look like, a family on the host of the start page that only leads to
// more of itself takes an eighth of a small budget. If a judge takes its pages for relevant, it takes a little more.
func TestFamiliesWithoutEndAreClosed(t *testing.T) {
	for name, s := range map[string]site{"recombined": recombined, "scattered": scattered, "filtered": filtered, "varied": varied, "pooled": pooled} {
		for every, most := range map[int]int{0: 26, 3: 31} {
			g := trap.New(trap.Options{Pages: 200, Starts: []string{"http://a.test/"}})
			relevant := 0
			n := s.crawl(g, "http://a.test/deep", 200, func(string) bool { relevant++; return every > 0 && relevant%every == 0 })
			if n > most {
				t.Errorf("%s, every %d relevant: %d pages, want at most %d", name, every, n, most)
			}
			if why := g.Admit("http://a.test/menu-one"); why != "" && name != "scattered" {
				t.Errorf("%s: another page of the host is closed: %s", name, why)
			}
		}
	}
}

// TestDeepSitesStayOpen: sites whose useful pages lie far from the front page are read until they come.
func TestDeepSitesStayOpen(t *testing.T) {
	for name, tt := range map[string]struct {
		site     site
		entrance string
		useful   string
	}{
		"book":    {book, "http://a.test/book/", "/book/chapter-120"},
		"archive": {archive, "http://a.test/archive/1", "/archive/12"},
		"manual":  {manual, "http://a.test/manual/", "/manual/5/5/6/"},
	} {
		g := trap.New(trap.Options{Pages: 400, Starts: []string{"http://a.test/"}})
		found, last := false, ""
		n := tt.site.crawl(g, tt.entrance, 160, func(path string) bool {
			last = path
			found = found || path == tt.useful
			return path == tt.useful
		})
		if !found {
			t.Errorf("%s: %d pages, the last %s, before %s", name, n, last, tt.useful)
		}
	}
}

// TestLinkedFromOutside: what a page outside of a closed family links to stays open.
func TestLinkedFromOutside(t *testing.T) {
	g := trap.New(trap.Options{Pages: 200, Starts: []string{"http://a.test/"}})
	trapped := func(path string) []string { return append(scattered(path), "/good/article") }
	site(trapped).crawl(g, "http://a.test/deep", 200, nil)
	const article = "http://a.test/good/article"
	if g.Admit(article) == "" {
		t.Fatal("the family was not closed")
	}
	g.Page(trap.Read{URL: "http://a.test/news", Parent: "http://a.test/", Page: &page.Page{
		URL: "http://a.test/news", Text: prose(5), Links: []page.Link{{URL: article}}}})
	if why := g.Admit(article); why != "" {
		t.Errorf("linked from the news: %s", why)
	}
}

// TestRecallLinks: an interrupted crawl does not give a trap its share anew.
func TestRecallLinks(t *testing.T) {
	o := trap.Options{Pages: 200, Starts: []string{"http://a.test/"}}
	g := trap.New(o)
	g.Recall(trap.Past{URL: "http://a.test/", Simhash: 1, Credit: true})
	queue := []string{"http://a.test/deep"}
	parents := map[string]string{queue[0]: "http://a.test/"}
	for n := range 24 {
		at := queue[n]
		g.Recall(trap.Past{URL: at, Parent: parents[at], Simhash: uint64(n) << 20, Credit: true})
		for _, to := range recombined(strings.TrimPrefix(at, "http://a.test")) {
			to = "http://a.test" + to
			queue, parents[to] = append(queue, to), at
		}
	}
	for _, u := range queue[24:] {
		g.RecallLink(u, parents[u])
	}
	for n := 24; n < len(queue); n++ {
		if g.Admit(queue[n]) != "" {
			return
		}
		if n == 30 {
			t.Fatal("six more pages, and it is still open")
		}
		p := &page.Page{URL: queue[n], Text: prose(uint64(n))}
		for _, to := range recombined(strings.TrimPrefix(queue[n], "http://a.test")) {
			p.Links = append(p.Links, page.Link{URL: "http://a.test" + to})
		}
		g.Page(trap.Read{URL: queue[n], Parent: parents[queue[n]], Page: p})
	}
}
