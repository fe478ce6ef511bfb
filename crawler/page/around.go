package page

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	wordsAround = 10  // on each side of a link, as in [CRF] ch. 5
	maxAround   = 300 // bytes of Link.Around
	maxHeading  = 120 // bytes of Link.Heading
	maxPath     = 160 // bytes of Link.Path
	pathDepth   = 5   // elements of Link.Path
	maxRead     = 1 << 18
)

// linkPlaces tells of each link where in the document it stands.
type linkPlaces struct {
	words   []string
	at      map[*html.Node]*placed
	heading string
}

// placed is a link's place: the words before begin and from end on are around it.
type placed struct {
	begin, end int
	heading    string
}

// findLinkPlaces reads the document once, in the order of its text.
func findLinkPlaces(root *html.Node, links []*html.Node) *linkPlaces {
	p := &linkPlaces{at: make(map[*html.Node]*placed, len(links))}
	for _, n := range links {
		p.at[n] = &placed{}
	}
	p.walk(root)
	return p
}

// walk reads a node; the parser's limit on nesting bounds the recursion.
func (p *linkPlaces) walk(n *html.Node) {
	switch {
	case n.Type == html.TextNode:
		if len(p.words) < maxRead {
			p.words = append(p.words, strings.Fields(n.Data)...)
		}
		return
	case n.Type == html.ElementNode && unseen[n.DataAtom] && n.DataAtom != atom.Head:
		return
	}
	link, from := p.at[n], len(p.words)
	if link != nil {
		link.begin, link.heading = from, p.heading
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		p.walk(c)
	}
	if link != nil {
		link.end = len(p.words)
	}
	if n.Type == html.ElementNode && headingLevel(n.DataAtom) > 0 {
		p.heading = clip(strings.Join(p.words[from:], " "), maxHeading)
	}
}

// describe fills in where the link stands.
func (p *linkPlaces) describe(n *html.Node, l *Link) {
	at := p.at[n]
	before := p.words[max(0, at.begin-wordsAround):at.begin]
	after := p.words[at.end:min(len(p.words), at.end+wordsAround)]
	l.Around = clip(strings.TrimSpace(strings.Join(before, " ")+" "+strings.Join(after, " ")), maxAround)
	l.Heading, l.Path = at.heading, tagPath(n)
}

// tagPath names the elements around a link, the innermost last, each with its first class or its id.
func tagPath(n *html.Node) string {
	var parts []string
	for up := n.Parent; up != nil && up.Type == html.ElementNode && len(parts) < pathDepth; up = up.Parent {
		if up.DataAtom == atom.Html || up.DataAtom == atom.Body && len(parts) > 0 {
			break
		}
		parts = append(parts, clip(up.Data+styleName(up), 40))
	}
	var b strings.Builder
	for i := len(parts) - 1; i >= 0; i-- {
		b.WriteString(parts[i])
		if i > 0 {
			b.WriteByte('>')
		}
	}
	return clip(b.String(), maxPath)
}

// styleName is the first class or the id of an element, as a style sheet writes it.
func styleName(n *html.Node) string {
	if class := strings.Fields(attr(n, "class")); len(class) > 0 {
		return "." + class[0]
	}
	if id := strings.TrimSpace(attr(n, "id")); id != "" {
		return "#" + id
	}
	return ""
}
