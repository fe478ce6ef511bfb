package page

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/text/unicode/norm"
)

const (
	wordsAround = 10      // on each side of a link, as in [CRF] ch. 5
	maxAround   = 300     // bytes of Link.Around
	maxHeading  = 120     // bytes of Link.Heading
	maxPath     = 160     // bytes of Link.Path
	maxElement  = 40      // bytes of one of them
	pathDepth   = 5       // elements of Link.Path
	maxRead     = 1 << 18 // words of a document
)

// linkPlaces tells of each link where in the document it stands. Words that only a style hides count: a menu that opens
// under the pointer is as much a link's neighbour as one that is always open.
type linkPlaces struct {
	words    []string
	at       map[*html.Node]*placed
	heading  string
	elements map[*html.Node]string // parts of paths; many links share the elements around them
}

// placed is a link's place: the words before begin and from end on are around it.
type placed struct {
	begin, end int
	heading    string
}

// findLinkPlaces reads the document once, in the order of its text.
func findLinkPlaces(root *html.Node, links []*html.Node) *linkPlaces {
	p := &linkPlaces{at: make(map[*html.Node]*placed, len(links)), elements: map[*html.Node]string{}}
	for _, n := range links {
		p.at[n] = &placed{}
	}
	p.walk(root, true)
	return p
}

// walk reads a node; the parser's limit on nesting bounds the recursion. Of what is not seen only the links count.
func (p *linkPlaces) walk(n *html.Node, seen bool) {
	if n.Type == html.TextNode {
		if seen {
			p.read(n.Data)
		}
		return
	}
	seen = seen && (n.Type != html.ElementNode || !unseen[n.DataAtom])
	link, from := p.at[n], len(p.words)
	if link != nil {
		link.begin, link.heading = from, p.heading
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		p.walk(c, seen)
	}
	if link != nil {
		link.end = len(p.words)
	}
	if seen && n.Type == html.ElementNode && headingLevel(n.DataAtom) > 0 {
		p.heading = firstOf(p.words[from:], maxHeading)
	}
}

// read takes in the words of a text.
func (p *linkPlaces) read(s string) {
	for word := range strings.FieldsSeq(s) {
		if len(p.words) == maxRead {
			return
		}
		p.words = append(p.words, word)
	}
}

// describe fills in where the link stands.
func (p *linkPlaces) describe(n *html.Node, l *Link) {
	at := p.at[n]
	before := lastOf(p.words[max(0, at.begin-wordsAround):at.begin], maxAround/2)
	after := firstOf(p.words[at.end:min(len(p.words), at.end+wordsAround)], maxAround/2)
	l.Around = clip(strings.TrimSpace(before+" "+after), maxAround)
	l.Heading, l.Path = at.heading, p.path(n)
}

// firstOf makes one line of words, its first size bytes, of composed characters (NFC). It copies no more than that: a
// document's one word may be as long as the document.
func firstOf(words []string, size int) string {
	var b strings.Builder
	for i, word := range words {
		if b.Len() >= size {
			break
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(clip(word, size))
	}
	return strings.TrimSpace(clip(norm.NFC.String(b.String()), size))
}

// lastOf is firstOf for the last bytes.
func lastOf(words []string, size int) string {
	from, held := len(words), 0
	for from > 0 && held < size {
		from--
		held += len(words[from]) + 1
	}
	parts := slices.Clone(words[from:])
	if len(parts) > 0 {
		parts[0] = clipFront(parts[0], size)
	}
	return strings.TrimSpace(clipFront(norm.NFC.String(strings.Join(parts, " ")), size))
}

// clipFront cuts s to at most its last size bytes, between characters.
func clipFront(s string, size int) string {
	if len(s) <= size {
		return s
	}
	from := len(s) - size
	for from < len(s) && !utf8.RuneStart(s[from]) {
		from++
	}
	return s[from:]
}

// path names the elements around a link, the innermost last.
func (p *linkPlaces) path(n *html.Node) string {
	var parts []string
	for up := n.Parent; up != nil && up.Type == html.ElementNode && len(parts) < pathDepth; up = up.Parent {
		if up.DataAtom == atom.Html || up.DataAtom == atom.Body && len(parts) > 0 {
			break
		}
		parts = append(parts, p.element(up))
	}
	slices.Reverse(parts)
	return clip(strings.Join(parts, ">"), maxPath)
}

// element names an element with its first class or its id, as a style sheet writes it.
func (p *linkPlaces) element(n *html.Node) string {
	name, known := p.elements[n]
	if !known {
		name = clip(n.Data+styleName(n), maxElement)
		p.elements[n] = name
	}
	return name
}

// styleName is the first class or the id of an element with its sign.
func styleName(n *html.Node) string {
	for class := range strings.FieldsSeq(attr(n, "class")) {
		return "." + class
	}
	if id := strings.TrimSpace(attr(n, "id")); id != "" {
		return "#" + id
	}
	return ""
}
