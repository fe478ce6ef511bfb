package trap_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"nightjar/crawler/neardup"
	"nightjar/crawler/page"
	"nightjar/crawler/trap"
)

// prose is a different text for each seed.
func prose(seed uint64) string {
	rng := rand.New(rand.NewPCG(seed, 1))
	var b strings.Builder
	for range 80 {
		for range 3 + rng.IntN(5) {
			b.WriteByte(byte('a' + rng.IntN(26)))
		}
		b.WriteByte(' ')
	}
	return b.String()
}

// read passes a page to the guard.
func read(g *trap.Guard, url, text string) trap.Verdict {
	return g.Page(trap.Read{URL: url, Page: &page.Page{URL: url, Text: text}})
}

// TestGuardCloses: a series of pages ends after at most that many pages if they have nothing new, and goes on otherwise.
func TestGuardCloses(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	label := func() string { return fmt.Sprintf("%x", rng.Uint64()) }
	var path string
	for _, tt := range []struct {
		name string
		url  func(n int) string
		text func(n int) string
		most int
	}{
		{"calendar", func(n int) string { return fmt.Sprintf("http://a.test/calendar/%d/%02d", 2000+n/12, n%12+1) },
			func(n int) string {
				return fmt.Sprintf("Calendar of month %d in the year %d. There are no events.", n%12+1, 2000+n/12)
			}, 8},
		{"dates in a parameter", func(n int) string { return fmt.Sprintf("http://a.test/day?date=2026-%d-%d", n/28, n%28) },
			func(n int) string { return "Nothing is on. Choose another day or go back to today." }, 8},
		{"facets", func(n int) string {
			return fmt.Sprintf("http://a.test/shoes?%s=1&%s=2&%s=3", label()[:3], label()[:3], label()[:3])
		}, func(int) string { return prose(7) }, 8},
		{"random labels", func(int) string { return "http://a.test/v-" + label() + "/page" }, func(int) string { return prose(8) }, 8},
		{"depth", func(int) string { path += "/deeper"[:3+rng.IntN(4)]; return "http://a.test" + path },
			func(int) string { return "A folder with folders in it." }, 14},
		{"subdomains", func(int) string { return "http://" + label() + ".a.test/" }, func(int) string { return prose(9) + "Welcome." }, 8},
		{"a copy of everything", func(n int) string { return fmt.Sprintf("http://a.test/copy/%c%c/x", 'a'+n%26, 'a'+n/26) },
			func(int) string { return prose(10) }, 8},
		{"echoes", func(n int) string { return "http://a.test/tag/" + fmt.Sprintf("%c%c%c", 'a'+n%26, 'a'+n/26, 'c') },
			func(n int) string {
				w := fmt.Sprintf("%c%c%c", 'a'+n%26, 'a'+n/26, 'c')
				return "Posts about " + w + ". There are no posts about " + w + " yet. Write about " + w + " now."
			}, 14},
		{"articles", func(n int) string { return fmt.Sprintf("http://www.a.test/news/2026/11/%d-a-story", n) }, func(n int) string { return prose(uint64(100 + n)) }, 150},
		{"one copy between two articles", func(n int) string { return fmt.Sprintf("http://www.a.test/news/%d", n) },
			func(n int) string { return prose(uint64(1000 + n - n%3/2)) }, 150},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path = ""
			g := trap.New(trap.Options{Pages: 2000, Starts: []string{"http://www.a.test/"}})
			n := 0
			for ; n < 150; n++ {
				url := tt.url(n)
				if g.Admit(url) != "" {
					break
				}
				read(g, url, tt.text(n))
			}
			if n > tt.most || tt.most == 150 && n < 150 {
				t.Errorf("%d pages, want at most %d", n, tt.most)
			}
			if why := g.Admit("http://other.test/"); why != "" {
				t.Errorf("another host is closed, too: %s", why)
			}
		})
	}
}

// TestShare: a host with only new text gets a share of the budget, one with relevant pages gets more, and the sites of
// start pages have no limit.
func TestShare(t *testing.T) {
	crawl := func(url string, relevant int) (n int) {
		g := trap.New(trap.Options{Pages: 200, Starts: []string{"http://www.start.test/"}})
		for ; n < 150 && g.Admit(fmt.Sprintf(url, n)) == ""; n++ {
			g.Page(trap.Read{URL: fmt.Sprintf(url, n), Page: &page.Page{Text: prose(uint64(n))}, Relevant: relevant > 0 && n%relevant == 0})
		}
		return n
	}
	for _, tt := range []struct {
		url         string
		relevant    int
		least, most int
	}{
		{"http://www.start.test/p/%d", 0, 150, 150},
		{"http://math.start.test/p/%d", 0, 40, 42}, // beside it
		{"http://www.other.test/p/%d", 0, 40, 42},
		{"http://www.other.test/p/%d", 30, 150, 150},
		{"http://h%d.other.test/", 0, 80, 82}, // twice the share for hosts beside each other
		{"http://h%d.start.test/", 0, 150, 150},
	} {
		if n := crawl(tt.url, tt.relevant); n < tt.least || n > tt.most {
			t.Errorf("%s, every %d relevant: %d pages, want %d to %d", tt.url, tt.relevant, n, tt.least, tt.most)
		}
	}
}

