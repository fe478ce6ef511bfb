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
	lineage *lineage
}

// New makes the guard of a new crawl.
func New(o Options) *Guard {
	g := &Guard{limits: limitsOf(o.Pages), starts: map[string]bool{}, groups: map[string]*group{}, watched: map[string]bool{},
		seen: newSeen(), missing: map[string]sample{}, lineage: newLineage()}
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
}

// Verdict is a Guard's verdict on a page.
type Verdict struct {
	Simhash uint64 // of the text, 0 if there is none
	Near    bool   // near-duplicate of a page read before: no credit, its links last
	Alias   string // canonical address that this page names, if a page with the same text was read there, else ""
	NoFind  string // why it is no find, for a person to read: login, consent, challenge, soft 404; else ""
	Credit  bool   // it has new text; a relevant page needs less of it
}

// Page records a page that was read. Call it before its links are queued.
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
		v.NoFind = "the page is the same as the host's page for addresses that do not exist"
	}
	fresh := g.seen.text(sketch)
	v.Near = g.seen.near(sketch.Simhash)
	if c := r.Page.Canonical; c != "" && c != r.URL && weburl.Site(c) == weburl.Site(r.URL) && neardup.SameText(g.seen.of(c), sketch.Simhash) {
		v.Alias, v.Near = c, true
	}
	g.seen.add(r.URL, sketch.Simhash)
	stands := v.NoFind != ""
	v.Credit = !v.Near && !stands && (fresh >= newShare || r.Relevant && fresh >= newShareRelevant)
	waste := 1.0
	switch {
	case pagekind.Stuffed(r.Page):
		waste = spamWaste
	case v.Near || missing:
		waste = sureWaste
	}
	find := r.Relevant && v.Credit
	g.grow(r, find)
	g.record(Past{URL: r.URL, Parent: r.Parent, Credit: v.Credit, Relevant: find}, waste)
	return v
}

// The waste of some pages, compared with 1 for a page without anything new.
const (
	sureWaste = 1.5 // a copy or a soft 404
	spamWaste = 3   // a page stuffed with keywords: its site usually has more of them
)

// Missed records an attempt that used budget and yielded no page.
func (g *Guard) Missed(url string) {
	if g != nil {
		g.record(Past{URL: url}, 1)
	}
}

// NotFound records the page that a host shows for an address that cannot exist; url is any of the host.
func (g *Guard) NotFound(url string, p *page.Page) {
	if g != nil && p != nil {
		g.missing[weburl.Host(url)] = sample{neardup.NewSketch(p.URL, p.Text), p.Title, pagekind.SaysMissing(p)}
	}
}

// Past is an earlier fetch of a resumed crawl that used budget.
type Past struct {
	URL      string // final
	Parent   string // final URL of the page whose link led there
	Simhash  uint64 // Verdict.Simhash, 0 if there was no page
	Credit   bool   // Verdict.Credit, false if there was no page
	Relevant bool   // it counted as relevant
}

// Recall records an earlier fetch of a resumed crawl.
func (g *Guard) Recall(p Past) {
	if g == nil {
		return
	}
	waste := 1.0
	if g.seen.near(p.Simhash) {
		waste = sureWaste
	}
	g.seen.add(p.URL, p.Simhash)
	g.RecallLink(p.URL, p.Parent)
	if b := g.lineage.enter(p.URL, p.Parent); b != nil && p.Simhash != 0 {
		g.lineage.grow(b, grown{find: p.Relevant}, g.limits)
	}
	g.record(p, waste)
}

// RecallLink records a link that was queued when the crawl was interrupted. Call it after all calls of Recall. parent is
// the final URL of its page.
func (g *Guard) RecallLink(url, parent string) {
	if g != nil && parent != "" {
		g.lineage.recall(url, parent)
	}
}

// grow counts what a page adds to the families that it belongs to: those below each page above it, and its groups.
func (g *Guard) grow(r Read, find bool) {
	if find && r.Parent != "" && weburl.Site(r.Parent) != weburl.Site(r.URL) {
		g.lineage.credit(r.Parent)
	}
	b := g.lineage.enter(r.URL, r.Parent)
	if b == nil {
		return
	}
	names, above := groups(r.URL), groups(r.Parent)
	all := grown{find: find}
	var in [levels]grown
	var met [levels]int
	for _, k := range g.lineage.follow(b, r.URL, r.Page) {
		all.count(k)
		for l, name := range groups(k.url) {
			switch {
			case name != names[l]:
			case k.fresh:
				in[l].count(k)
			default:
				met[l]++
			}
		}
	}
	for l, c := range g.groupsOf(r.URL) {
		if c != nil {
			in[l].find, in[l].later = find, above[l] == names[l]
			c.growth.add(in[l])
			c.growth.met += met[l]
		}
	}
	g.lineage.grow(b, all, g.limits)
}

// record updates all groups of an address with a page, or with a failed attempt.
func (g *Guard) record(p Past, waste float64) {
	own := g.groupsOf(p.URL)
	defer g.watch(p.URL, own)
	shut := false // this page closed a narrower group: the wider ones get a refund
	for l, c := range own {
		if c == nil {
			continue
		}
		was := c.remaining(g.limits, level(l)) < 0
		c.update(g.limits, level(l), p.Credit, p.Relevant, waste)
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
