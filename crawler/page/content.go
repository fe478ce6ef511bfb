package page

import (
	"slices"

	"golang.org/x/net/html"
)

// How certain it is that a line is not content.
const (
	content   = iota
	lookalike // it looks like navigation
	named     // its class or id says so, and it looks like it
	semantic  // elements or roles say so
	certainties
)

// Sizes, in letters.
const (
	minMain   = 200 // from which a main part is trusted to be the content
	minLeft   = 100 // from which content may be the smaller part of a page
	minColumn = 300 // of running text beside a column of links
	maxStep   = 600 // of a breadcrumb, pagination or cookie notice
)

// contents returns the lines of a page that are its content, in order.
//
// A line is left out because of its region: navigation, search, header, footer and asides by element, role or, if they
// look like it, by name; anything beside the main part; a column of links beside running text. Or because of its own
// looks, see lookalikes. Headings and sentences of a header stay.
//
// No page loses its content: if less than half of the page is left, and that is short or has no running text, first the
// lines that only look like navigation come back, then the regions by name, then all.
func (r *reader) contents() []line {
	r.measure()
	sure := r.rateLines()
	var letters, running [certainties]int
	for i, l := range r.lines {
		letters[sure[i]] += l.letters
		if l.running() {
			running[sure[i]] += l.letters
		}
	}
	cut, kept, keptRunning := lookalike, letters[content], running[content]
	if letters[lookalike] > letters[content] {
		cut, kept, keptRunning = named, kept+letters[lookalike], keptRunning+running[lookalike]
	}
	all := r.regions[0].letters
	for ; cut < certainties && kept*2 < all && (kept < minLeft || keptRunning == 0); cut++ {
		kept, keptRunning = kept+letters[cut], keptRunning+running[cut]
	}
	r.kept = r.kept[:0]
	for i, l := range r.lines {
		if sure[i] < cut {
			r.kept = append(r.kept, l)
		}
	}
	return r.kept
}

// measure sums up the lines of each region, with the regions in it.
func (r *reader) measure() {
	upTo := 0
	r.upTo = slices.Grow(r.upTo[:0], len(r.lines))[:len(r.lines)]
	for i, l := range r.lines {
		upTo += l.letters
		r.upTo[i] = upTo
		g := &r.regions[l.region]
		g.letters += l.letters
		g.linked += l.linked
		g.last = i
		if l.running() {
			g.running += l.letters
		}
		if l.heading > 0 && !l.linkOnly() {
			g.heading = true
			g.title = g.title || l.heading == 1
		}
	}
	for i := len(r.regions) - 1; i > 0; i-- {
		g := r.regions[i]
		p := &r.regions[g.parent]
		p.letters += g.letters
		p.linked += g.linked
		p.running += g.running
		p.links += g.links
		p.local += g.local
		p.heading = p.heading || g.heading
		p.title = p.title || g.title || g.kind == mainPart
		p.last = max(p.last, g.last)
	}
}

// rateLines returns for each line how certain it is that it is not content.
func (r *reader) rateLines() []int {
	regions := r.rateRegions()
	soft := r.softRegions()
	sure := make([]int, len(r.lines))
	for i, l := range r.lines {
		sure[i] = regions[l.region]
		switch soft[l.region] {
		case banner:
			if (l.heading == 0 || l.linkOnly()) && !l.running() {
				sure[i] = semantic
			}
		case namedTop:
			if l.linkOnly() {
				sure[i] = max(sure[i], named)
			}
		}
	}
	r.lookalikes(sure)
	return sure
}

// softRegions returns for each region the header that contains it; some lines of a header are content.
func (r *reader) softRegions() []regionKind {
	soft := make([]regionKind, len(r.regions))
	for i, g := range r.regions[1:] {
		soft[i+1] = soft[g.parent]
		if g.kind == banner || g.kind == namedTop {
			soft[i+1] = g.kind
		}
	}
	return soft
}

// rateRegions returns for each region how certain it is that all of it is not content.
func (r *reader) rateRegions() []int {
	sure := make([]int, len(r.regions))
	main := r.mainRegion()
	beside := make([]bool, len(r.regions)) // the main part
	beside[0] = main > 0
	columns := r.columns()
	for i := range r.regions[1:] {
		i++
		g := &r.regions[i]
		beside[i] = beside[g.parent] && i != main
		sure[i] = sure[g.parent]
		if i != main {
			sure[i] = max(sure[i], r.rateRegion(g))
		}
		if g.kind == cell && g.letters*2 <= columns[g.row] && g.links >= 4 && g.linked*5 >= g.letters*4 {
			sure[i] = max(sure[i], lookalike)
		}
	}
	for i := range sure {
		if beside[i] && !(i == 0 && main == 0) {
			sure[i] = semantic
		}
	}
	return sure
}

// mainRegion is the only main part with content, 0 if there is none.
func (r *reader) mainRegion() int {
	best := 0
	for i, g := range r.regions {
		if g.kind == mainPart && g.letters >= minMain && (best == 0 || g.letters > r.regions[best].letters) {
			best = i
		}
	}
	if r.regions[best].running*2 < r.regions[0].running {
		return 0
	}
	return best
}

// rateRegion returns how certain it is that a region is not content, by itself.
func (r *reader) rateRegion(g *region) int {
	all := r.regions[0].letters
	sure := false
	if g.letters == 0 {
		return content
	}
	switch g.kind {
	case control:
		return semantic
	case button:
		return semantic * boolInt(g.letters < runningLetters)
	case footing:
		return semantic * boolInt(g.letters*2 <= all)
	case asidePart:
		return semantic * boolInt(!g.inside || g.linked*2 >= g.letters)
	case namedNav:
		sure = !g.title && g.links > 0 && g.linked*5 >= g.letters*2 && g.running*2 <= g.letters
	case namedEnd:
		sure = !g.title && g.letters*3 <= all && (all-r.upTo[g.last])*10 <= all
	case namedStep:
		sure = !g.title && !(g.heading && g.running > 0) && g.letters <= maxStep && g.letters*3 <= all
	case namedToc:
		sure = g.links > 1 && g.local*2 >= g.links && g.linked*10 >= g.letters*7
	}
	return named * boolInt(sure)
}

// columns finds the rows of layout tables, which have a cell full of running text, and the number of its letters.
func (r *reader) columns() map[*html.Node]int {
	var rows map[*html.Node]int
	for _, g := range r.regions {
		if g.kind == cell && g.running >= minColumn {
			if rows == nil {
				rows = map[*html.Node]int{}
			}
			rows[g.row] = max(rows[g.row], g.running)
		}
	}
	return rows
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
