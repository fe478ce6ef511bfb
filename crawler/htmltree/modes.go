package htmltree

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// mode is an insertion mode of the standard, section 13.2.4.1. Framesets and templates have none here: they are left to
// x/net.
type mode int

const (
	initial mode = iota
	beforeHTML
	beforeHead
	inHead
	afterHead
	inBody
	inText // of an element with raw text
	inTable
	inCaption
	inColumnGroup
	inTableBody
	inRow
	inCell
	afterBody
	afterAfterBody
)

// advance goes to the next mode of those up to inBody, and adds the element that it implies.
func (p *parser) advance() {
	switch p.mode {
	case beforeHTML:
		p.addImplied(atom.Html)
	case beforeHead:
		p.head = p.addImplied(atom.Head)
	case inHead:
		p.cut(len(p.open) - 1)
	case afterHead:
		p.addImplied(atom.Body)
	}
	p.mode++
}

// finish adds what every document has.
func (p *parser) finish() {
	if p.mode == inText {
		p.gaveUp = true
	}
	for p.mode < inBody && !p.gaveUp {
		p.advance()
	}
}

// addDoctype adds an empty doctype, if it stands at the beginning.
func (p *parser) addDoctype(written string) {
	if p.mode == afterBody {
		p.mode = inBody
	}
	if p.mode != initial {
		return
	}
	n := p.nodes.one()
	n.Type = html.DoctypeNode
	addTo(p.root, n)
	p.doctype, p.mode = written, beforeHTML
}

// comment adds a comment where the mode wants it.
func (p *parser) comment() {
	switch p.mode {
	case initial, beforeHTML, afterAfterBody:
		p.addComment(p.root)
	case afterBody:
		p.addComment(p.open[0])
	default:
		p.addComment(p.top())
	}
}

// text adds a text.
func (p *parser) text(s string) {
	if p.mode < inBody {
		rest := trimSpace(s)
		if p.mode == inHead || p.mode == afterHead {
			p.addText(s[:len(s)-len(rest)])
		}
		if rest == "" {
			return
		}
		for s = rest; p.mode < inBody; {
			p.advance()
		}
	}
	switch p.mode {
	case inText:
		if n := p.top(); n.DataAtom == atom.Textarea {
			s = withoutNewline(n, s)
		}
		p.addText(s)
	case inBody, inCell, inCaption:
		p.bodyText(s)
	case inColumnGroup:
		p.columnText(s)
	case inTable, inTableBody, inRow:
		if trimSpace(s) != "" || !inTableStructure(p.top().DataAtom) {
			p.gaveUp = true // it moves out of the table
		}
		p.addText(s)
	case afterBody, afterAfterBody:
		if trimSpace(s) != "" {
			p.mode = inBody
		}
		p.bodyText(s)
	}
}

// bodyText adds a text of the body.
func (p *parser) bodyText(s string) {
	n := p.top()
	if n.Namespace != "" && !integrates(n) {
		p.addText(s)
		return
	}
	if n.DataAtom == atom.Pre || n.DataAtom == atom.Listing {
		s = withoutNewline(n, s)
	}
	if s == "" {
		return
	}
	p.reopen()
	p.addText(s)
}

// start handles a start tag.
func (p *parser) start(t *tag) {
	switch t.atom {
	case atom.Math, atom.Template, atom.Plaintext, atom.Frameset:
		p.gaveUp = true
		return
	}
	if p.foreign() {
		p.startForeign(t)
		return
	}
	// Some modes change and hand the tag to the next one; each change goes outwards in the tree.
	for done := false; !done && !p.gaveUp; {
		switch p.mode {
		case initial:
			p.advance()
		case beforeHTML, beforeHead:
			done = p.startEarly(t)
		case inHead, afterHead:
			done = p.startHead(t)
		case inTable:
			done = p.startTable(t)
		case inCaption:
			done = p.startCaption(t)
		case inColumnGroup:
			done = p.startColumnGroup(t)
		case inTableBody:
			done = p.startTableBody(t)
		case inRow:
			done = p.startRow(t)
		case inCell:
			done = p.startCell(t)
		case afterBody, afterAfterBody:
			if t.atom != atom.Html {
				p.mode = inBody
				continue
			}
			p.startBody(t)
			done = true
		default:
			p.startBody(t)
			done = true
		}
	}
}