// TestChildrenCount: a relevant page counts for the page that links to it.
func TestChildrenCount(t *testing.T) {
	g := trap.New(trap.Options{Pages: 2000})
	for n := range 120 {
		hub := fmt.Sprintf("http://hub.test/list/%d", n)
		if why := g.Admit(hub); why != "" {
			t.Fatalf("after %d: %s", n, why)
		}
		read(g, hub, prose(uint64(n)))
		if n%30 == 0 {
			g.Page(trap.Read{URL: fmt.Sprintf("http://t%d.example/", n), Parent: hub, Page: &page.Page{Text: prose(uint64(10_000 + n))}, Relevant: true})
		}
	}
}

func TestVerdict(t *testing.T) {
	g := trap.New(trap.Options{})
	g.NotFound("http://a.test/x", &page.Page{URL: "http://a.test/qkxjwz", Title: "A", Text: "This is the front page for qkxjwz. " + prose(1)})
	first := read(g, "http://a.test/article", prose(2))
	if !first.Credit || first.Near || first.NoFind != "" || first.Simhash != neardup.NewSketch("", prose(2)).Simhash {
		t.Errorf("an article: %+v", first)
	}
	if v := read(g, "http://b.test/copy", prose(2)); !v.Near || v.Credit {
		t.Errorf("a copy: %+v", v)
	}
	if v := read(g, "http://a.test/", "This is the front page. "+prose(1)); v.NoFind != "" {
		t.Errorf("the front page that a host shows for everything: %+v", v)
	}
	if v := read(g, "http://a.test/gone", "This is the front page for gone. "+prose(1)); v.NoFind == "" || v.Credit {
		t.Errorf("a page that is not there: %+v", v)
	}
	if v := read(g, "http://b.test/gone", "Another host's page. "+prose(3)); v.NoFind != "" {
		t.Errorf("another host: %+v", v)
	}
	alias := &page.Page{URL: "http://a.test/article?from=mail", Canonical: "http://a.test/article", Text: prose(2)}
	if v := g.Page(trap.Read{URL: alias.URL, Page: alias}); !v.Near {
		t.Errorf("rel=canonical, near-equal text: %+v", v)
	}
	alias.Text = prose(4)
	if v := g.Page(trap.Read{URL: alias.URL, Page: alias}); v.Near {
		t.Errorf("rel=canonical, another text: %+v", v)
	}
}

// TestRecall: a resumed crawl knows the closed groups and the pages that were read.
func TestRecall(t *testing.T) {
	o := trap.Options{Pages: 2000, Starts: []string{"http://start.test/"}}
	g := trap.New(o)
	var past []trap.Past
	next := func(n int) string { return fmt.Sprintf("http://a.test/calendar/%d", n) }
	n := 0
	for ; g.Admit(next(n)) == ""; n++ {
		v := read(g, next(n), "No events on this day.")
		past = append(past, trap.Past{URL: next(n), Simhash: v.Simhash, Credit: v.Credit})
	}
	v := read(g, "http://b.test/", prose(5))
	past = append(past, trap.Past{URL: "http://b.test/", Simhash: v.Simhash, Credit: v.Credit})
	again := trap.New(o)
	for _, p := range past {
		again.Recall(p)
	}
	if again.Admit(next(n)) == "" {
		t.Error("the calendar is open again")
	}
	if v := read(again, "http://c.test/", prose(5)); !v.Near {
		t.Errorf("a copy of a page of before: %+v", v)
	}
	if why := again.Admit("http://b.test/more"); why != "" {
		t.Error(why)
	}
}

// TestNoGuard: without a guard only the shape of addresses counts.
func TestNoGuard(t *testing.T) {
	var g *trap.Guard
	g.Missed("http://a.test/")
	g.NotFound("http://a.test/", nil)
	g.Recall(trap.Past{URL: "http://a.test/"})
	if v := read(g, "http://a.test/", ""); !v.Credit || v.Near {
		t.Errorf("%+v", v)
	}
	for url, bad := range map[string]bool{
		"http://a.test/": false,
		"http://a.test/" + strings.Repeat("a", 2048):                           true,
		"http://a.test/a/b/a/c/a":                                              false,
		"http://a.test/a/b/a/c/a/d/a":                                          true,
		"http://a.test" + strings.Repeat("/1/2/3", 4):                          true,
		"http://a.test/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18/19/20":     false,
		"http://a.test/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18/19/20/21/": true,
		"http://a.test/?a=/x/x/x/x/x/x":                                        false,
	} {
		if why := g.Admit(url); (why != "") != bad {
			t.Errorf("%s: %q", url, why)
		}
	}
}
