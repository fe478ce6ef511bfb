package session

import (
	"cmp"
	"slices"
	"strings"

	"nightjar/crawler/weburl"
	"nightjar/daemon/browse/protocol"
)

// Said is something that the person said of a page, or of links to it.
type Said struct {
	Type protocol.Type // Useful, NotUseful, LinkUseful or LinkNotUseful
	URL  string        // of links: where they lead, canonical
	N    int           // orders what was said
}

// Useful reports whether a page is useful by what was said of it and of links to it, in order: the last mark counts. A mark
// of a link that was taken back is as if it had never been. said reports whether any mark counts.
func Useful(all []Said) (useful, said bool) {
	for _, s := range standing(all) {
		useful, said = s.Type == protocol.Useful || s.Type == protocol.LinkUseful, true
	}
	return useful, said
}

// standing leaves out the marks of links that were taken back.
func standing(all []Said) []Said {
	var kept []Said
	for _, s := range all {
		if s.Type == protocol.LinkNotUseful {
			kept = slices.DeleteFunc(kept, func(k Said) bool { return k.Type == protocol.LinkUseful && k.URL == s.URL })
			continue
		}
		kept = append(kept, s)
	}
	return kept
}

// StandingLinks returns the addresses of links that look useful by what was said of links, in order, each once.
func StandingLinks(all []Said) []string {
	var urls []string
	for _, s := range standing(all) {
		if s.Type == protocol.LinkUseful && !slices.Contains(urls, s.URL) {
			urls = append(urls, s.URL)
		}
	}
	return urls
}

// sayLink notes what was said of a link. It ignores an address that has no canonical form: files of sessions may have such.
func (f *folding) sayLink(e Event) {
	e.redact()
	if url, err := weburl.Canonical(e.URL); err == nil {
		f.links = append(f.links, Said{Type: e.Type, URL: url, N: f.n})
	}
}

// link counts what was said of links as said of the pages that they lead to, be it by a redirect.
func (f *folding) link() {
	f.Links = StandingLinks(f.links)
	for _, said := range f.links {
		var pages []string
		for _, v := range f.Visits {
			if v.leadsTo(said.URL) && !slices.Contains(pages, v.URL) {
				pages = append(pages, v.URL)
			}
		}
		for _, url := range pages {
			f.marks[url] = append(f.marks[url], said)
		}
	}
	for _, marks := range f.marks {
		slices.SortStableFunc(marks, func(a, b Said) int { return cmp.Compare(a.N, b.N) })
	}
}

// leadsTo reports whether a link to the address leads to the page.
func (v *Visit) leadsTo(url string) bool { return v.URL != "" && (v.URL == url || v.Requested == url) }

// shareLinks counts links of each session as marks of the pages that other sessions of its topic visited, unless something
// was said of these pages there.
func shareLinks(all []*Session) {
	for _, r := range all {
		for _, other := range all {
			if r == other || len(r.Links) == 0 || !strings.EqualFold(r.Topic, other.Topic) {
				continue
			}
			for _, v := range other.Visits {
				if !v.marked && slices.ContainsFunc(r.Links, v.leadsTo) {
					other.markAll(v.URL)
				}
			}
		}
	}
}

// markAll marks all loads of a page Useful.
func (r *Session) markAll(url string) {
	for _, v := range r.Visits {
		v.Useful = v.Useful || v.URL == url
	}
}
