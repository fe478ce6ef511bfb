package page

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/text/unicode/norm"

	"nightjar/crawler/texts"
	"nightjar/crawler/weburl"
)

// inline reports whether an element does not separate the words around it.
func inline(element atom.Atom) bool {
	switch element {
	case atom.A, atom.Abbr, atom.Acronym, atom.B, atom.Bdi, atom.Bdo, atom.Big, atom.Cite, atom.Code, atom.Data, atom.Del,
		atom.Dfn, atom.Em, atom.Font, atom.I, atom.Ins, atom.Kbd, atom.Label, atom.Mark, atom.Q, atom.Rb, atom.Ruby, atom.S,
		atom.Samp, atom.Small, atom.Span, atom.Strike, atom.Strong, atom.Sub, atom.Sup, atom.Time, atom.Tt, atom.U, atom.Var,
		atom.Wbr:
		return true
	}
	return false
}

// reader collects the visible text of a tree in lines, and their regions.
type reader struct {
	lineWriter
	sheet   *sheet
	lenient bool // treat hidden elements as shown
	hid     bool // something was left out as hidden
	regions []region
	region  int   // the innermost open one
	upTo    []int // letters of the lines up to each, itself included
	inside  int   // open main parts, articles and sections
	heading int   // level of the open heading
	row     *html.Node
	called  map[string]regionKind // by class or id, see regionNamed
	kept    []line                // the content
	out     []byte
}

// readText returns title, meta descriptions and the content of a document, one line for each block, at most MaxText bytes.
// letters counts what the whole body shows.
func readText(root *html.Node, s *sheet, title string, descriptions []string) (text string, letters int) {
	r := newReader(s, false)
	r.read(root)
	// A page with almost no text until its script has run is read with its hidden elements.
	if r.hid && r.letters() < minMain {
		whole := newReader(nil, true)
		whole.read(root)
		if whole.letters() > 2*r.letters() {
			r = whole
		}
	}
	r.out = append(r.out[:0], title...)
	for _, d := range descriptions {
		r.addLine([]byte(foldLine(d)))
	}
	for _, l := range r.contents() {
		if len(r.out) > MaxText {
			break
		}
		r.addLine(r.text[l.start:l.end])
	}
	return texts.Cut(norm.NFC.String(string(r.out)), MaxText), r.letters()
}

// addLine adds a line to the text of the page.
func (r *reader) addLine(line []byte) {
	if len(r.out) > 0 && len(line) > 0 {
		r.out = append(r.out, '\n')
	}
	r.out = append(r.out, line...)
}

// read reads a document.
func (r *reader) read(root *html.Node) {
	r.regions = append(r.regions, region{})
	r.walk(root)
	r.end(0, 0)
}

func newReader(s *sheet, lenient bool) *reader {
	return &reader{sheet: s, lenient: lenient, called: map[string]regionKind{}}
}

// letters counts what was read.
func (r *reader) letters() int {
	n := 0
	for _, l := range r.lines {
		n += l.letters
	}
	return n
}

// walk reads a node; the parser's limit on nesting bounds the recursion.
func (r *reader) walk(n *html.Node) {
	switch {
	case n.Type == html.TextNode:
		r.add(n.Data)
	case n.Type == html.CommentNode || len(r.text) > 4*MaxText:
	case n.Type != html.ElementNode:
		r.walkChildren(n)
	case invisible(n.DataAtom) || isFurniture(n):
	case !r.lenient && r.isHidden(n):
		r.hid = true
	case n.DataAtom == atom.A:
		r.walkLink(n)
	case inline(n.DataAtom):
		r.walkChildren(n)
	default:
		r.walkBlock(n)
	}
}

func (r *reader) walkChildren(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		r.walk(c)
	}
}

// walkLink reads a link, and counts it for the line in which it ends.
func (r *reader) walkLink(n *html.Node) {
	href := attr(n, "href")
	if href == "" || r.link {
		r.walkChildren(n)
		return
	}
	r.link = true
	r.walkChildren(n)
	r.link = false
	r.now.links++
	g := &r.regions[r.region]
	g.links++
	if href[0] == '#' && !weburl.IsRoute(href[1:]) {
		g.local++
	}
}

// walkBlock reads an element that begins and ends lines, or the alternative text of a picture.
func (r *reader) walkBlock(n *html.Node) {
	switch n.DataAtom {
	case atom.Img, atom.Area, atom.Input:
		r.add(" ")
		r.add(altText(n))
		r.add(" ")
		return
	}
	r.end(r.region, r.heading)
	heading, outer, row := r.heading, r.region, r.row
	if level := headingLevel(n.DataAtom); level > 0 {
		r.heading = level
	}
	kind := r.regionOf(n, r.inside > 0)
	if kind != wholePage && !(kind == button && heading > 0) {
		r.regions = append(r.regions, region{kind: kind, parent: outer, inside: r.inside > 0, row: row})
		r.region = len(r.regions) - 1
	}
	holds := 0
	switch {
	case n.DataAtom == atom.Tr:
		r.row = n
	case kind == mainPart || n.DataAtom == atom.Article || n.DataAtom == atom.Section:
		holds = 1
	}
	r.inside += holds
	r.walkChildren(n)
	r.inside -= holds
	r.end(r.region, r.heading)
	r.heading, r.region, r.row = heading, outer, row
}

func headingLevel(a atom.Atom) int {
	switch a {
	case atom.H1:
		return 1
	case atom.H2:
		return 2
	case atom.H3:
		return 3
	case atom.H4:
		return 4
	case atom.H5:
		return 5
	case atom.H6:
		return 6
	}
	return 0
}

// linkText is the visible text of a link on one line, even if the link itself is hidden.
func linkText(n *html.Node, s *sheet, lenient bool) string {
	if only := n.FirstChild; only != nil && only.Type == html.TextNode && only.NextSibling == nil {
		return foldLine(only.Data)
	}
	r := newReader(s, lenient)
	r.link = true
	r.walkChildren(n)
	r.end(0, 0)
	for _, l := range r.lines {
		if len(r.out) > 0 {
			r.out = append(r.out, ' ')
		}
		r.out = append(r.out, r.text[l.start:l.end]...)
	}
	return norm.NFC.String(string(r.out))
}

// altText is the alternative text of a picture.
func altText(n *html.Node) string {
	if n.DataAtom == atom.Input && !strings.EqualFold(attr(n, "type"), "image") {
		return ""
	}
	return attr(n, "alt")
}

// foldLine makes s one line of composed characters (NFC) with white space folded. It shares no memory with s.
func foldLine(s string) string {
	b := make([]byte, 0, len(s))
	for word := range strings.FieldsSeq(s) {
		if len(b) > 0 {
			b = append(b, ' ')
		}
		b = append(b, word...)
	}
	return norm.NFC.String(string(b))
}
