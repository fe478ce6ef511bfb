package htmltree

import (
	"cmp"
	"slices"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Formatting elements that a block ends are opened again after it: the text of <p><b>a<p>c is all bold. See "the list of
// active formatting elements" in the standard, section 13.2.4.3.

// startFormatting handles the start tag of a formatting element.
func (p *parser) startFormatting(t *tag) {
	switch t.atom {
	case atom.A:
		p.endOpenLink()
	case atom.Nobr:
		p.reopen()
		if p.inScope(defaultScope, atom.Nobr) >= 0 {
			p.endFormatting(&tag{name: t.name, atom: t.atom})
		}
	}
	p.reopen()
	n := p.add(t)
	slices.SortFunc(n.Attr, func(a, b html.Attribute) int { return cmp.Compare(a.Key, b.Key) }) // as x/net does
	p.limitEqual(n)
	p.formatting = append(p.formatting, n)
}

// endOpenLink closes the open link: links do not nest.
func (p *parser) endOpenLink() {
	for i := len(p.formatting) - 1; i >= 0 && p.formatting[i] != nil; i-- {
		if link := p.formatting[i]; link.DataAtom == atom.A {
			p.endFormatting(&tag{name: link.Data, atom: atom.A})
			p.forget(link)
			if i := slices.Index(p.open, link); i >= 0 {
				p.open = append(p.open[:i], p.open[i+1:]...)
			}
			return
		}
	}
}

// limitEqual forgets formatting elements so that there are at most two equal to n, up to a marker.
func (p *parser) limitEqual(n *html.Node) {
	equal := 0
	for i := len(p.formatting) - 1; i >= 0 && p.formatting[i] != nil; i-- {
		if f := p.formatting[i]; f.DataAtom == n.DataAtom && slices.Equal(f.Attr, n.Attr) {
			if equal++; equal >= 3 {
				p.forget(f)
			}
		}
	}
}

// reopen opens copies of formatting elements that were closed without their end tags.
func (p *parser) reopen() {
	i := len(p.formatting)
	for i > 0 && p.formatting[i-1] != nil && !p.isOpen(p.formatting[i-1]) {
		i--
	}
	for ; i < len(p.formatting); i++ {
		f := p.formatting[i]
		p.formatting[i] = p.add(&tag{name: f.Data, atom: f.DataAtom, attrs: f.Attr})
	}
}

func (p *parser) isOpen(n *html.Node) bool {
	for i := len(p.open) - 1; i >= 0; i-- {
		if p.open[i] == n {
			return true
		}
	}
	return false
}

// forget removes a node from the formatting elements.
func (p *parser) forget(n *html.Node) {
	for i := len(p.formatting) - 1; i >= 0; i-- {
		if p.formatting[i] == n {
			p.formatting = append(p.formatting[:i], p.formatting[i+1:]...)
			return
		}
	}
}

// closeMarker forgets the formatting elements up to the last marker.
func (p *parser) closeMarker() {
	for len(p.formatting) > 0 {
		last := len(p.formatting) - 1
		n := p.formatting[last]
		p.formatting = p.formatting[:last]
		if n == nil {
			return
		}
	}
}

// endFormatting handles the end tag of a formatting element: the "adoption agency algorithm" of the standard, as far as it
// moves no nodes.
func (p *parser) endFormatting(t *tag) {
	top := p.top()
	var element *html.Node
	isActive := false
	for i := len(p.formatting) - 1; i >= 0; i-- {
		isActive = isActive || p.formatting[i] == top
	}
	if top.Data == t.name && !isActive {
		p.cut(len(p.open) - 1)
		return
	}
	for i := len(p.formatting) - 1; i >= 0 && p.formatting[i] != nil; i-- {
		if p.formatting[i].DataAtom == t.atom {
			element = p.formatting[i]
			break
		}
	}
	if element == nil {
		p.endOther(t)
		return
	}
	if !p.isOpen(element) {
		p.forget(element)
		return
	}
	if p.inScope(defaultScope, t.atom) < 0 {
		return
	}
	i := len(p.open) - 1
	for ; p.open[i] != element; i-- {
		if special(p.open[i]) || p.open[i].Namespace != "" {
			p.gaveUp = true
			return
		}
	}
	p.cut(i)
	p.forget(element)
}
