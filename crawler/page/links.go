package page

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"nightjar/crawler/texts"
	"nightjar/crawler/weburl"
)

// linkList collects links, one entry for each distinct URL.
type linkList struct {
	self  string
	links []Link
	at    map[string]int // URL -> index in links
}

// add appends a link, or merges it with an earlier one to the same page: the first non-empty anchor text and its
// surroundings stay, and the link is nofollow only if all are. describe fills in anchor text and surroundings, if they are
// needed.
func (l *linkList) add(link Link, describe func(*Link)) {
	if link.URL == "" || link.URL == l.self {
		return
	}
	i, ok := l.at[link.URL]
	if !ok {
		describe(&link)
		l.at[link.URL] = len(l.links)
		l.links = append(l.links, link)
		return
	}
	link.NoFollow = link.NoFollow && l.links[i].NoFollow
	if l.links[i].Anchor == "" {
		if describe(&link); link.Anchor != "" {
			l.links[i] = link
		}
	}
	l.links[i].NoFollow = link.NoFollow
}

// readLinks collects the hyperlinks in document order, after that of the header Refresh.
func (p *Page) readLinks(where *linkPlaces, base *weburl.Base, rules *sheet, refresh string) {
	p.Headings, p.Repeats = where.headings, where.repeats()
	list := linkList{self: p.URL, at: map[string]int{}}
	list.add(Link{URL: resolved(refreshTarget(refresh), base)}, func(*Link) {})
	for i, n := range where.links {
		if u := target(n, base); u != "" {
			link := Link{URL: u, NoFollow: hasToken(attr(n, "rel"), "nofollow"), Repeated: where.repeated(i)}
			list.add(link, func(l *Link) {
				l.Anchor = texts.Cut(anchorText(n, rules), MaxAnchor)
				where.describe(i, l)
			})
			p.Repeats.Links = p.Repeats.Links || link.Repeated && u != p.URL
		}
		if len(list.links) == MaxLinks {
			break
		}
	}
	p.Links = list.links
}

// target is the address that an a, area or meta refresh element leads to, "" for none that counts.
func target(n *html.Node, base *weburl.Base) string {
	ref := attr(n, "href")
	if n.DataAtom == atom.Meta {
		ref = refreshTarget(attr(n, "content"))
	}
	return resolved(ref, base)
}

// resolved is the address of a reference that counts as a link, else "".
func resolved(ref string, base *weburl.Base) string {
	ref, ok := Reference(ref)
	if !ok {
		return ""
	}
	u, err := base.Resolve(ref)
	if err != nil {
		return ""
	}
	return u
}

// Reference is the address of a link without white space around it. ok is false for one that Parse leaves out: an empty one,
// a place on the page itself, and one that is neither relative nor http or https.
func Reference(href string) (ref string, ok bool) {
	ref = trimURL(href)
	return ref, ref != "" && (ref[0] != '#' || weburl.IsRoute(ref[1:])) && webScheme(ref)
}

// Documents makes all addresses of the page those that servers are asked for: links that differ only in their routes become
// one, and links to routes of the page itself are left out. A crawl reads pages so, since it runs no scripts that would
// read a route.
func (p *Page) Documents() {
	p.URL, p.Canonical = weburl.Document(p.URL), weburl.Document(p.Canonical)
	for i := range p.Frames {
		p.Frames[i].URL = weburl.Document(p.Frames[i].URL)
	}
	p.Frames = slices.DeleteFunc(p.Frames, func(f Frame) bool { return f.URL == p.URL })
	if !slices.ContainsFunc(p.Links, func(l Link) bool { return weburl.Document(l.URL) != l.URL }) {
		return
	}
	list := linkList{self: p.URL, at: map[string]int{}}
	for _, l := range p.Links {
		l.URL = weburl.Document(l.URL)
		list.add(l, func(*Link) {})
	}
	p.Links = list.links
}

// webScheme reports whether a reference is relative, http or https. It keeps long data: and javascript: URLs from the
// parser.
func webScheme(ref string) bool {
	i := strings.IndexAny(ref, ":/?#")
	if i <= 0 || ref[i] != ':' {
		return true
	}
	scheme := strings.Map(func(r rune) rune { // the URL parser drops these anywhere
		if r == '\t' || r == '\n' || r == '\r' {
			return -1
		}
		return r
	}, ref[:i])
	return strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https")
}

// anchorText is the visible text of a link, or its label if there is none.
func anchorText(n *html.Node, rules *sheet) string {
	switch n.DataAtom {
	case atom.Meta:
		return ""
	case atom.Area:
		return foldLine(attr(n, "alt"))
	}
	if s := linkText(n, rules, false); s != "" {
		return s
	}
	for _, key := range []string{"aria-label", "title"} {
		if s := foldLine(attr(n, key)); s != "" {
			return s
		}
	}
	return linkText(n, nil, true)
}

// refreshTarget reads the address from a refresh like `5; URL='x.html'`. "" means a reload.
func refreshTarget(content string) string {
	s := strings.TrimLeft(content, " \t\n\f\r0123456789.")
	s = strings.TrimLeft(s, " \t\n\f\r,;")
	if len(s) < 3 || !strings.EqualFold(s[:3], "url") {
		return s
	}
	rest, ok := strings.CutPrefix(strings.TrimLeft(s[3:], " \t\n\f\r"), "=")
	if !ok {
		return s
	}
	rest = strings.TrimLeft(rest, " \t\n\f\r")
	if rest != "" && (rest[0] == '"' || rest[0] == '\'') {
		rest, _, _ = strings.Cut(rest[1:], rest[:1])
	}
	return rest
}
