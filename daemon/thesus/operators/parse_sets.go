package operators

import (
	"strings"
	"unicode"
)

// atAddress reports whether a bare address is next.
func (p *parser) atAddress() bool {
	head := strings.ToLower(p.rest()[:min(len(p.rest()), len("https://"))])
	return strings.HasPrefix(head, "http://") || strings.HasPrefix(head, "https://")
}

// pages reads Pages.
func (p *parser) pages() (*node, *Fault) {
	p.skip()
	set := &node{kind: pageSet, at: p.at}
	return p.members(set, '[', ']', p.item)
}

// words reads Words.
func (p *parser) words() (*node, *Fault) {
	p.skip()
	set := &node{kind: wordSet, at: p.at}
	return p.members(set, '{', '}', p.word)
}

// members reads the members of a set between two brackets.
func (p *parser) members(set *node, begin, end rune, one func() (*node, *Fault)) (*node, *Fault) {
	p.take(begin)
	for !p.take(end) {
		if len(set.items) > 0 {
			if f := p.expect(',', "a comma or "+string(end)); f != nil {
				return nil, f
			}
		}
		member, f := one()
		if f != nil {
			return nil, f
		}
		set.items = append(set.items, member)
	}
	return set, nil
}

// item reads an Item.
func (p *parser) item() (*node, *Fault) {
	start := p.next()
	at := p.at
	switch {
	case start == '"' || p.atAddress():
		return p.address()
	case p.keyword("topic", ':'):
		name, f := p.label("a topic, such as topic:Hockey")
		return &node{kind: ofTopic, at: at, text: name}, f
	case p.keyword("session", ':'):
		name, f := p.label("a session: its number, or what its page has in the address")
		return &node{kind: ofSession, at: at, text: name}, f
	case p.keyword("crawl", ':'):
		n, f := p.whole("the number of a crawl, such as crawl:12")
		return &node{kind: ofCrawl, at: at, n: n}, f
	case start == '[' || start == '{' || start == '$' || start == '@' || p.atCall():
		return p.value()
	}
	return nil, p.here("expected an address that begins with http:// or https://, topic:NAME, session:NUMBER, crawl:NUMBER, @NAME or an operator, found %s", p.found())
}

// atCall reports whether a name with an opening bracket is next.
func (p *parser) atCall() bool {
	start := p.at
	defer func() { p.at = start }()
	return p.name() != "" && p.next() == '('
}

// address reads an address or a prefix.
func (p *parser) address() (*node, *Fault) {
	one := &node{kind: address, at: p.at}
	if p.next() == '"' {
		text, f := p.quoted()
		if f != nil {
			return nil, f
		}
		one.text = text
		if strings.HasPrefix(p.rest(), "*") {
			p.at, one.kind = p.at+1, prefix
		}
	} else {
		one.text = p.bare()
		if text, ok := strings.CutSuffix(one.text, "*"); ok {
			one.text, one.kind = text, prefix
		}
	}
	scheme, _, _ := strings.Cut(strings.ToLower(one.text), "://")
	if scheme != "http" && scheme != "https" || !strings.Contains(one.text, "://") {
		return nil, faultAt(p.text, one.at, "an address begins with http:// or https://")
	}
	return one, nil
}

// word reads a Word.
func (p *parser) word() (*node, *Fault) {
	start := p.next()
	at := p.at
	switch {
	case p.keyword("term", ':'):
		name, f := p.label("a term, such as term:wind")
		return &node{kind: term, at: at, text: name}, f
	case start == '[' || start == '{' || start == '$' || start == '@' || p.atCall():
		return p.value()
	case p.atAddress():
		return nil, p.here("this is an address; sets of pages are written in [ ]")
	}
	text, f := p.label("nothing")
	if f != nil {
		return nil, faultAt(p.text, at, "expected a word, term:NAME or an operator, found %s", p.found())
	}
	if strings.IndexFunc(text, unicode.IsSpace) >= 0 {
		return nil, faultAt(p.text, at, "a word has no spaces; write its words with commas, or term:%q for a term of an ontology", text)
	}
	return &node{kind: word, at: at, text: strings.ToLower(text)}, nil
}

// savedName reads the name of a saved set, which may be followed by a semicolon or a bar.
func (p *parser) savedName() (string, *Fault) {
	if p.next() == '"' {
		return p.label("a saved set")
	}
	end := strings.IndexFunc(p.rest(), func(r rune) bool { return !inName(r) })
	if end < 0 {
		end = len(p.rest())
	}
	name := p.rest()[:end]
	if name == "" {
		return "", p.here("expected the name of a saved set, such as @museums, found %s", p.found())
	}
	p.at += end
	return name, nil
}

// inName reports whether a name of a saved set may have a character without quotation marks.
func inName(r rune) bool {
	return r == '_' || r == '-' || r == '.' || unicode.IsLetter(r) || unicode.IsDigit(r)
}
