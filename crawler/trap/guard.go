package trap

import (
	"strings"

	"nightjar/crawler/neardup"
	"nightjar/crawler/page"
	"nightjar/crawler/pagekind"
	"nightjar/crawler/weburl"
)

// Options are the settings of a Guard.
type Options struct {
	Pages  int      // budget of the crawl, 0 for unknown
	Starts []string // start pages: their hosts and sibling hosts may use the whole budget
}

// Guard decides which addresses a crawl still follows. Each crawl has its own; it is not safe for concurrent use. A nil
// Guard checks only the shape of addresses and ignores pages.
type Guard struct {
	limits  limits
	starts  map[string]bool // names of the groups byHost and byParent of start pages
	groups  map[string]*group
	watched map[string]bool // hosts and parent domains with a closed group
	seen    *seen
	missing map[string]sample // by host: its page for addresses that do not exist
	titles  *titles
	spared  map[string]cost // by address of a recalled page, see spare
	lineage *lineage
}

// New makes the guard of a new crawl.
func New(o Options) *Guard {
	g := &Guard{limits: limitsOf(o.Pages), starts: map[string]bool{}, groups: map[string]*group{}, watched: map[string]bool{},
		seen: newSeen(), missing: map[string]sample{}, titles: newTitles(), spared: map[string]cost{}, lineage: newLineage()}
	for _, u := range o.Starts {
		names := groups(u)
		g.starts[names[byHost]], g.starts[names[byParent]] = true, true
	}
	return g
}

// Admit says why an address must not be followed, "" if it may be.
func (g *Guard) Admit(url string) (why string) {
	if why := Shape(url); why != "" || g == nil {
		return why
	}
	if why := g.lineage.closed(url); why != "" {
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

// Read is a page that a crawl has read.
type Read struct {
	URL      string     // final
	Parent   string     // final URL of the page whose link led here, "" for a start page
	Page     *page.Page // as parsed
	Relevant bool       // as judged

	Sketch *neardup.Sketch // of its text, from NewSketch with its URL; nil lets the Guard make it
	Kind   *pagekind.Kind  // from pagekind.Of; nil lets the Guard find it
}

// Verdict is a Guard's verdict on a page.
type Verdict struct {
	Simhash uint64 // of the text, 0 if there is none
	Near    bool   // near-duplicate of a page read before: no credit, its links last
	NoFind  string // why it is no find, for a person to read: login, consent, challenge, soft 404; else ""
	Credit  bool   // it has new text; a relevant page needs less of it
}

// Page records a page that was read. Call it before its links are queued.
func (g *Guard) Page(r Read) Verdict {
	if r.Kind == nil {
		kind := pagekind.Of(r.Page)
		r.Kind = &kind
	}
	if g == nil {
		return Verdict{NoFind: r.Kind.NoFind, Credit: true}
	}
	if r.Sketch == nil {
		made := neardup.NewSketch(r.URL, r.Page.Text)
		r.Sketch = &made
	}
	sketch := *r.Sketch
	v := Verdict{Simhash: sketch.Simhash, NoFind: r.Kind.NoFind}
	missing := g.isMissing(r.Page, sketch)
	if v.NoFind == "" && missing {
		v.NoFind = "the page is the same as the host's page for addresses that do not exist"
	}
	links := g.follow(r)
	thin := g.titles.own(r.Page.Title) && sketch.Words <= thinWords && !g.lineage.full()
	fresh, numbers := g.seen.text(sketch)
	if !links.leads() && !g.lineage.full() {
		fresh = max(fresh, numbers)
	}
	v.Near = g.copies(r, sketch.Simhash, thin && links.leaf())
	g.seen.add(r.URL, r.Page.Title, sketch.Simhash)
	stands := v.NoFind != ""
	v.Credit = !v.Near && !stands && (fresh >= newShare || r.Relevant && fresh >= newShareRelevant)
	find := r.Relevant && v.Credit
	g.grow(r, links, find)
	g.record(Past{URL: r.URL, Parent: r.Parent, Credit: v.Credit, Relevant: find}, g.costOf(r, v, missing, thin, links))
	return v
}

// copies reports whether a page is a near-duplicate of one read before, such as of the one at the address that it names. A thin
// leaf is no copy of the other pages of its site on simhash alone: they have most words from the same template.
func (g *Guard) copies(r Read, simhash uint64, thinLeaf bool) bool {
	site := weburl.Site(r.URL)
	if c := r.Page.Canonical; c != "" && c != r.URL && weburl.Site(c) == site && neardup.SameText(g.seen.of(c), simhash) {
		return true
	}
	near, elsewhere := g.seen.near(simhash, site)
	return near && (elsewhere || !thinLeaf) || g.seen.respelled(r.URL, r.Page.Title, simhash)
}

// The waste of some pages, compared with 1 for a page without anything new.
const (
	sureWaste = 1.5 // a copy or a soft 404
	spamWaste = 3   // a page stuffed with keywords: its site usually has more of them
)

// Missed records an attempt that used budget and yielded no page.
func (g *Guard) Missed(url string) {
	if g != nil {
		g.record(Past{URL: url}, evenly(1))
	}
}

// NotFound records the page that a host shows for an address that cannot exist; url is any of the host.
func (g *Guard) NotFound(url string, p *page.Page) {
	if g != nil && p != nil {
		g.missing[weburl.Host(url)] = sample{neardup.NewSketch(p.URL, p.Text), p.Title, pagekind.SaysMissing(p)}
	}
}

// record updates all groups of an address with a page, or with a failed attempt. waste is what it costs if it has nothing new.
func (g *Guard) record(p Past, waste cost) {
	own := g.groupsOf(p.URL)
	defer g.watch(p.URL, own)
	shut := false // this page closed a narrower group: the wider ones get a refund
	for l, c := range own {
		if c == nil {
			continue
		}
		was := c.remaining(g.limits, level(l)) < 0
		c.update(g.limits, level(l), p.Credit, p.Relevant, waste[l])
		if !was && c.remaining(g.limits, level(l)) < 0 && !shut {
			shut = true
			for wider := l + 1; wider < len(own); wider++ {
				if own[wider] != nil {
					own[wider].refund(c.wasted)
				}
			}
		}
	}
	if p.Relevant && p.Parent != "" {
		for _, c := range g.groupsOf(p.Parent) {
			if c != nil {
				c.idle, c.growth.idle = 0, 0
			}
		}
	}
}

// watch marks the host or parent domain of a closed group, so that Admit checks their groups.
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

// groupsOf returns the groups of an address, and makes those that are missing.
func (g *Guard) groupsOf(url string) (all [levels]*group) {
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
