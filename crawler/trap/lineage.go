package trap

import (
	"hash/maphash"
	"strings"

	"nightjar/crawler/page"
	"nightjar/crawler/weburl"
)

// lineage is the forest of the pages of a crawl: each page hangs below the page of the same site whose link led to it. What
// hangs below one page is a family, whatever its addresses look like: a trap hangs below its entrance.
type lineage struct {
	seed   maphash.Seed
	read   map[uint64]*branch  // by address of a page that was read
	linked map[uint64]*branch  // by address of a link: the lowest page above all that link to it, nil if there is none
	words  map[uint64]struct{} // of the addresses, with their site
	shut   int                 // closed branches
}

// branch is a page with the family below it.
type branch struct {
	growth
	parent *branch  // on the same site, nil for the first page of it
	depth  int      // pages above it
	url    uint64   // its address
	links  []uint64 // addresses that it links to
	added  int      // of them, those that no page linked to before
	start  bool     // a start page: its family is never closed
	why    string   // the family is closed, "" if it is not
}

// maxLinked bounds the addresses that a lineage remembers, to some 50 MB. Later ones do not count.
const maxLinked = 1 << 20

func newLineage() *lineage {
	return &lineage{seed: maphash.MakeSeed(), read: map[uint64]*branch{}, linked: map[uint64]*branch{}, words: map[uint64]struct{}{}}
}

// full reports whether no more addresses are remembered: then nothing tells what a page adds.
func (l *lineage) full() bool { return len(l.linked) >= maxLinked }

func (l *lineage) hash(url string) uint64 { return maphash.String(l.seed, url) }

// closed says why the family of an address is closed, "" if it is not. An address that a page outside of a family links to
// does not belong to it.
func (l *lineage) closed(url string) string {
	if l.shut == 0 {
		return ""
	}
	for b := l.linked[l.hash(url)]; b != nil; b = b.parent {
		if b.why != "" {
			return b.why
		}
	}
	return ""
}

// enter adds a page that was read. It returns nil if the page was read before.
func (l *lineage) enter(url, parent string) *branch {
	h := l.hash(url)
	if l.read[h] != nil {
		return nil
	}
	b := &branch{url: h, start: parent == ""}
	if above := l.read[l.hash(parent)]; above != nil && weburl.Site(parent) == weburl.Site(url) {
		b.parent, b.depth = above, above.depth+1
	}
	l.read[h] = b
	if _, known := l.linked[h]; !known {
		l.linked[h] = b.parent
	}
	return b
}

// link is a link between pages of a site that tells how their family grows.
type link struct {
	url    string
	fresh  bool // no page linked to it before
	away   bool // to another site
	coined bool // and it has a word that no address of the site had before
}

// follow records the links of a page. It returns those to other sites, and those to pages of the same site except those back
// to the pages above it and those that the page above has, too, such as a menu: they are on all pages of a trap and of a site.
func (l *lineage) follow(b *branch, url string, p *page.Page) (all []link) {
	site, expected := weburl.Site(url), b.expected()
	b.links = make([]uint64, 0, len(p.Links))
	for _, k := range p.Links {
		if k.NoFollow {
			continue
		}
		h := l.hash(k.URL)
		other, known := l.linked[h]
		switch {
		case !known && l.full():
			continue
		case weburl.Site(k.URL) != site:
			l.linked[h] = nil
			all = append(all, link{url: k.URL, fresh: !known, away: true})
			continue
		case !known:
			l.linked[h] = b
			b.added++
			all = append(all, link{url: k.URL, fresh: true, coined: l.coins(site, k.URL)})
		default:
			common := meet(other, b)
			l.linked[h] = common
			if !expected[h] {
				common.crossed()
				all = append(all, link{url: k.URL})
			}
		}
		b.links = append(b.links, h)
	}
	return all
}

// crossed counts a link between two branches of a page.
func (b *branch) crossed() {
	for up := b; up != nil; up = up.parent {
		up.met++
	}
}

// expected returns the addresses of the pages above a page, and those that the next one above links to.
func (b *branch) expected() map[uint64]bool {
	all := map[uint64]bool{}
	for up := b; up != nil; up = up.parent {
		all[up.url] = true
	}
	if b.parent != nil {
		for _, h := range b.parent.links {
			all[h] = true
		}
	}
	return all
}

// meet returns the lowest page above two pages, nil if they are of different trees.
func meet(a, b *branch) *branch {
	for a != b {
		switch {
		case a == nil || b == nil:
			return nil
		case a.depth > b.depth:
			a = a.parent
		case b.depth > a.depth:
			b = b.parent
		default:
			a, b = a.parent, b.parent
		}
	}
	return a
}

// coins notes the words of an address and reports whether one is new: parts of the path, and values of each parameter.
func (l *lineage) coins(site, url string) (coined bool) {
	note := func(kind, word string) {
		h := l.hash(site + "\x00" + kind + "\x00" + strings.ToLower(word))
		if _, known := l.words[h]; !known {
			l.words[h] = struct{}{}
			coined = true
		}
	}
	for word := range strings.FieldsFuncSeq(pathOf(url), partsWords) {
		note("", word)
	}
	_, query, _ := strings.Cut(url, "?")
	for parameter := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(parameter, "=")
		for word := range strings.FieldsFuncSeq(value, partsWords) {
			note(name, word)
		}
	}
	return coined
}

// partsWords reports whether a character stands between two words of an address. Words with hyphens are names.
func partsWords(r rune) bool { return strings.ContainsRune("/+,;:&|", r) }

// grow counts a page for all families that it belongs to, and closes the narrowest one that has to be closed.
func (l *lineage) grow(b *branch, g grown, limit limits) {
	for up := b; up != nil; up = up.parent {
		g.later = b.depth > up.depth+1
		up.add(g)
	}
	var below *branch
	for up := b; up != nil; below, up = up, up.parent {
		// A family that has most of its pages below one of them is judged there, to keep the other branches open.
		if up.start || up.why != "" || below != nil && 2*below.pages > up.pages {
			continue
		}
		if up.why = up.growth.shut(limit); up.why != "" {
			l.shut++
			for above := up.parent; above != nil; above = above.parent {
				above.without(&up.growth)
			}
			return
		}
	}
}

// credit counts a find on another site for the page that links to it.
func (l *lineage) credit(parent string) {
	for up := l.read[l.hash(parent)]; up != nil; up = up.parent {
		up.found()
	}
}

// recall records that a page that was read before an interruption had a link.
func (l *lineage) recall(url, parent string) {
	b, h := l.read[l.hash(parent)], l.hash(url)
	if _, known := l.linked[h]; known || b == nil || l.full() {
		return
	}
	site := weburl.Site(url)
	if site != weburl.Site(parent) {
		l.linked[h] = nil
		return
	}
	l.linked[h] = b
	b.links = append(b.links, h)
	coined := l.coins(site, url)
	for up := b; up != nil; up = up.parent {
		up.fresh++
		up.steps[stepOf(b.added)]--
		up.steps[stepOf(b.added+1)]++
		if coined {
			up.coined++
		}
	}
	b.added++
}
