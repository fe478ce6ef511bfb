package htmltree

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// startBody handles a start tag by the rules for the body, section 13.2.6.4.7.
func (p *parser) startBody(t *tag) {
	switch t.atom {
	case atom.Html, atom.Body:
		p.gaveUp = p.gaveUp || len(t.attrs) > 0 // they would go to the open element
	case atom.Caption, atom.Col, atom.Colgroup, atom.Frame, atom.Head, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead,
		atom.Tr:
	case atom.Base, atom.Basefont, atom.Bgsound, atom.Link, atom.Meta, atom.Noframes, atom.Script, atom.Style, atom.Title:
		p.startMeta(t)
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Center, atom.Details, atom.Dialog, atom.Dir, atom.Div,
		atom.Dl, atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer, atom.Header, atom.Hgroup, atom.Main, atom.Menu,
		atom.Nav, atom.Ol, atom.P, atom.Search, atom.Section, atom.Summary, atom.Ul, atom.Pre, atom.Listing:
		p.closeParagraph()
		p.add(t)
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		p.closeParagraph()
		if isHeading(p.top().DataAtom) {
			p.cut(len(p.open) - 1)
		}
		p.add(t)
	case atom.Li:
		p.closeItem(atom.Li, atom.Li)
		p.add(t)
	case atom.Dd, atom.Dt:
		p.closeItem(atom.Dd, atom.Dt)
		p.add(t)
	case atom.Form:
		if p.form == nil {
			p.closeParagraph()
			p.form = p.add(t)
		}
	case atom.Table:
		if p.paragraphs > 0 && !p.quirks() {
			p.closeParagraph()
		}
		p.add(t)
		p.mode = inTable
	case atom.Hr:
		p.closeParagraph()
		if p.inScope(defaultScope, atom.Select) >= 0 {
			p.closeImplied(0)
		}
		p.addEmpty(t)
	case atom.Param, atom.Source, atom.Track:
		p.addEmpty(t)
	case atom.Textarea, atom.Iframe, atom.Noembed, atom.Noscript:
		p.startRaw(t)
	default:
		p.startPhrase(t)
	}
}

// startPhrase handles a start tag of an element that stands in running text.
func (p *parser) startPhrase(t *tag) {
	switch t.atom {
	case atom.A, atom.B, atom.Big, atom.Code, atom.Em, atom.Font, atom.I, atom.Nobr, atom.S, atom.Small, atom.Strike,
		atom.Strong, atom.Tt, atom.U:
		p.startFormatting(t)
		return
	case atom.Rb, atom.Rtc, atom.Rp, atom.Rt:
		if p.inScope(defaultScope, atom.Ruby) >= 0 {
			p.closeImplied(rubyText(t.atom))
		}
		p.add(t)
		return
	case atom.Button:
		if p.inScope(defaultScope, atom.Button) >= 0 {
			p.closeImplied(0)
			p.closeInScope(defaultScope, atom.Button)
		}
	case atom.Input:
		p.closeInScope(defaultScope, atom.Select)
	case atom.Select:
		if p.closeInScope(defaultScope, atom.Select) {
			return
		}
	case atom.Option:
		p.closeOption(atom.Optgroup)
	case atom.Optgroup:
		p.closeOption(0)
	case atom.Xmp:
		p.closeParagraph()
	case atom.Image:
		t.atom, t.name = atom.Img, atom.Img.String()
	}
	p.reopen()
	switch t.atom {
	case atom.Area, atom.Br, atom.Embed, atom.Img, atom.Keygen, atom.Wbr, atom.Input:
		p.addEmpty(t)
	case atom.Xmp:
		p.startRaw(t)
	case atom.Applet, atom.Marquee, atom.Object:
		p.add(t)
		p.formatting = append(p.formatting, nil)
	case atom.Svg:
		p.addForeign(t, t.name)
	default:
		p.add(t)
	}
}

func rubyText(name atom.Atom) (except atom.Atom) {
	if name == atom.Rp || name == atom.Rt {
		return atom.Rtc
	}
	return 0
}

