package trap_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"nightjar/crawler/page"
	"nightjar/crawler/trap"
)

// A staff is a folder of thin pages from one template. A page of it has a name, which its address repeats, and a room.
type staff struct {
	links  func(n int) []int // members that the page of member n links to, nil for none
	more   string            // address that each page also links to, with a verb for its member, "" for none
	title  func(name string) string
	filler string // words of the template, besides those that all pages have
}

func nameOf(n int) string {
	rng := rand.New(rand.NewPCG(uint64(n), 3))
	word := func() string {
		var b strings.Builder
		for range 3 {
			b.WriteByte("bdfgklmnprstvz"[rng.IntN(14)])
			b.WriteByte("aeiou"[rng.IntN(5)])
		}
		return b.String()
	}
	return word() + " " + word()
}

func addressOf(n int) string {
	return "http://www.a.test/staff/" + strings.ReplaceAll(nameOf(n), " ", "-") + "/"
}

func (s staff) page(n int) *page.Page {
	name := nameOf(n)
	p := &page.Page{URL: addressOf(n), Title: name + " – A University"}
	if s.title != nil {
		p.Title = s.title(name)
	}
	p.Text = fmt.Sprintf("%s\n%s\nRoom %d, Department of Things, 851 South Street, Chicago. Contact %s by post. View the full profile. %s",
		p.Title, name, n, name, s.filler)
	if s.more != "" {
		p.Links = append(p.Links, page.Link{URL: fmt.Sprintf(s.more, n)})
	}
	if s.links != nil {
		for _, to := range s.links(n) {
			p.Links = append(p.Links, page.Link{URL: addressOf(to)})
		}
	}
	return p
}

// members is the size of a staff.
const members = 300

// crawl reads the members in order from a list, or by the links of the first one. It returns how many were read.
func (s staff) crawl(t *testing.T, g *trap.Guard, relevant bool) (n int) {
	t.Helper()
	const list = "http://www.a.test/staff-list"
	all := &page.Page{URL: list, Title: "Staff – A University", Text: prose(1)}
	parents := map[int]string{0: list}
	for m := range members {
		all.Links = append(all.Links, page.Link{URL: addressOf(m)})
		parents[m] = list
	}
	if s.links != nil {
		all.Links = all.Links[:1]
	}
	g.Page(trap.Read{URL: list, Page: all})
	for ; n < members && g.Admit(addressOf(n)) == ""; n++ {
		p := s.page(n)
		if s.links != nil {
			for _, to := range s.links(n) {
				parents[to] = p.URL
			}
		}
		g.Page(trap.Read{URL: p.URL, Parent: parents[n], Page: p, Relevant: relevant})
	}
	return n
}

// TestThinPages: a folder of pages that have a title of their own is read like one of pages without a find, and longer if
// they are relevant. It is closed at once if they share a title, or if each leads to more of them.
func TestThinPages(t *testing.T) {
	same := func(string) string { return "Staff – A University" }
	numbered := func(name string) string { return fmt.Sprintf("Member %d – A University", len(name)) }
	for _, tt := range []struct {
		name        string
		staff       staff
		relevant    bool
		least, most int
	}{
		{"directory", staff{}, false, 55, 65},
		{"directory of relevant pages", staff{}, true, 200, 230},
		{"directory with cards", staff{more: "http://www.a.test/card?of=%d"}, false, 30, 50},
		{"one title", staff{title: same}, false, 1, 8},
		{"one title, relevant", staff{title: same}, true, 1, 8},
		{"numbers for titles", staff{title: numbered}, false, 1, 8},
		{"chain", staff{links: func(n int) []int { return []int{n + 1} }}, false, 1, 8},
		{"tree of relevant pages", staff{links: func(n int) []int { return []int{2*n + 1, 2*n + 2} }}, true, 1, 8},
		{"long", staff{filler: prose(2) + prose(3) + prose(4) + prose(5)}, false, 1, 8},
	} {
		g := trap.New(trap.Options{Pages: 1000, Starts: []string{"http://www.a.test/"}})
		if n := tt.staff.crawl(t, g, tt.relevant); n < tt.least || n > tt.most {
			t.Errorf("%s: %d pages, want %d to %d", tt.name, n, tt.least, tt.most)
		}
	}
}

// TestThinPagesAreNoCopies: pages that differ in the title and in a name are no copies of each other, unless they lead to
// more pages or are on another site.
func TestThinPagesAreNoCopies(t *testing.T) {
	s := staff{filler: prose(2) + prose(3)}
	verdict := func(change func(p *page.Page)) trap.Verdict {
		g := trap.New(trap.Options{})
		p := s.page(0)
		g.Page(trap.Read{URL: p.URL, Page: p})
		q := *p // the simhash is the same
		q.URL, q.Title = addressOf(1), nameOf(1)
		change(&q)
		return g.Page(trap.Read{URL: q.URL, Page: &q})
	}
	for name, tt := range map[string]struct {
		change func(p *page.Page)
		near   bool
	}{
		"own title":  {func(*page.Page) {}, false},
		"same title": {func(p *page.Page) { p.Title = s.page(0).Title }, true},
		"other site": {func(p *page.Page) { p.URL = "http://b.test/staff/x/" }, true},
		"links": {func(p *page.Page) {
			p.Links = []page.Link{{URL: addressOf(2)}, {URL: addressOf(3)}}
		}, true},
		"rel=canonical": {func(p *page.Page) { p.Canonical = addressOf(0) }, true},
	} {
		if v := verdict(tt.change); v.Near != tt.near {
			t.Errorf("%s: a copy: %v", name, v.Near)
		}
	}
}

// TestRecallThinPages: a resumed crawl goes on with a directory of thin pages, and not with a chain of them.
func TestRecallThinPages(t *testing.T) {
	for _, chain := range []bool{false, true} {
		g := trap.New(trap.Options{Pages: 1000, Starts: []string{"http://www.a.test/"}})
		const list = "http://www.a.test/staff-list"
		g.Recall(trap.Past{URL: list, Title: "Staff – A University", Simhash: 1, Credit: true})
		parent := list
		for n := range 20 {
			g.Recall(trap.Past{URL: addressOf(n), Parent: parent, Title: nameOf(n) + " – A University", Simhash: uint64(n+2) << 20})
			if chain {
				parent = addressOf(n)
			}
		}
		g.RecallLink(addressOf(20), parent)
		if why := g.Admit(addressOf(20)); (why != "") != chain {
			t.Errorf("chain %v: %q", chain, why)
		}
	}
}
