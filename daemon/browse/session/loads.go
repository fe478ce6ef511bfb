package session

import (
	"crypto/sha256"
	"math"
	"slices"
	"strings"

	"nightjar/crawler/page"
	"nightjar/crawler/weburl"
	"nightjar/daemon/browse/protocol"
	"nightjar/model/text"
	"nightjar/model/webgraph"
)

// nearEqual is the smallest cosine of two pages' word counts with which rel=canonical is believed: variants of one page
// differ in a menu or a date, not in their text.
const nearEqual = 0.9

// parsed is a visit with the content of its snapshots.
type parsed struct {
	Visit
	page      *page.Page // of the last snapshot, nil without one
	text      string
	canonical string // address by rel=canonical
	links     []webgraph.Link
	shown     *protocol.Event // the last snapshot; of an outline only
}

// pages holds the snapshots that were parsed already. Most snapshots of a long session show the same page as an earlier
// one.
type pages map[[sha256.Size]byte]*page.Page

// read parses a snapshot of the page at url. It returns nil for one that cannot be parsed, which neither Read nor the
// daemon admit.
func (all pages) read(url string, s protocol.Event) *page.Page {
	key := sha256.Sum256(append([]byte(url+"\n"), s.HTML...))
	if p, ok := all[key]; ok {
		return p
	}
	html, err := s.Unpack()
	if err != nil {
		return nil
	}
	p, err := page.Parse(url, page.ContentUTF8, html)
	if err != nil {
		return nil
	}
	all[key] = p
	return p
}

// parse parses a visit's snapshots: the text is that of the last one, the links are those of all. Of two links to one
// address it uses the first with an anchor text. It returns nil for a page to leave out: one with a password field or
// an address that cannot be canonicalized.
func (v *Visit) parse(known pages) *parsed {
	if v.URL == "" {
		return nil
	}
	p := &parsed{Visit: *v}
	at := map[string]int{} // address to index in links
	for _, s := range v.snapshots {
		seen := known.read(v.URL, s)
		if seen == nil {
			continue
		}
		if seen.PasswordField {
			return nil
		}
		p.show(shown(seen))
		p.page, p.text, p.canonical = seen, seen.Text, seen.Canonical
		for _, l := range seen.Links {
			i, known := at[l.URL]
			if !known {
				at[l.URL] = len(p.links)
				p.links = append(p.links, LinkOf(l))
			} else if p.links[i].Anchor == "" {
				p.links[i] = LinkOf(l)
			}
		}
	}
	return p
}

// parse parses all visits, once. It leaves out frames in pages that are left out.
func (r *Session) parse() []*parsed {
	r.once.Do(func() {
		known := pages{}
		r.parsed = r.parseVisits(func(v *Visit) *parsed { return v.parse(known) })
	})
	return r.parsed
}

func (r *Session) parseVisits(parse func(*Visit) *parsed) []*parsed {
	var all []*parsed
	out := map[string]bool{}
	for _, v := range r.Visits {
		p := parse(v)
		if p == nil {
			out[v.Load] = true
			continue
		}
		all = append(all, p)
	}
	for n := -1; n != len(out); { // frames may contain frames
		n = len(out)
		for _, p := range all {
			if p.Parent != "" && out[p.Parent] {
				out[p.Load] = true
			}
		}
	}
	return slices.DeleteFunc(all, func(p *parsed) bool { return out[p.Load] })
}

// Loads returns the page loads from which the web graph is built. A page's aliases are the requested addresses before
// redirects, and its own address if rel=canonical names another visited page on the same site with nearly the same
// text.
func (r *Session) Loads() []webgraph.Load {
	all := r.parse()
	names := canonicalNames(all, lastOf(all), func(p, main *parsed) bool { return similar(p.text, main.text) })
	loads := make([]webgraph.Load, 0, len(all))
	for _, p := range all {
		l := p.load()
		l.Text, l.Links = p.text, p.links
		if p.page != nil {
			l.Declared = p.page.Language
		}
		p.rename(&l, names)
		loads = append(loads, l)
	}
	describe(all, loads)
	return loads
}

