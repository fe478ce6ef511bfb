package htmltree

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// inTableStructure reports whether an element takes rows or cells, and no text.
func inTableStructure(name atom.Atom) bool {
	switch name {
	case atom.Table, atom.Tbody, atom.Tfoot, atom.Thead, atom.Tr:
		return true
	}
	return false
}

// startTable handles a start tag between the parts of a table. done is false if another mode must handle it.
func (p *parser) startTable(t *tag) (done bool) {
	switch t.atom {
	case atom.Caption:
		p.closeTo(atom.Table)
		p.formatting = append(p.formatting, nil)
		p.add(t)
		p.mode = inCaption
	case atom.Colgroup:
		p.closeTo(atom.Table)
		p.add(t)
		p.mode = inColumnGroup
	case atom.Col:
		p.closeTo(atom.Table)
		p.addImplied(atom.Colgroup)
		p.mode = inColumnGroup
		return false
	case atom.Tbody, atom.Tfoot, atom.Thead:
		p.closeTo(atom.Table)
		p.add(t)
		p.mode = inTableBody
	case atom.Td, atom.Th, atom.Tr:
		p.closeTo(atom.Table)
		p.addImplied(atom.Tbody)
		p.mode = inTableBody
		return false
	case atom.Style, atom.Script:
		p.startMeta(t)
	case atom.Input:
		if !hiddenInput(t) {
			p.gaveUp = true // it moves out of the table
			return true
		}
		p.addEmpty(t)
	case atom.Form:
		if p.form == nil {
			p.form = p.add(t)
			p.cut(len(p.open) - 1)
		}
	default:
		p.gaveUp = true
	}
	return true
}

func hiddenInput(t *tag) bool {
	for _, a := range t.attrs {
		if a.Key == "type" {
			return strings.EqualFold(a.Val, "hidden")
		}
	}
	return false
}

// endTable handles an end tag between the parts of a table.
func (p *parser) endTable(t *tag) {
	switch t.atom {
	case atom.Table:
		if p.closeInScope(tableScope, atom.Table) {
			p.resetMode()
		}
	case atom.Body, atom.Caption, atom.Col, atom.Colgroup, atom.Html, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead,
		atom.Tr:
	case atom.Form:
		p.endForm()
	default:
		p.gaveUp = true
	}
}

// resetMode finds the mode after a table.
func (p *parser) resetMode() {
	for i := len(p.open) - 1; i >= 0; i-- {
		switch p.open[i].DataAtom {
		case atom.Td, atom.Th:
			p.mode = inCell
		case atom.Tr:
			p.mode = inRow
		case atom.Tbody, atom.Thead, atom.Tfoot:
			p.mode = inTableBody
		case atom.Caption:
			p.mode = inCaption
		case atom.Colgroup:
			p.mode = inColumnGroup
		case atom.Table:
			p.mode = inTable
		case atom.Body:
			p.mode = inBody
		case atom.Head, atom.Html:
			p.gaveUp = true
		default:
			continue
		}
		return
	}
}

// startCaption handles a start tag in a caption.
func (p *parser) startCaption(t *tag) (done bool) {
	switch t.atom {
	case atom.Caption, atom.Col, atom.Colgroup, atom.Tbody, atom.Td, atom.Tfoot, atom.Thead, atom.Tr:
		return !p.closeCaption()
	}
	p.startBody(t)
	return true
}

// endCaption handles an end tag in a caption.
func (p *parser) endCaption(t *tag) (done bool) {
	switch t.atom {
	case atom.Caption:
		p.closeCaption()
		return true
	case atom.Table:
		return !p.closeCaption()
	case atom.Body, atom.Col, atom.Colgroup, atom.Html, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr:
		return true
	}
	return p.endBody(t)
}

func (p *parser) closeCaption() bool {
	if !p.closeInScope(tableScope, atom.Caption) {
		return false
	}
	p.closeMarker()
	p.mode = inTable
	return true
}

// columnText adds a text in a column group, in which only white space may stand.
func (p *parser) columnText(s string) {
	p.gaveUp = p.gaveUp || trimSpace(s) != ""
	p.addText(s)
}

// startColumnGroup handles a start tag in a column group.
func (p *parser) startColumnGroup(t *tag) (done bool) {
	switch t.atom {
	case atom.Html:
		p.startBody(t)
		return true
	case atom.Col:
		p.addEmpty(t)
		return true
	}
	return !p.closeColumnGroup()
}

// endColumnGroup handles an end tag in a column group.
func (p *parser) endColumnGroup(t *tag) (done bool) {
	switch t.atom {
	case atom.Colgroup:
		p.closeColumnGroup()
		return true
	case atom.Col:
		return true
	}
	return !p.closeColumnGroup()
}

func (p *parser) closeColumnGroup() bool {
	if p.top().DataAtom != atom.Colgroup {
		return false
	}
	p.cut(len(p.open) - 1)
	p.mode = inTable
	return true
}
