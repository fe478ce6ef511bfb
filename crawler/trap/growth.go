package trap

import "math"

// growth is how a family of addresses grows: what its own pages add to it, and what they bring. A family without end and a
// large site both grow, but not in the same way:
//
//   - The pages of a family without end come from one template: nearly every page adds addresses, and about as many as the
//     others. The pages of a site differ: a hub adds a hundred addresses, an article two, most pages none. In recordings of
//     universities, manuals and an encyclopedia, the upper quartile is three times the lower one or more.
//   - Those who are led by the pages get ever farther from the first page. A list of a hundred pages is not growth.
//   - The branches of a family without end do not meet: there are so many addresses that a link rarely leads to one that was
//     linked before. The pages of a site are linked from several places. Or else the branches meet because the addresses
//     combine a few words, as filters do; most addresses of a site bring a word of their own: a title, a name, a number.
type growth struct {
	pages  int          // read
	later  int          // of them, pages that another page than the first of the family led to
	fresh  int          // addresses that the pages added
	coined int          // of them, those with a word that no earlier address of the site has
	met    int          // links to addresses of the family that another branch had added
	idle   int          // pages since the last find
	finds  int          // relevant pages of the family, or that a page of the family links to
	steps  [steps]int32 // pages by how much each added, see stepOf
}

// Bounds of what looks like growth without end.
const (
	growsBy     = 2    // addresses that a page adds, at least and on average
	manyLeaves  = 0.2  // share of pages that add nothing, at most
	fewLater    = 0.25 // share of later pages, at least
	evenSteps   = 4    // between the quartiles, at most: a factor of two
	rarelyMeets = 0.15 // share of met links, of those and the fresh ones, at most
	fewCoined   = 0.25 // share of coined addresses, of the fresh ones, at most
)

// steps is the number of steps that stepOf distinguishes.
const steps = 32

// stepOf returns the step of a number of addresses: 0 and 1, then each 1.2 times as much as the one before.
func stepOf(n int) int {
	if n < 2 {
		return n
	}
	return min(1+int(4*math.Log2(float64(n))), steps-1)
}

// quartile returns the step below which a share of the pages are.
func (g *growth) quartile(share float64) int {
	below := 0
	for i, n := range g.steps {
		if below += int(n); float64(below) > share*float64(g.pages) {
			return i
		}
	}
	return steps - 1
}

// grows reports whether the family becomes larger with every page, as what a template makes does.
func (g *growth) grows() bool {
	n := float64(g.pages)
	return g.fresh >= growsBy*g.pages && float64(g.steps[0]) <= manyLeaves*n && float64(g.later) >= fewLater*n &&
		g.quartile(0.75)-g.quartile(0.25) <= evenSteps
}

// endless reports whether there is also no sign that the family has an end.
func (g *growth) endless() bool {
	apart := float64(g.met) <= rarelyMeets*float64(g.met+g.fresh)
	combined := float64(g.coined) <= fewCoined*float64(g.fresh)
	return g.grows() && (apart || combined)
}

// shut says why the family is closed, "" if it is not. Finds are no proof of worth, because a judge that takes one page of a
// trap for a find takes many. But they earn the family more pages.
func (g *growth) shut(l limits) string {
	switch {
	case g.idle > l.barren*(1+min(g.finds, maxIdleFactor)) && g.grows():
		return "the addresses that are found here only lead to more of them and to nothing relevant"
	case g.pages > l.endless && g.endless():
		return "the addresses that are found here have no end"
	}
	return ""
}

// grown is what one page adds to a family.
type grown struct {
	fresh, coined int
	later, find   bool
}

func (p *grown) count(k link) {
	if k.fresh {
		p.fresh++
	}
	if k.coined {
		p.coined++
	}
}

// add counts a page.
func (g *growth) add(p grown) {
	g.pages++
	g.fresh += p.fresh
	g.coined += p.coined
	g.steps[stepOf(p.fresh)]++
	g.idle++
	if p.later {
		g.later++
	}
	if p.find {
		g.found()
	}
}

// found counts a find.
func (g *growth) found() {
	g.finds++
	g.idle = 0
}

// without takes out a part of the family, which was closed by itself.
func (g *growth) without(part *growth) {
	g.pages -= part.pages
	g.later -= part.later
	g.fresh -= part.fresh
	g.coined -= part.coined
	g.met -= part.met
	g.idle = max(g.idle-part.pages, 0)
	g.finds -= part.finds
	for i, n := range part.steps {
		g.steps[i] -= n
	}
}
