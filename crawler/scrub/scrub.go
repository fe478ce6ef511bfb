package scrub

import (
	"bytes"
	"slices"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"nightjar/crawler/texts"
)

// HTML returns a page without what must not be stored. The result has at most max bytes: the rest is left out when what
// stands in place of secrets makes the page longer; cut says so. A page with nothing to take out is returned as it is,
// without a copy. HTML(HTML(doc)) = HTML(doc), and the result is valid UTF-8 if doc is. doc is not changed.
func HTML(doc []byte, max int) (clean []byte, cut bool) {
	s := &scrubber{max: max}
	return s.clean(doc)
}

func (s *scrubber) clean(doc []byte) (clean []byte, cut bool) {
	s.doc, s.z, s.count = doc, html.NewTokenizer(bytes.NewReader(doc)), map[string]int{}
	for s.step() {
	}
	if s.out == nil && s.copied == len(doc) {
		return doc, false
	}
	s.flush(s.copied)
	return s.out, s.cut
}

// scrubber is one document that is read. doc[kept:copied] is to be copied as it is; out holds what comes before.
type scrubber struct {
	doc  []byte
	z    *html.Tokenizer
	at   int // where the next token begins
	out  []byte
	kept int
	// copied is the end of the last unchanged token.
	copied int
	max    int
	cut    bool

	open   []string       // names of open elements
	count  map[string]int // of each name in open
	hidden int            // number of open elements around and with the one whose content goes, 0 for none
	raw    string         // the element whose text comes next, "" after an end tag
	inner  bool           // it is what an element of frames contains
}

// emptied are the elements that lose their content.
var emptied = texts.Words("script noscript template textarea select datalist option output svg")

// void are the elements without an end tag.
var void = texts.Words("area base br col embed frame hr img input link meta param source track wbr")

// step reads one token, and reports whether there may be another one.
func (s *scrubber) step() bool {
	kind := s.z.Next()
	from := s.at
	s.at += len(s.z.Raw())
	raw := s.doc[from:s.at]
	if kind == html.ErrorToken { // the end, or a tag without its end
		return false
	}
	switch kind {
	case html.TextToken:
		return s.text(raw)
	case html.CommentToken:
		return s.comment(raw)
	case html.StartTagToken, html.SelfClosingTagToken:
		name, _ := s.z.TagName()
		return s.start(raw, atom.String(name), kind == html.SelfClosingTagToken)
	case html.EndTagToken:
		name, _ := s.z.TagName()
		return s.end(raw, atom.String(name))
	}
	return s.keep(raw)
}

// keep leaves the token that was read unchanged.
func (s *scrubber) keep(raw []byte) bool {
	if s.hidden > 0 {
		return true
	}
	if len(s.out)+s.copied-s.kept+len(raw) > s.max {
		s.cut = true
		return false
	}
	if begin := s.at - len(raw); begin != s.copied {
		s.flush(begin)
	}
	s.copied = s.at
	return true
}

// put writes text in place of the token that was read.
func (s *scrubber) put(text []byte) bool {
	if s.hidden > 0 {
		return true
	}
	if len(s.out)+s.copied-s.kept+len(text) > s.max {
		s.cut = true
		return false
	}
	s.flush(s.at)
	s.out = append(s.out, text...)
	return true
}

// flush copies what stays, and goes on at a place of the document.
func (s *scrubber) flush(at int) {
	if s.out == nil {
		s.out = make([]byte, 0, min(len(s.doc), s.max))
	}
	s.out = append(s.out, s.doc[s.kept:s.copied]...)
	s.kept, s.copied = at, at
}

func (s *scrubber) text(raw []byte) bool {
	switch s.raw {
	case "style":
		if clean := css(raw); clean != nil {
			return s.put(clean)
		}
	case "iframe", "noembed", "noframes": // their text is markup
		var clean []byte
		if !s.inner {
			in := &scrubber{inner: true, max: s.max}
			clean, _ = in.clean(raw)
		}
		if !bytes.Equal(clean, raw) {
			return s.put(clean)
		}
	}
	return s.keep(raw)
}

// comment empties a comment. It stays in its place: without it, what stands around it could become a tag.
func (s *scrubber) comment(raw []byte) bool {
	const empty = "<!---->"
	if string(raw) == empty {
		return s.keep(raw)
	}
	return s.put([]byte(empty))
}

func (s *scrubber) start(raw []byte, name string, closed bool) bool {
	s.raw = name
	if s.hidden == 0 {
		clean, typed := tag(raw, name, closed)
		if clean == nil && !s.keep(raw) || clean != nil && !s.put(clean) {
			return false
		}
		if !void[name] && (typed || emptied[name]) && (!closed || name != "svg") {
			s.hidden = len(s.open) + 1
		}
	}
	if !void[name] && (!closed || s.hidden == 0) {
		s.open = append(s.open, name)
		s.count[name]++
	}
	return true
}

// end closes elements up to the one of the name, if it is open.
func (s *scrubber) end(raw []byte, name string) bool {
	s.raw = ""
	for s.count[name] > 0 {
		last := len(s.open) - 1
		top := s.open[last]
		s.open = s.open[:last]
		s.count[top]--
		if top == name {
			break
		}
	}
	if len(s.open) < s.hidden {
		s.hidden = 0
	}
	if written, rest := nameOf(raw[1:]); len(bytes.TrimSpace(rest)) > 0 { // it has attributes
		return s.put(slices.Concat([]byte("</"), written, []byte(">")))
	}
	return s.keep(raw)
}