// startEarly handles a start tag before the head. done is false if another mode must handle it.
func (p *parser) startEarly(t *tag) (done bool) {
	switch {
	case p.mode == beforeHTML && t.atom == atom.Html:
		p.add(t)
		p.mode = beforeHead
		return true
	case p.mode == beforeHead && t.atom == atom.Head:
		p.head = p.add(t)
		p.mode = inHead
		return true
	case t.atom == atom.Html:
		p.startBody(t)
		return true
	}
	p.advance()
	return false
}

// startHead handles a start tag in the head or directly after it. done is false if another mode must handle it.
func (p *parser) startHead(t *tag) (done bool) {
	switch t.atom {
	case atom.Html:
		p.startBody(t)
		return true
	case atom.Head:
		return true
	case atom.Body:
		if p.mode == afterHead {
			p.add(t)
			p.mode = inBody
			return true
		}
	case atom.Noscript:
		if p.mode == inHead {
			p.startRaw(t)
			return true
		}
	case atom.Base, atom.Basefont, atom.Bgsound, atom.Link, atom.Meta, atom.Noframes, atom.Script, atom.Style, atom.Title:
		if p.mode == afterHead {
			p.push(p.head)
			p.startMeta(t)
			i := len(p.open) - 1
			for p.open[i] != p.head {
				i--
			}
			p.open = append(p.open[:i], p.open[i+1:]...)
			return true
		}
		p.startMeta(t)
		return true
	}
	p.advance()
	return false
}

// startMeta handles the start tag of an element of the head, wherever it stands.
func (p *parser) startMeta(t *tag) {
	switch t.atom {
	case atom.Noframes, atom.Script, atom.Style, atom.Title:
		p.startRaw(t)
	default:
		p.addEmpty(t)
	}
}

// startRaw handles the start tag of an element whose content is one text.
func (p *parser) startRaw(t *tag) {
	p.add(t)
	p.before, p.mode = p.mode, inText
}

// end handles an end tag.
func (p *parser) end(t *tag) {
	if t.atom == atom.Template {
		p.gaveUp = true
		return
	}
	if p.foreign() {
		p.endForeign(t)
		return
	}
	for done := false; !done && !p.gaveUp; {
		switch p.mode {
		case inText:
			p.cut(len(p.open) - 1)
			p.mode = p.before
			done = true
		case initial:
			p.advance()
		case beforeHTML, beforeHead, inHead, afterHead:
			done = p.endEarly(t)
		case inTable:
			p.endTable(t)
			done = true
		case inCaption:
			done = p.endCaption(t)
		case inColumnGroup:
			done = p.endColumnGroup(t)
		case inTableBody:
			done = p.endTableBody(t)
		case inRow:
			done = p.endRow(t)
		case inCell:
			done = p.endCell(t)
		case afterBody:
			if done = t.atom == atom.Html; done {
				p.mode = afterAfterBody
			} else {
				p.mode = inBody
			}
		case afterAfterBody:
			p.mode = inBody
		default:
			done = p.endBody(t)
		}
	}
}

// endEarly handles an end tag before the body. done is false if another mode must handle it.
func (p *parser) endEarly(t *tag) (done bool) {
	switch t.atom {
	case atom.Head:
		switch p.mode {
		case afterHead:
			return true
		case inHead:
			p.advance()
			return true
		}
	case atom.Body, atom.Html, atom.Br:
	default:
		return true
	}
	p.advance()
	return false
}
