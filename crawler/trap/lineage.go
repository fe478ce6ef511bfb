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
	read   map[uint64]*branch  // by address of a page read
	linked map[uint64]*branch  // by address of a link: the lowest page above all pages that link to it, nil if there is none
	words  map[uint64]struct{} // of all addresses, with their site
	shut   int                 // branches that are closed
}

// branch is a page and the family below it.
type branch struct {
	growth
	parent *branch // on the same site, nil for the first page of it
	depth  int
	url    uint64
	start  bool     // a start page: never closed
	links  []uint64 // addresses that the page links to
	why    string   // the family is closed, "" if it is not
}

// maxLinked bounds the addresses that a lineage remembers, to some 50 MB. Later ones count as known.
const maxLinked = 1 << 20

func newLineage() *lineage {
	return &lineage{seed: maphash.MakeSeed(), read: map[uint64]*branch{}, linked: map[uint64]*branch{}, words: map[uint64]struct{}{}}
}

func (l *lineage) hash(url string) uint64 { return maphash.String(l.seed, url) }

// closed says why the family of an address is closed, "" if it is not. An address that a page outside of the family links
// to is not only of the family.
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

// link is a link to another page of the same site that the way to its page does not explain.
type link struct {
	url    string
	fresh  bool // no page linked to it before
	coined bool // and it has a new word
}

// follow records the links of a page. It returns those that belong to what the page adds, without links back to the pages
// above it and links that the page above has, too, such as those of a menu.
func (l *lineage) follow(b *branch, url string, p *page.Page) (all []link) {
	site := weburl.Site(url)
	inherited := map[uint64]bool{}
	if b.parent != nil {
		for _, h := range b.parent.links {
			inherited[h] = true
		}
	}
	for up := b; up != nil; up = up.parent {
		inherited[up.url] = true
	}
	b.links = make([]uint64, 0, len(p.Links))
	for _, k := range p.Links {
		if k.NoFollow {
			continue
		}
		h := l.hash(k.URL)
		b.links = append(b.links, h)
		other, known := l.linked[h]
		if weburl.Site(k.URL) != site {
			if known || len(l.linked) < maxLinked {
				l.linked[h] = nil
			}
			continue
		}
		switch {
		case known:
			common := meet(other, b)
			l.linked[h] = common
			if inherited[h] {
				continue
			}
			for up := common; up != nil; up = up.parent {
				up.met++
			}
			all = append(all, link{url: k.URL})
		case len(l.linked) < maxLinked:
			l.linked[h] = b
			all = append(all, link{url: k.URL, fresh: true, coined: l.coins(site, k.URL)})
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

// coins reports whether an address has a word that no earlier address of the site has.
func (l *lineage) coins(site, url string) (coined bool) {
	path, query, _ := strings.Cut(url, "?")
	note := func(kind, word string) {
		var h maphash.Hash
		h.SetSeed(l.seed)
		for _, part := range []string{site, kind, strings.ToLower(word)} {
			_, _ = h.WriteString(part) // never fails
			_ = h.WriteByte(0)
		}
		if _, known := l.words[h.Sum64()]; !known {
			l.words[h.Sum64()] = struct{}{}
			coined = true
		}
	}
	for word := range strings.FieldsFuncSeq(pathOf(path), partsWords) {
		note("", word)
	}
	for parameter := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(parameter, "=")
		for word := range strings.FieldsFuncSeq(value, partsWords) {
			note(name, word)
		}
	}
	return coined
}

// partsWords reports whether a character stands between words of an address. Words with hyphens are names.
func partsWords(r rune) bool { return strings.ContainsRune("/+,;:&|", r) }

// recall records a link of a page of before, that was queued or followed.
func (l *lineage) recall(url, parent string) {
	b, h := l.read[l.hash(parent)], l.hash(url)
	if _, known := l.linked[h]; b == nil || known || weburl.Site(url) != weburl.Site(parent) {
		return
	}
	l.linked[h] = b
	first, coined := len(b.links) == 0, l.coins(weburl.Site(url), url)
	b.links = append(b.links, h)
	for up := b; up != nil; up = up.parent {
		up.fresh++
		if coined {
			up.coined++
		}
		if first {
			up.leaves--
		}
	}
}

// grow counts a page for all families that it belongs to and closes the narrowest that has to be closed.
func (l *lineage) grow(b *branch, g grown, limit limits) {
	for up := b; up != nil; up = up.parent {
		up.add(g)
	}
	var below *branch
	for up := b; up != nil; below, up = up, up.parent {
		// A family with most of its pages below one page is judged there, so that the other branches are not closed with it.
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