// describe gives PDFs whose text was not read the text by which the web knows them: their title and the anchor texts of the
// links that lead to them.
func describe(all []*parsed, loads []webgraph.Load) {
	said := map[string][]string{} // anchor texts by address
	for _, l := range loads {
		for _, link := range l.Links {
			if link.Anchor != "" && !slices.Contains(said[link.URL], link.Anchor) {
				said[link.URL] = append(said[link.URL], link.Anchor)
			}
		}
	}
	read := map[string]bool{}
	for _, p := range all {
		read[p.URL] = read[p.URL] || p.text != ""
	}
	for i, p := range all {
		if p.Media != protocol.MediaPDF || read[p.URL] {
			continue
		}
		words := slices.Concat([]string{p.Title}, said[p.URL], said[p.Requested])
		loads[i].Text = strings.TrimSpace(strings.Join(words, "\n"))
	}
}

// canonicalNames maps the URL of a visited page to that of the visited page it is a variant of.
func canonicalNames(all []*parsed, last map[string]*parsed, similar func(p, main *parsed) bool) map[string]string {
	names := map[string]string{}
	for _, p := range all {
		main := last[p.canonical]
		if p != last[p.URL] || p.canonical == p.URL || main == nil || weburl.Site(p.URL) != weburl.Site(main.URL) {
			continue
		}
		if similar(p, main) {
			names[p.URL] = main.URL
		}
	}
	ends := make(map[string]string, len(names))
	for url := range names { // a chain leads to its last page, a circle to none
		end := url
		for range len(names) {
			if names[end] != "" {
				end = names[end]
			}
		}
		if names[end] == "" {
			ends[url] = end
		}
	}
	return ends
}

// similar reports whether the cosine of two texts' word counts is at least nearEqual.
func similar(a, b string) bool {
	if a == b {
		return true
	}
	x, _ := text.Count(a)
	y, _ := text.Count(b)
	var dot, xx, yy float64
	for term, n := range x {
		dot += float64(n) * float64(y[term])
		xx += float64(n) * float64(n)
	}
	for _, n := range y {
		yy += float64(n) * float64(n)
	}
	return xx > 0 && yy > 0 && dot >= nearEqual*math.Sqrt(xx*yy)
}

// EntryPages returns start pages to propose, in order, each once: the pages that the person reached without following a
// link or by a link from a search engine. It leaves out pages of search engines and addresses with secrets.
func (r *Session) EntryPages() []string {
	var urls []string
	for _, p := range r.entries() {
		urls = append(urls, p.URL)
	}
	return urls
}

// EntryLoads returns the ids of the page loads with which the person first reached the entry pages.
func (r *Session) EntryLoads() []string {
	var ids []string
	for _, p := range r.entries() {
		ids = append(ids, p.Load)
	}
	return ids
}

func (r *Session) entries() []*parsed {
	var all []*parsed
	byLoad, seen := map[string]*parsed{}, map[string]bool{}
	for _, p := range r.parse() {
		byLoad[p.Load] = p
		again := seen[p.URL]
		seen[p.URL] = true
		listed := slices.ContainsFunc(all, func(e *parsed) bool { return e.URL == p.URL })
		if p.Parent != "" || p.secret || weburl.SearchEngine(p.URL) || listed {
			continue
		}
		if again && (p.How == protocol.HowReload || p.How == protocol.HowOther) {
			continue // the same page was loaded again
		}
		from := byLoad[p.From]
		if from == nil || weburl.SearchEngine(from.URL) {
			all = append(all, p)
		}
	}
	return all
}

// LinkOf returns a page's link in the form of the web graph.
func LinkOf(l page.Link) webgraph.Link {
	return webgraph.Link{URL: l.URL, Anchor: l.Anchor, Around: l.Around, Heading: l.Heading, Path: l.Path}
}