func isHeading(name atom.Atom) bool {
	switch name {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return true
	}
	return false
}

// closeItem closes a list item with one of two names before the next one.
func (p *parser) closeItem(one, other atom.Atom) {
	for i := len(p.open) - 1; i >= 0; i-- {
		n := p.open[i]
		if n.DataAtom == one || n.DataAtom == other {
			p.cut(i)
			break
		}
		if special(n) && n.DataAtom != atom.Address && n.DataAtom != atom.Div && n.DataAtom != atom.P {
			break
		}
	}
	p.closeParagraph()
}

// closeOption closes an option before the next one, or before a group.
func (p *parser) closeOption(except atom.Atom) {
	if p.inScope(defaultScope, atom.Select) >= 0 {
		p.closeImplied(except)
	} else if p.top().DataAtom == atom.Option {
		p.cut(len(p.open) - 1)
	}
}

// endBody handles an end tag by the rules for the body. done is false if another mode must handle it.
func (p *parser) endBody(t *tag) (done bool) {
	switch t.atom {
	case atom.Body, atom.Html:
		if p.inScope(defaultScope, atom.Body) >= 0 {
			p.mode = afterBody
			return t.atom == atom.Body
		}
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Button, atom.Center, atom.Details, atom.Dialog, atom.Dir,
		atom.Div, atom.Dl, atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer, atom.Header, atom.Hgroup, atom.Listing,
		atom.Main, atom.Menu, atom.Nav, atom.Ol, atom.Pre, atom.Search, atom.Section, atom.Select, atom.Summary, atom.Ul:
		if p.inScope(defaultScope, t.atom) >= 0 {
			p.closeImplied(0)
			p.closeInScope(defaultScope, t.atom)
		}
	case atom.Form:
		p.endForm()
	case atom.P:
		if p.paragraphs == 0 || p.inScope(buttonScope, atom.P) < 0 {
			p.addImplied(atom.P)
		}
		p.closeInScope(buttonScope, atom.P)
	case atom.Li:
		p.closeInScope(listItemScope, atom.Li)
	case atom.Dd, atom.Dt:
		p.closeInScope(defaultScope, t.atom)
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		p.closeInScope(defaultScope, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6)
	case atom.A, atom.B, atom.Big, atom.Code, atom.Em, atom.Font, atom.I, atom.Nobr, atom.S, atom.Small, atom.Strike,
		atom.Strong, atom.Tt, atom.U:
		p.endFormatting(t)
	case atom.Applet, atom.Marquee, atom.Object:
		if p.closeInScope(defaultScope, t.atom) {
			p.closeMarker()
		}
	case atom.Br:
		p.startBody(&tag{name: t.name, atom: atom.Br})
	default:
		p.endOther(t)
	}
	return true
}

// endForm closes the open form, but not the elements that are open in it.
func (p *parser) endForm() {
	form := p.form
	p.form = nil
	i := p.inScope(defaultScope, atom.Form)
	if form == nil || i < 0 || p.open[i] != form {
		return
	}
	p.closeImplied(0)
	for i = len(p.open) - 1; p.open[i] != form; i-- {
	}
	p.open = append(p.open[:i], p.open[i+1:]...)
}

// endOther closes the innermost element of this name, if no special one is open in it.
func (p *parser) endOther(t *tag) {
	for i := len(p.open) - 1; i >= 0; i-- {
		n := p.open[i]
		if n.Namespace != "" {
			p.gaveUp = true
			return
		}
		if n.DataAtom == t.atom && (t.atom != 0 || n.Data == t.name) {
			p.cut(i)
			return
		}
		if special(n) {
			return
		}
	}
}

// withoutNewline removes the line break at the beginning of a pre or textarea element.
func withoutNewline(n *html.Node, s string) string {
	if n.FirstChild == nil {
		s = strings.TrimPrefix(strings.TrimPrefix(s, "\r"), "\n")
	}
	return s
}
