package page

import (
	"strings"

	"github.com/PuerkitoBio/goquery"
	whatwg "github.com/nlnwa/whatwg-url/url"
	"golang.org/x/net/html"
)

// linkList gathers links, one entry a distinct URL.
type linkList struct {
	self  string
	links []Link
	at    map[string]int // URL -> index in links
}

// add appends a link, or joins it with an earlier one to the same page: the first anchor text that says something
// stays, and one place without nofollow is enough to follow it.
func (l *linkList) add(url, anchor string, noFollow bool) {
	if url == "" || url == l.self {
		return
	}
	if i, ok := l.at[url]; ok {
		if l.links[i].Anchor == "" {
			l.links[i].Anchor = anchor
		}
		l.links[i].NoFollow = l.links[i].NoFollow && noFollow
		return
	}
	l.at[url] = len(l.links)
	l.links = append(l.links, Link{URL: url, Anchor: anchor, NoFollow: noFollow})
}

// readLinks collects the hyperlinks of the document in its order.
func (p *Page) readLinks(doc *goquery.Document, base *whatwg.Url) {
	list := linkList{self: p.URL, at: map[string]int{}}
	doc.Find("a[href], area[href], meta[http-equiv][content]").EachWithBreak(func(_ int, s *goquery.Selection) bool {
		ref, anchor := s.AttrOr("href", ""), ""
		switch goquery.NodeName(s) {
		case "meta":
			if !strings.EqualFold(strings.TrimSpace(s.AttrOr("http-equiv", "")), "refresh") {
				return true
			}
			ref = refreshTarget(s.AttrOr("content", ""))
		case "area":
			anchor = foldLine(s.AttrOr("alt", ""))
		case "a":
			anchor = anchorText(s.Nodes[0])
		}
		ref = trimURL(ref)
		if ref == "" || ref[0] == '#' || !webScheme(ref) {
			return true
		}
		if u, err := resolve(base, ref); err == nil {
			list.add(u, clip(anchor, MaxAnchor), hasToken(s.AttrOr("rel", ""), "nofollow"))
		}
		return len(list.links) < MaxLinks
	})
	p.Links = list.links
}

// webScheme reports whether a reference is relative or of a scheme that is fetched; it spares the parser the long
// data: and javascript: ones.
func webScheme(ref string) bool {
	i := strings.IndexAny(ref, ":/?#")
	if i <= 0 || ref[i] != ':' {
		return true
	}
	scheme := strings.Map(func(r rune) rune { // the URL parser drops these wherever they stand
		if r == '\t' || r == '\n' || r == '\r' {
			return -1
		}
		return r
	}, ref[:i])
	return strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https")
}

// anchorText is what a reader sees of a link; for a link that shows nothing, what it is called.
func anchorText(n *html.Node) string {
	if s := foldLine(visibleText(n)); s != "" {
		return s
	}
	for _, key := range []string{"aria-label", "title"} {
		if s := foldLine(attr(n, key)); s != "" {
			return s
		}
	}
	return ""
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
