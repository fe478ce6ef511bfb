package session

import (
	"crypto/sha256"
	"fmt"

	"nightjar/crawler/page"
	"nightjar/daemon/browse/protocol"
	"nightjar/model/webgraph"
)

// Outline returns the page loads of sessions, from which webgraph.Build makes the same pages and edges as from those of
// Session.Loads, but for a PDF in an iframe. It leaves out texts, and links to addresses that none of the sessions visited. It reads one snapshot at
// a time by open, which returns the packed HTML of a snapshot event, nil for none, and keeps no more than the outline
// of it: the memory is bounded by the number of pages, not by their sizes. An error of open ends it.
func Outline(sessions []*Session, open func(protocol.Event) ([]byte, error)) ([]webgraph.Load, error) {
	o := outliner{open: open, visited: map[string]bool{}, known: map[[sha256.Size]byte]*outline{}}
	for _, r := range sessions {
		for _, v := range r.Visits {
			o.visited[v.URL], o.visited[v.Requested] = true, true
		}
	}
	var loads []webgraph.Load
	for _, r := range sessions {
		all := r.parseVisits(o.parse)
		last := lastOf(all)
		names := canonicalNames(all, last, o.similar)
		if o.err != nil {
			return nil, o.err
		}
		for _, p := range all {
			l := p.load()
			l.Links, l.RealText = p.links, p.RealText
			p.rename(&l, names)
			loads = append(loads, l)
		}
	}
	return loads, nil
}

// outliner reads snapshots one by one.
type outliner struct {
	open    func(protocol.Event) ([]byte, error)
	visited map[string]bool // addresses of visits
	known   map[[sha256.Size]byte]*outline
	err     error // the first one of open

	main     *parsed // whose text is mainText
	mainText string
}

// outline is what is kept of a snapshot.
type outline struct {
	Shown
	canonical string // by rel=canonical
	links     []string
}

// parse is Visit.parse without texts and with links to visited addresses only.
func (o *outliner) parse(v *Visit) *parsed {
	if v.URL == "" || o.err != nil {
		return nil
	}
	p := &parsed{Visit: *v}
	linked := map[string]bool{}
	for i, s := range v.snapshots {
		seen := o.read(v, s)
		if seen == nil {
			continue
		}
		if seen.Password {
			return nil
		}
		p.show(seen.Shown)
		p.canonical, p.shown = seen.canonical, &v.snapshots[i]
		for _, url := range seen.links {
			if !linked[url] {
				linked[url] = true
				p.links = append(p.links, webgraph.Link{URL: url})
			}
		}
	}
	return p
}

// read reads the outline of a snapshot. It returns nil for one that cannot be read.
func (o *outliner) read(v *Visit, s protocol.Event) *outline {
	html := o.html(s)
	key := sha256.Sum256(fmt.Appendf(nil, "%s\n%s", v.URL, html))
	if known, ok := o.known[key]; ok || html == nil {
		return known
	}
	body, err := protocol.Event{HTML: html}.Unpack()
	if err != nil {
		return nil
	}
	full, err := page.Parse(v.URL, page.ContentUTF8, body)
	if err != nil {
		return nil
	}
	one := &outline{Shown: shown(full), canonical: full.Canonical}
	for _, l := range full.Links {
		if o.visited[l.URL] {
			one.links = append(one.links, l.URL)
		}
	}
	o.known[key] = one
	return one
}

// html returns the packed HTML of a snapshot, nil for none.
func (o *outliner) html(s protocol.Event) (html []byte) {
	if o.err == nil {
		html, o.err = o.open(s)
	}
	return html
}

// similar reports whether two pages have nearly the same text. It keeps the second page's text for the next call, since
// many pages may name one.
func (o *outliner) similar(p, main *parsed) bool {
	if o.main != main {
		o.main, o.mainText = main, o.text(main)
	}
	return similar(o.text(p), o.mainText)
}

// text reads the text that a page load showed last.
func (o *outliner) text(p *parsed) string {
	if p.shown == nil {
		return ""
	}
	html := o.html(*p.shown)
	body, err := protocol.Event{HTML: html}.Unpack()
	if err != nil {
		return ""
	}
	full, err := page.Parse(p.URL, page.ContentUTF8, body)
	if err != nil {
		return ""
	}
	return full.Text
}

// lastOf indexes page loads by address; the last one of a page counts.
func lastOf(all []*parsed) map[string]*parsed {
	last := map[string]*parsed{}
	for _, p := range all {
		last[p.URL] = p
	}
	return last
}

// rename gives a page load the address of the page that it is a variant of.
func (p *parsed) rename(l *webgraph.Load, names map[string]string) {
	if name := names[p.URL]; name != "" {
		l.Aliases = append([]string{p.URL}, l.Aliases...)
		l.URL = name
	}
}
