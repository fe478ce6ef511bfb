package trap

// growth is how a family of addresses grows: what its own pages add to it, and what it brings. A family without end and a
// large site both grow. They differ in what growing looks like:
//
//   - nearly every page of a family without end adds addresses. A site has leaves from early on.
//   - its branches do not meet, because there are so many addresses that a link rarely leads to one that was linked before.
//     The pages of a site are linked from several places.
//   - or else they meet because the addresses combine a few words, as filters do. Most addresses of a site bring a word of
//     their own: a title, a name, a number.
type growth struct {
	pages  int // read
	leaves int // of them, pages that added nothing
	fresh  int // addresses that the pages added
	coined int // of them, those with a word that no earlier address of the site has
	met    int // links to addresses of the family that another branch had added
	idle   int // pages since the last find
	finds  int
}

const (
	growsBy     = 2    // addresses that a page adds on average, from which a family grows
	manyLeaves  = 0.2  // share of pages that add nothing: no family without end has that many
	rarelyMeets = 0.15 // share of links, of those that met and those that were fresh
	fewCoined   = 0.25 // share of fresh addresses
)

// grows reports whether the family has become larger with every page.
func (g *growth) grows() bool {
	return g.fresh >= growsBy*g.pages && float64(g.leaves) <= manyLeaves*float64(g.pages)
}

// endless reports whether the family looks as if it had no end, whatever its pages say.
func (g *growth) endless() bool {
	apart := float64(g.met) <= rarelyMeets*float64(g.met+g.fresh)
	combined := float64(g.coined) <= fewCoined*float64(g.fresh)
	return g.grows() && (apart || combined)
}

// shut says why a family is closed, "" if it is not. Finds are no proof of worth, because a judge that takes one page of a
// trap for a find takes many. But they earn a family several times as many pages.
func (g *growth) shut(l limits) string {
	switch {
	case g.grows() && g.idle > l.barren*(1+min(g.finds, maxIdleFactor)):
		return "the addresses found here grow without bringing anything relevant"
	case g.endless() && g.pages > l.endless:
		return "the addresses found here look endless"
	}
	return ""
}

// add counts what one page does.
func (g *growth) add(p grown) {
	g.pages++
	g.fresh += p.fresh
	g.coined += p.coined
	if p.fresh == 0 {
		g.leaves++
	}
	g.idle++
	if p.find {
		g.found()
	}
}

// found counts a find of the family, or one that a page of the family links to.
func (g *growth) found() {
	g.finds++
	g.idle = 0
}

// without takes out a part of the family, which was closed by itself.
func (g *growth) without(part *growth) {
	g.pages -= part.pages
	g.leaves -= part.leaves
	g.fresh -= part.fresh
	g.coined -= part.coined
	g.met -= part.met
	g.idle = max(g.idle-part.pages, 0)
	g.finds -= part.finds
}

// grown is what one page adds to a family.
type grown struct {
	fresh, coined int
	find          bool
}

func (p *grown) count(k link) {
	if k.fresh {
		p.fresh++
	}
	if k.coined {
		p.coined++
	}
}
