package htmltree

import (
	"bytes"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	maxDepth  = 512     // of open elements, as in x/net
	maxJoined = 1 << 20 // bytes that are copied to join texts
)

// top is the current node.
func (p *parser) top() *html.Node {
	if n := len(p.open); n > 0 {
		return p.open[n-1]
	}
	return p.root
}

// foreign reports whether the current node is one of SVG.
func (p *parser) foreign() bool { return p.top().Namespace != "" }

// addTo makes a node the last child of another.
func addTo(parent, n *html.Node) {
	n.Parent = parent
	if last := parent.LastChild; last != nil {
		last.NextSibling = n
		n.PrevSibling = last
	} else {
		parent.FirstChild = n
	}
	parent.LastChild = n
}

// addText adds a text to the current node, or to the text that is last in it.
func (p *parser) addText(text string) {
	if text == "" {
		return
	}
	parent := p.top()
	if last := parent.LastChild; last != nil && last.Type == html.TextNode {
		last.Data += text
		if p.joined += len(last.Data); p.joined > maxJoined {
			p.gaveUp = true
		}
		return
	}
	n := p.nodes.one()
	n.Type, n.Data = html.TextNode, text
	addTo(parent, n)
}

// addComment adds an empty comment to a node.
func (p *parser) addComment(parent *html.Node) {
	n := p.nodes.one()
	n.Type = html.CommentNode
	addTo(parent, n)
}

// add adds an element to the current node and opens it.
func (p *parser) add(t *tag) *html.Node {
	n := p.nodes.one()
	n.Type, n.Data, n.DataAtom, n.Attr = html.ElementNode, t.name, t.atom, t.attrs
	addTo(p.top(), n)
	p.push(n)
	return n
}

// addEmpty adds an element that has no content.
func (p *parser) addEmpty(t *tag) {
	p.add(t)
	p.cut(len(p.open) - 1)
}

// addImplied adds an element whose start tag was left out.
func (p *parser) addImplied(name atom.Atom) *html.Node {
	return p.add(&tag{name: name.String(), atom: name})
}

func (p *parser) push(n *html.Node) {
	p.open = append(p.open, n)
	if n.DataAtom == atom.P {
		p.paragraphs++
	}
	if len(p.open) > maxDepth {
		p.gaveUp = true
	}
}

// cut closes the open elements from one on.
func (p *parser) cut(from int) {
	for _, n := range p.open[from:] {
		if n.DataAtom == atom.P {
			p.paragraphs--
		}
	}
	p.open = p.open[:from]
}

// scope says which open elements hide those around them, section 13.2.4.2.
type scope int

const (
	defaultScope scope = iota
	listItemScope
	buttonScope
	tableScope
)

// inScope is the place of the innermost open element with one of the names, -1 if none is in scope.
func (p *parser) inScope(s scope, names ...atom.Atom) int {
	for i := len(p.open) - 1; i >= 0; i-- {
		name := p.open[i].DataAtom
		if p.open[i].Namespace != "" {
			p.gaveUp = true
			return -1
		}
		if slices.Contains(names, name) {
			return i
		}
		switch name {
		case atom.Html, atom.Table:
			return -1
		case atom.Applet, atom.Caption, atom.Td, atom.Th, atom.Marquee, atom.Object, atom.Select:
			if s != tableScope {
				return -1
			}
		case atom.Ol, atom.Ul:
			if s == listItemScope {
				return -1
			}
		case atom.Button:
			if s == buttonScope {
				return -1
			}
		}
	}
	return -1
}

// closeInScope closes the innermost element with one of the names, and what is open in it. It reports whether one was in
// scope.
func (p *parser) closeInScope(s scope, names ...atom.Atom) bool {
	i := p.inScope(s, names...)
	if i >= 0 {
		p.cut(i)
	}
	return i >= 0
}

// closeParagraph closes an open p element before a block.
func (p *parser) closeParagraph() {
	if p.paragraphs > 0 {
		p.closeInScope(buttonScope, atom.P)
	}
}

// closeTo closes open elements until the current node has one of the names, or is the html element.
func (p *parser) closeTo(names ...atom.Atom) {
	i := len(p.open) - 1
	for i > 0 && !slices.Contains(names, p.open[i].DataAtom) {
		i--
	}
	p.cut(i + 1)
}

// closeImplied closes elements whose end tags may be left out, up to one of the name except.
func (p *parser) closeImplied(except atom.Atom) {
	i := len(p.open)
	for ; i > 0; i-- {
		name := p.open[i-1].DataAtom
		if name == except && except != 0 {
			break
		}
		switch name {
		case atom.Dd, atom.Dt, atom.Li, atom.Optgroup, atom.Option, atom.P, atom.Rb, atom.Rp, atom.Rt, atom.Rtc:
			continue
		}
		break
	}
	p.cut(i)
}

// quirks reports whether the doctype asks for the rendering of old browsers, in which a table does not end a paragraph.
// x/net tells it by what it does.
func (p *parser) quirks() bool {
	if p.doctype == "" {
		return true
	}
	if strings.EqualFold(p.doctype, "<!doctype html>") {
		return false
	}
	root, err := html.Parse(bytes.NewReader([]byte(p.doctype + "<p><table>")))
	if err != nil {
		p.gaveUp = true
		return false
	}
	for n := range root.Descendants() {
		if n.DataAtom == atom.Table {
			return n.Parent.DataAtom == atom.P
		}
	}
	return false
}

// special reports whether an element is of the category "special" of the standard, section 13.2.4.2.
func special(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Address, atom.Applet, atom.Area, atom.Article, atom.Aside, atom.Base, atom.Basefont, atom.Bgsound,
		atom.Blockquote, atom.Body, atom.Br, atom.Button, atom.Caption, atom.Center, atom.Col, atom.Colgroup, atom.Dd,
		atom.Details, atom.Dir, atom.Div, atom.Dl, atom.Dt, atom.Embed, atom.Fieldset, atom.Figcaption, atom.Figure,
		atom.Footer, atom.Form, atom.Frame, atom.Frameset, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Head,
		atom.Header, atom.Hgroup, atom.Hr, atom.Html, atom.Iframe, atom.Img, atom.Input, atom.Keygen, atom.Li, atom.Link,
		atom.Listing, atom.Main, atom.Marquee, atom.Menu, atom.Meta, atom.Nav, atom.Noembed, atom.Noframes, atom.Noscript,
		atom.Object, atom.Ol, atom.P, atom.Param, atom.Plaintext, atom.Pre, atom.Script, atom.Section, atom.Select,
		atom.Source, atom.Style, atom.Summary, atom.Table, atom.Tbody, atom.Td, atom.Template, atom.Textarea, atom.Tfoot,
		atom.Th, atom.Thead, atom.Title, atom.Tr, atom.Track, atom.Ul, atom.Wbr, atom.Xmp:
		return true
	}
	return false
}
