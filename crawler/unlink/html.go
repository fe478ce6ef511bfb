package unlink

import (
	"bytes"

	"golang.org/x/net/html"

	"nightjar/crawler/texts"
	"nightjar/crawler/weburl"
)

// HTML returns a document in HTML without the site, the words that went and are not elsewhere in it, in lower case, and
// whether anything went. url is that of the document, "" if it is not known.
func (s *Site) HTML(url string, doc []byte) (clean []byte, words []string, changed bool) {
	if !s.May(doc) {
		return doc, nil, false
	}
	c := &cleaning{site: s, z: html.NewTokenizer(bytes.NewReader(doc)), out: make([]byte, 0, len(doc))}
	c.base = c.baseOf(url, doc)
	for c.step() {
	}
	if !c.changed {
		return doc, nil, false
	}
	return c.out, gone(c.dropped, c.out), true
}

// gone are elements that are nothing without an address.
var goneTags = texts.Words("meta link base source track area embed frame param img image use")

// goneWhole are elements that go with what they contain.
var goneWhole = texts.Words("script style iframe noframes noembed xmp")

// linkTags are elements whose text says where they lead.
var linkTags = texts.Words("a option button span label summary object video audio")

// voidTags have no end tag.
var voidTags = texts.Words("area base br col embed frame hr img image input link meta param source track wbr")

// urlAttrs are attributes that hold an address.
var urlAttrs = texts.Words("href src action formaction cite poster data background longdesc manifest ping xlink:href codebase archive")

// cleaning is one document that is read.
type cleaning struct {
	site *Site
	z    *html.Tokenizer
	base *weburl.Base // nil when it is not on the site

	inner   bool // it is what a noscript element contains
	out     []byte
	dropped []byte // texts that went
	changed bool

	whole string // element that goes with what it contains, "" for none
	raw   string // element whose text is no markup, "" for none
	link  string // element whose texts go, "" for none
	depth int    // of open elements in it
}

// baseOf returns what relative addresses of a document begin with, if that is on the site.
func (c *cleaning) baseOf(url string, doc []byte) *weburl.Base {
	base, err := weburl.NewBase(url)
	if err != nil {
		if base, err = weburl.NewBase("http://unknown.invalid/"); err != nil {
			return nil
		}
	}
	for z := html.NewTokenizer(bytes.NewReader(doc)); ; {
		switch z.Next() {
		case html.ErrorToken:
			return nil
		case html.StartTagToken, html.SelfClosingTagToken:
			if t := z.Token(); t.Data == "base" {
				for _, a := range t.Attr {
					if a.Key == "href" {
						base = base.With(a.Val)
						if to, err := base.Resolve("."); err == nil && c.site.On(to) {
							return base
						}
						return nil
					}
				}
			}
		}
	}
}

func (c *cleaning) step() bool {
	kind := c.z.Next()
	raw := bytes.Clone(c.z.Raw()) // reading a token's parts changes them
	switch kind {
	case html.ErrorToken:
		c.out = append(c.out, raw...)
		return false
	case html.TextToken:
		c.text(raw)
	case html.CommentToken, html.DoctypeToken:
		if c.whole == "" && !c.site.Names(string(raw)) {
			c.out = append(c.out, raw...)
		} else {
			c.drop(raw)
		}
	case html.StartTagToken, html.SelfClosingTagToken:
		c.start(raw, c.z.Token())
	case html.EndTagToken:
		name, _ := c.z.TagName()
		c.end(raw, string(name))
	}
	return true
}

func (c *cleaning) drop(text []byte) {
	c.changed = true
	c.dropped = append(append(c.dropped, ' '), text...)
}

func (c *cleaning) text(raw []byte) {
	switch {
	case c.whole != "":
		c.drop(raw)
	case c.link != "":
		c.drop(raw)
		c.out = append(c.out, ' ')
	case c.raw == "noscript" && !c.inner: // its text is markup
		in := &cleaning{site: c.site, z: html.NewTokenizer(bytes.NewReader(raw)), base: c.base, inner: true}
		for in.step() {
		}
		c.out, c.dropped = append(c.out, in.out...), append(c.dropped, in.dropped...)
		c.changed = c.changed || in.changed
	case goneWhole[c.raw]:
		if c.site.Names(string(raw)) {
			c.drop(raw)
		} else {
			c.out = append(c.out, raw...)
		}
	default:
		clean, changed := c.site.Text(raw)
		if c.out = append(c.out, clean...); changed {
			c.changed = true
			c.dropped = append(append(c.dropped, ' '), raw...)
		}
	}
}

func (c *cleaning) start(raw []byte, t html.Token) {
	if c.whole != "" {
		c.drop(raw)
		return
	}
	name := t.Data
	if c.link == name && (name == "a" || name == "option") { // one ends where the next one begins
		c.link = ""
	}
	open := t.Type == html.StartTagToken && !voidTags[name]
	c.raw = ""
	if open {
		c.raw = name
	}
	names := c.names(t.Attr)
	switch {
	case c.link != "":
		if open {
			c.depth++
		}
		c.dropAttrs(t.Attr)
		if names && goneWhole[name] && open {
			c.whole = name
			c.depth--
		} else if !goneTags[name] {
			c.out = append(append(append(c.out, '<'), name...), '>')
		}
		c.changed = true
	case !names:
		c.out = append(c.out, raw...)
	case goneTags[name]:
		c.dropAttrs(t.Attr)
	case goneWhole[name]:
		if c.dropAttrs(t.Attr); open {
			c.whole = name
		}
	default:
		c.dropAttrs(t.Attr)
		c.out = append(append(append(c.out, '<'), name...), '>')
		if open && linkTags[name] {
			c.link, c.depth = name, 0
		}
	}
}

func (c *cleaning) dropAttrs(all []html.Attribute) {
	c.changed = true
	for _, a := range all {
		c.dropped = append(append(c.dropped, ' '), a.Val...)
	}
}

func (c *cleaning) end(raw []byte, name string) {
	c.raw = ""
	switch {
	case c.whole == name:
		c.whole = ""
		return
	case c.whole != "":
		c.drop(raw)
		return
	case c.link == "":
	case c.depth == 0 || c.link == "a" && name == "a": // its own end, or that of an element around it
		c.link = ""
	default:
		c.depth--
	}
	c.out = append(c.out, raw...)
}

func (c *cleaning) names(all []html.Attribute) bool {
	for _, a := range all {
		if c.site.Names(a.Val) || c.site.Names(a.Key) {
			return true
		}
		if !urlAttrs[a.Key] {
			continue
		}
		if to, err := weburl.Resolve("http://unknown.invalid/", a.Val); err == nil && c.site.On(to) {
			return true
		}
		if c.base != nil {
			if to, err := c.base.Resolve(a.Val); err == nil && c.site.On(to) {
				return true
			}
		}
	}
	return false
}
