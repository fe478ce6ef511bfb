package trap

import (
	"strings"

	"nightjar/crawler/neardup"
	"nightjar/crawler/page"
	"nightjar/crawler/pagekind"
	"nightjar/crawler/weburl"
)

// Options say how much a Guard may let be explored.
type Options struct {
	Pages  int      // budget of the crawl, 0 for unknown
	Starts []string // start pages: their hosts, and the hosts beside them, are not closed for being big
}

// Guard decides which addresses a crawl still follows. One a crawl, used by one goroutine. A nil Guard only looks at
// the shape of addresses and reads no page.
type Guard struct {
	limits  limits
	starts  map[string]bool // groups of hosts that start pages are in
	groups  map[string]*group
	watched map[string]bool // hosts, and names that hosts are below, with a group that was closed
	seen    *seen
	missing map[string]sample // what hosts show for what they have not
}

// New makes the guard of a new crawl.
func New(o Options) *Guard {
	g := &Guard{limits: limitsOf(o.Pages), starts: map[string]bool{}, groups: map[string]*group{}, watched: map[string]bool{},
		seen: newSeen(), missing: map[string]sample{}}
	for _, u := range o.Starts {
		names := groups(u)
		g.starts[names[byHost]], g.starts[names[byParent]] = true, true
	}
	return g
}

// Admit says why an address is not to be followed, "" when it may be.
func (g *Guard) Admit(url string) (why string) {
	if why := Shape(url); why != "" || g == nil {
		return why
	}
	host := weburl.Host(url)
	if _, parent, _ := strings.Cut(host, "."); !g.watched[host] && !g.watched[parent] {
		return ""
	}
	names := groups(url)
	for l, name := range names {
		if c := g.groups[name]; name != "" && c != nil {
			if why := c.closed(g.limits, level(l), g.starts[name]); why != "" {
				return why
			}
		}
	}
	return ""
}

// Read is a page that was read.
type Read struct {
	URL      string     // final
	Parent   string     // final URL of the page whose link led here, "" for a start page
	Page     *page.Page // as parsed
	Relevant bool       // as judged

	Sketch *neardup.Sketch // of its text, by NewSketch with its URL, where that is at hand; nil has it made
}

// Verdict is what a Guard makes of a page.
type Verdict struct {
	Simhash uint64 // of the text, 0 without
	Near    bool   // near-equal to a page read before: no credit, its links last
	Alias   string // the page read before that this one names as its canonical address and whose text it has, "" for none
	NoFind  string // why it stands for another page, in words, "" when it does not: login, consent, challenge, soft 404
	Credit  bool   // it brought something: new text, for a relevant page a part of it
}

// Page takes in a page that was read, before its links are queued.
func (g *Guard) Page(r Read) Verdict {
	if g == nil {
		return Verdict{NoFind: pagekind.NoFind(r.Page), Credit: true}
	}
	if r.Sketch == nil {
		made := neardup.NewSketch(r.URL, r.Page.Text)
		r.Sketch = &made
	}
	sketch := *r.Sketch
	v := Verdict{Simhash: sketch.Simhash, NoFind: pagekind.NoFind(r.Page)}
	missing := g.isMissing(r.Page, sketch)
	if v.NoFind == "" && missing {
		v.NoFind = "the page is what its host shows for addresses that do not exist"
	}
	fresh := g.seen.text(sketch)
	v.Near = g.seen.near(sketch.Simhash)
	if c := r.Page.Canonical; c != "" && c != r.URL && weburl.Site(c) == weburl.Site(r.URL) && neardup.SameText(g.seen.of(c), sketch.Simhash) {
		v.Alias, v.Near = c, true
	}
	g.seen.add(r.URL, sketch.Simhash)
	stands := v.NoFind != ""
	v.Credit = !v.Near && !stands && (fresh >= freshShare || r.Relevant && fresh >= freshSome)
	waste := 1.0
	switch {
	case pagekind.Stuffed(r.Page):
		waste = spamWaste
	case v.Near || missing:
		waste = sureWaste
	}
	g.take(Past{URL: r.URL, Parent: r.Parent, Credit: v.Credit, Relevant: r.Relevant && v.Credit}, waste)
	return v
}

// How much worse than a page without anything new others are.
const (
	sureWaste = 1.5 // a copy or a soft 404
	spamWaste = 3   // a page stuffed with words: who makes one, makes more of them
)

// Missed takes in an attempt that used budget and brought no page.
func (g *Guard) Missed(url string) {
	if g != nil {
		g.take(Past{URL: url}, 1)
	}
}

// NotFound takes in what a host shows, as if it were a page, for an address that cannot exist; url is any of the host.
func (g *Guard) NotFound(url string, p *page.Page) {
	if g != nil && p != nil {
		g.missing[weburl.Host(url)] = sample{neardup.NewSketch(p.URL, p.Text), p.Title, pagekind.SaysMissing(p)}
	}
}

// Past is an earlier fetch of a crawl that is taken up again. Only fetches that used budget are told.
type Past struct {
	URL      string // final
	Parent   string // final URL of the page whose link led there
	Simhash  uint64 // Verdict.Simhash, 0 without a page
	Credit   bool   // Verdict.Credit, false without a page
	Relevant bool   // it counted as relevant
}

// Recall takes in an earlier fetch of the crawl.
func (g *Guard) Recall(p Past) {
	if g == nil {
		return
	}
	waste := 1.0
	if g.seen.near(p.Simhash) {
		waste = sureWaste
	}
	g.seen.add(p.URL, p.Simhash)
	g.take(p, waste)
}

// take books one page or miss on all groups of its address.
func (g *Guard) take(p Past, waste float64) {
	own := g.of(p.URL)
	defer g.watch(p.URL, own)
	shut := false // a narrower group closed by this page: its wider groups get back most of what it cost them
	for l, c := range own {
		if c == nil {
			continue
		}
		was := c.patience(g.limits, level(l)) < 0
		c.book(g.limits, level(l), p.Credit, p.Relevant, waste)
		if !was && c.patience(g.limits, level(l)) < 0 && !shut {
			shut = true
			for wider := l + 1; wider < len(own); wider++ {
				if own[wider] != nil {
					own[wider].refund(c.wasted)
				}
			}
		}
	}
	if p.Relevant && p.Parent != "" {
		for _, c := range g.of(p.Parent) {
			if c != nil {
				c.idle = 0
			}
		}
	}
}

// watch notes that a host, or a host beside it, may be asked for what is closed.
func (g *Guard) watch(url string, own [levels]*group) {
	for l, c := range own {
		if c != nil && c.closed(g.limits, level(l), false) != "" {
			host := weburl.Host(url)
			g.watched[host] = true
			if parent := parentOf(host); parent != "" {
				g.watched[parent] = true
			}
			return
		}
	}
}

// of are the groups of an address, made where there is none yet.
func (g *Guard) of(url string) (all [levels]*group) {
	for l, name := range groups(url) {
		if name == "" {
			continue
		}
		c := g.groups[name]
		if c == nil {
			c = &group{}
			g.groups[name] = c
		}
		all[l] = c
	}
	return all
}
