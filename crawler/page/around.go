package page

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/text/unicode/norm"

	"nightjar/crawler/texts"
)

const (
	wordsAround = 10      // on each side of a link, as in [CRF] §5.3.2
	maxSide     = 400     // bytes of Link.Before, and of Link.After
	maxAround   = 300     // bytes of Link.Around
	maxHeading  = 120     // bytes of Link.Heading
	maxPath     = 160     // bytes of Link.Path
	maxElement  = 40      // bytes of one element of Link.Path
	pathDepth   = 5       // elements of Link.Path
	maxRead     = 1 << 18 // words of a document that are read
	maxHeadings = 500     // entries of Page.Headings
)

// linkPlaces finds the elements of a document and the surroundings of each link. Words that only a style hides count, because
// a menu that opens under the pointer is as close to a link as one that is always open.
type linkPlaces struct {
	elements
	words   []string
	at      []placed // of each link
	heading string

	headings []string
	tags     tagList
	runs     []run // by place
	past     int   // runs that begin before the last link
	covered  int   // where the furthest of them ends

	text     []byte                // buffer
	long     map[*html.Node]string // names of elements with a long class attribute
	lastPath string                // of the link before
}

// placed is the position of a link: the words before begin and from end on are around it.
type placed struct {
	begin, end int
	tag        int // its place among the tags, -1 when it has none
	heading    string
}

// findLinkPlaces reads the document once, in text order.
func findLinkPlaces(root *html.Node) *linkPlaces {
	p := new(linkPlaces)
	p.walk(root, true)
	p.runs = findRuns(p.tags.seq)
	slices.SortFunc(p.runs, func(a, b run) int { return a.from - b.from })
	return p
}

// walk reads a node; the parser's nesting limit bounds the recursion. In invisible elements only the links count.
func (p *linkPlaces) walk(n *html.Node, seen bool) {
	if n.Type == html.TextNode {
		if seen {
			p.addWords(n.Data)
		}
		return
	}
	tag := -1
	if n.Type == html.ElementNode {
		openShadow(n)
		seen = seen && !invisible(n.DataAtom)
		if seen {
			tag = p.tags.open(n)
		}
	}
	link, from := len(p.links), len(p.words)
	if n.Type == html.ElementNode {
		p.elements.read(n)
	}
	isLink := len(p.links) > link
	if isLink {
		p.at = append(p.at, placed{begin: from, tag: tag, heading: p.heading})
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		p.walk(c, seen)
	}
	if isLink {
		p.at[link].end = len(p.words)
	}
	if seen && n.Type == html.ElementNode && headingLevel(n.DataAtom) > 0 {
		p.heading = firstOf(p.words[from:], maxHeading)
		if p.heading != "" && len(p.headings) < maxHeadings {
			p.headings = append(p.headings, p.heading)
		}
	}
}

func (p *linkPlaces) addWords(s string) {
	first := true
	for word := range strings.FieldsSeq(s) {
		if first {
			p.tags.text()
			first = false
		}
		if len(p.words) == maxRead {
			return
		}
		p.words = append(p.words, word)
	}
}

// describe fills in the words around link i, and the elements.
func (p *linkPlaces) describe(i int, l *Link) {
	at := &p.at[i]
	before, after := p.words[max(0, at.begin-wordsAround):at.begin], p.words[at.end:min(len(p.words), at.end+wordsAround)]
	l.Before, l.After = lastOf(before, maxSide), firstOf(after, maxSide)
	l.Around = strings.TrimSpace(clipFront(l.Before, maxAround/2)) + " " + strings.TrimSpace(texts.Cut(l.After, maxAround/2))
	l.Around = texts.Cut(strings.TrimSpace(l.Around), maxAround)
	l.Heading, l.Path = at.heading, p.path(p.links[i])
}

// firstOf joins words to one line of composed characters (NFC) and returns its first size bytes. It copies no more than
// that, because one word may be as long as the document.
func firstOf(words []string, size int) string {
	var b strings.Builder
	for i, word := range words {
		if b.Len() >= size {
			break
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(texts.Cut(word, size))
	}
	return strings.TrimSpace(texts.Cut(norm.NFC.String(b.String()), size))
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
	return strings.Clone(strings.TrimSpace(clipFront(norm.NFC.String(strings.Join(parts, " ")), size)))
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

// path lists the elements around a link, the innermost last.
func (p *linkPlaces) path(n *html.Node) string {
	var around [pathDepth]*html.Node
	depth := 0
	for up := n.Parent; up != nil && up.Type == html.ElementNode && depth < pathDepth; up = up.Parent {
		if up.DataAtom == atom.Html || up.DataAtom == atom.Body && depth > 0 {
			break
		}
		around[depth] = up
		depth++
	}
	b := p.text[:0]
	for i := depth - 1; i >= 0; i-- {
		from := len(b)
		b = p.appendElement(b, around[i])
		if len(b)-from > maxElement {
			b = append(b[:from], texts.Cut(string(b[from:]), maxElement)...)
		}
		if i > 0 {
			b = append(b, '>')
		}
	}
	p.text = b
	if string(b) != p.lastPath { // links beside one another share the text
		p.lastPath = string(b)
	}
	return texts.Cut(p.lastPath, maxPath)
}

// appendElement writes an element with its first class or its id, like a style sheet.
func (p *linkPlaces) appendElement(b []byte, n *html.Node) []byte {
	if len(attr(n, "class")) < longClass {
		return appendElement(b, n)
	}
	name, known := p.long[n]
	if !known {
		name = string(appendElement(nil, n))
		if p.long == nil {
			p.long = make(map[*html.Node]string)
		}
		p.long[n] = name
	}
	return append(b, name...)
}

// longClass is the size in bytes from which a class attribute is cached: an element with one of a megabyte may be around
// all links.
const longClass = 256

func appendElement(b []byte, n *html.Node) []byte {
	sign, name := styleName(n)
	b = append(b, texts.Cut(n.Data, maxElement+utf8.UTFMax)...)
	return append(append(b, sign...), texts.Cut(name, maxElement+utf8.UTFMax)...)
}

// styleName is the first class or the id of an element, with its sign.
func styleName(n *html.Node) (sign, name string) {
	for class := range strings.FieldsSeq(attr(n, "class")) {
		return ".", class
	}
	if id := strings.TrimSpace(attr(n, "id")); id != "" {
		return "#", id
	}
	return "", ""
}
