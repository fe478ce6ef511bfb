package htmltree

import "golang.org/x/net/html/atom"

// startTableBody handles a start tag between rows. done is false if another mode must handle it, as in all functions here.
func (p *parser) startTableBody(t *tag) (done bool) {
	switch t.atom {
	case atom.Tr:
		p.closeTo(atom.Tbody, atom.Tfoot, atom.Thead)
		p.add(t)
		p.mode = inRow
		return true
	case atom.Td, atom.Th:
		p.closeTo(atom.Tbody, atom.Tfoot, atom.Thead)
		p.addImplied(atom.Tr)
		p.mode = inRow
		return false
	case atom.Caption, atom.Col, atom.Colgroup, atom.Tbody, atom.Tfoot, atom.Thead:
		return !p.closeTableBody()
	}
	return p.startTable(t)
}

// endTableBody handles an end tag between rows.
func (p *parser) endTableBody(t *tag) (done bool) {
	switch t.atom {
	case atom.Tbody, atom.Tfoot, atom.Thead:
		if p.inScope(tableScope, t.atom) >= 0 {
			p.closeTo(atom.Tbody, atom.Tfoot, atom.Thead)
			p.cut(len(p.open) - 1)
			p.mode = inTable
		}
		return true
	case atom.Table:
		return !p.closeTableBody()
	case atom.Body, atom.Caption, atom.Col, atom.Colgroup, atom.Html, atom.Td, atom.Th, atom.Tr:
		return true
	}
	p.endTable(t)
	return true
}

func (p *parser) closeTableBody() bool {
	if !p.closeInScope(tableScope, atom.Tbody, atom.Thead, atom.Tfoot) {
		return false
	}
	p.mode = inTable
	return true
}

// startRow handles a start tag between cells.
func (p *parser) startRow(t *tag) (done bool) {
	switch t.atom {
	case atom.Td, atom.Th:
		p.closeTo(atom.Tr)
		p.add(t)
		p.formatting = append(p.formatting, nil)
		p.mode = inCell
		return true
	case atom.Caption, atom.Col, atom.Colgroup, atom.Tbody, atom.Tfoot, atom.Thead, atom.Tr:
		return !p.closeRow()
	}
	return p.startTable(t)
}

// endRow handles an end tag between cells.
func (p *parser) endRow(t *tag) (done bool) {
	switch t.atom {
	case atom.Tr:
		p.closeRow()
		return true
	case atom.Table:
		return !p.closeRow()
	case atom.Tbody, atom.Tfoot, atom.Thead:
		return p.inScope(tableScope, t.atom) < 0 || !p.closeRow()
	case atom.Body, atom.Caption, atom.Col, atom.Colgroup, atom.Html, atom.Td, atom.Th:
		return true
	}
	p.endTable(t)
	return true
}

func (p *parser) closeRow() bool {
	if !p.closeInScope(tableScope, atom.Tr) {
		return false
	}
	p.mode = inTableBody
	return true
}

// startCell handles a start tag in a cell.
func (p *parser) startCell(t *tag) (done bool) {
	switch t.atom {
	case atom.Caption, atom.Col, atom.Colgroup, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr:
		return !p.closeCell(atom.Td, atom.Th)
	}
	p.startBody(t)
	return true
}

// endCell handles an end tag in a cell.
func (p *parser) endCell(t *tag) (done bool) {
	switch t.atom {
	case atom.Td, atom.Th:
		p.closeCell(t.atom)
		return true
	case atom.Body, atom.Caption, atom.Col, atom.Colgroup, atom.Html:
		return true
	case atom.Table, atom.Tbody, atom.Tfoot, atom.Thead, atom.Tr:
		return p.inScope(tableScope, t.atom) < 0 || !p.closeCell(atom.Td, atom.Th)
	}
	return p.endBody(t)
}

func (p *parser) closeCell(names ...atom.Atom) bool {
	if !p.closeInScope(tableScope, names...) {
		return false
	}
	p.closeMarker()
	p.mode = inRow
	return true
}
