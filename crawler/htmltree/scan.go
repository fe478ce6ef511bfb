package htmltree

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// tag is a start or end tag.
type tag struct {
	name        string // in lower case
	atom        atom.Atom
	attrs       []html.Attribute // of a start tag
	selfClosing bool
}

// scan reads the tokens of the document and adds each to the tree, until its end or until it gives up.
func (p *parser) scan() {
	for !p.gaveUp && p.i < len(p.s) {
		if end := p.textEnd(); end > p.i {
			text := p.s[p.i:end]
			p.i = end
			p.text(unescape(text))
			continue
		}
		switch c := p.s[p.i+1]; {
		case c == '/':
			p.scanEnd()
		case c == '!' || c == '?':
			p.scanMarkup()
		default:
			p.scanStart()
		}
	}
}

// textEnd is where the text that begins here ends: before a "<" that begins something else.
func (p *parser) textEnd() int {
	for at := p.i; ; {
		next := strings.IndexByte(p.s[at:], '<')
		if next < 0 || at+next+1 == len(p.s) {
			return len(p.s)
		}
		at += next
		if c := p.s[at+1]; isLetter(c) || c == '/' || c == '!' || c == '?' {
			return at
		}
		at++
	}
}

// scanStart reads a start tag, and the raw text after it.
func (p *parser) scanStart() {
	p.i++
	if !p.scanTag(true) {
		p.gaveUp = true
		return
	}
	foreign := p.foreign()
	p.start(&p.tag)
	if p.gaveUp || foreign {
		return
	}
	switch name := p.tag.atom; name {
	case atom.Script, atom.Style, atom.Title, atom.Textarea, atom.Noscript, atom.Iframe, atom.Noembed, atom.Noframes, atom.Xmp:
		p.scanRaw(p.tag.name, name == atom.Title || name == atom.Textarea)
	}
}

// scanEnd reads an end tag. One without a name is a comment.
func (p *parser) scanEnd() {
	if p.i+2 == len(p.s) {
		p.gaveUp = true
		return
	}
	if !isLetter(p.s[p.i+2]) {
		p.commentTo(">", p.i+2)
		return
	}
	p.i += 2
	if !p.scanTag(false) {
		p.gaveUp = true
		return
	}
	p.end(&p.tag)
}

// scanMarkup reads a comment, a doctype or another <! or <? tag.
func (p *parser) scanMarkup() {
	rest := p.s[p.i:]
	switch {
	case strings.HasPrefix(rest, "<!--"):
		p.commentTo("-->", p.i+2) // <!--> is a whole comment
	case len(rest) > 9 && strings.EqualFold(rest[2:9], "doctype"):
		end := strings.IndexByte(rest, '>')
		if end < 0 {
			p.gaveUp = true
			return
		}
		p.i += end + 1
		p.addDoctype(rest[:end+1])
	case p.foreign() || rest[1] == '!' && len(rest) < 4:
		p.gaveUp = true // may be CDATA
	default:
		p.commentTo(">", p.i+2)
	}
}

// commentTo adds a comment that ends with a mark, which is searched from a place on.
func (p *parser) commentTo(mark string, from int) {
	n := strings.Index(p.s[from:], mark)
	if n < 0 || mark == "-->" && strings.Contains(p.s[from+2:max(from+2, from+n)], "--!") {
		p.gaveUp = true
		return
	}
	p.i = from + n + len(mark)
	p.comment()
}

// scanRaw reads text in which only one end tag counts.
func (p *parser) scanRaw(name string, escaped bool) {
	for at := p.i; ; at += 2 {
		n := strings.Index(p.s[at:], "</")
		if n < 0 {
			break
		}
		at += n
		after := at + 2 + len(name)
		if after >= len(p.s) {
			break
		}
		if strings.EqualFold(p.s[at+2:after], name) && (isSpace(p.s[after]) || p.s[after] == '/' || p.s[after] == '>') {
			text := p.s[p.i:at]
			if name == "script" && nestedScript(text) {
				break
			}
			p.i = at
			if escaped {
				text = unescape(text)
			}
			if text != "" {
				p.text(text)
			}
			return
		}
	}
	p.gaveUp = true
}

// nestedScript reports whether a script may contain another one in a comment, which hides an end tag.
func nestedScript(text string) bool {
	_, after, ok := strings.Cut(text, "<!--")
	for ok {
		if _, after, ok = strings.Cut(after, "<"); len(after) >= 6 && strings.EqualFold(after[:6], "script") {
			return true
		}
	}
	return false
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\f' || c == '\r' }

// trimSpace removes leading white space as HTML defines it.
func trimSpace(s string) string {
	for i := range len(s) {
		if !isSpace(s[i]) {
			return s[i:]
		}
	}
	return ""
}
