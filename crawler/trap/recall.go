package trap

import "nightjar/crawler/weburl"

// Past is an earlier fetch of a resumed crawl that used budget.
type Past struct {
	URL      string // final
	Parent   string // final URL of the page whose link led there
	Title    string // of the page, "" if there was none
	Simhash  uint64 // Verdict.Simhash, 0 if there was no page
	Credit   bool   // Verdict.Credit, false if there was no page
	Relevant bool   // it counted as relevant
	Again    bool   // it was read before: only its new text counts
}

// Recall records an earlier fetch of a resumed crawl, or one that read a page again.
func (g *Guard) Recall(p Past) {
	if g == nil {
		return
	}
	if p.Again {
		g.seen.add(p.URL, p.Title, p.Simhash)
		return
	}
	own := g.titles.own(p.Title)
	near, elsewhere := g.seen.near(p.Simhash, weburl.Site(p.URL))
	near = near || g.seen.respelled(p.URL, p.Title, p.Simhash)
	g.seen.add(p.URL, p.Title, p.Simhash)
	g.RecallLink(p.URL, p.Parent)
	b := g.lineage.enter(p.URL, p.Parent)
	if b != nil && p.Simhash != 0 {
		g.lineage.grow(b, grown{find: p.Relevant}, g.limits)
	}
	waste := evenly(1)
	switch {
	case near && (elsewhere || !own):
		waste = evenly(sureWaste)
	case own && b != nil && !p.Credit:
		waste.thin(g.limits, p.Relevant, [levels]int{})
		g.spare(p.URL, waste)
	}
	g.record(p, waste)
}

// RecallLink records a link that was queued when the crawl was interrupted. Call it after all calls of Recall. parent is
// the final URL of its page.
func (g *Guard) RecallLink(url, parent string) {
	if g != nil && parent != "" {
		g.lineage.recall(url, parent)
		g.charge(url, parent)
	}
}

// spare remembers how much less than other pages a recalled page costs its groups because no link of it is known yet.
func (g *Guard) spare(url string, waste cost) {
	for l := range waste {
		waste[l] = 1 - waste[l]
	}
	g.spared[url] = waste
}

// charge takes what a recalled page was spared from those of its groups to which it adds an address.
func (g *Guard) charge(url, parent string) {
	spared, ok := g.spared[parent]
	if !ok {
		return
	}
	names, own := groups(url), g.groupsOf(parent)
	for l, name := range groups(parent) {
		if own[l] != nil && name == names[l] {
			own[l].balance -= spared[l]
			own[l].wasted += spared[l]
			spared[l] = 0
		}
	}
	g.spared[parent] = spared
	g.watch(parent, own)
}
