package linktext

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/net/html"

	"nightjar/crawler/page"
	"nightjar/crawler/texts"
	"nightjar/crawler/weburl"
)

// maxFound is the number of links of the source that are read; links to the page itself are among them.
const maxFound = 2 * MaxLinks

// kept is the number of tokens before a link that can matter: each has at least one of the 100 characters.
const kept = window + 1

// scan reads the tokens of a document once. Nested anchors end each other, as in browsers, so that at most one link is open,
// and at most one waits for the text after it.
type scan struct {
	body   []byte
	pos    int     // where the current token begins
	before []token // the last tokens, at least those of the last 100 characters
	hidden bool    // the text that follows is that of a script, a style or the like

	open  *counting // words of the open link, nil without one
	room  int       // bytes of source that may be read for the open link
	after *counting // words of the last link while text after it is read
	left  int       // characters of the source that are still after it

	count   counting // of the last link
	found   []found
	last    int    // index of the last link that is no area
	base    string // of the first base element with an address
	hasBase bool
}

// found is a link as it stands in the source.
type found struct {
	href  string
	pos   int
	words []Word
}

// token is a piece of the source.
type token struct {
	from, to int
	kind     kind
}

type kind uint8

const (
	plain   kind = iota // text that is shown
	skipped             // a tag or comment that cuts nothing, or text that is not shown
	cut                 // a tag that ends what belongs to a link
)

func newScan(body []byte, v *vocabulary) *scan {
	return &scan{body: body, count: counting{vocabulary: v}}
}

// run reads the document.
func (s *scan) run() {
	z := html.NewTokenizer(bytes.NewReader(s.body))
	for len(s.found) < maxFound || s.open != nil || s.after != nil {
		kind := z.Next()
		if kind == html.ErrorToken {
			break
		}
		at := token{from: s.pos, to: s.pos + len(z.Raw()), kind: skipped}
		s.pos = at.to
		switch kind {
		case html.TextToken:
			if !s.hidden {
				at.kind = plain
			}
			s.text(at)
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			if cuts[string(name)] {
				at.kind = cut
			}
			s.follow(at)
			s.startTag(z, string(name), more, at)
		case html.EndTagToken:
			name, _ := z.TagName()
			if cuts[string(name)] {
				at.kind = cut
			}
			s.follow(at)
			if string(name) == "a" && s.open != nil {
				s.closeLink()
				s.after, s.left = &s.count, window
			}
			s.hidden = false
		default:
			s.follow(at)
		}
		s.remember(at)
	}
	s.closeLink()
	s.finish()
}

// remember keeps a token for the links that follow.
func (s *scan) remember(t token) {
	if len(s.before) == 4*kept {
		n := copy(s.before, s.before[len(s.before)-kept:])
		s.before = s.before[:n]
	}
	s.before = append(s.before, t)
}

// text reads a text in the open link or after the last one.
func (s *scan) text(t token) {
	if s.open != nil && t.kind == plain && s.room > 0 {
		to := t.from
		for to < t.to && to-t.from < s.room {
			_, size := utf8.DecodeRune(s.body[to:t.to])
			to += size
		}
		s.room -= to - t.from
		s.open.addSource(s.body[t.from:t.to], 0, to-t.from)
	}
	if s.after == nil {
		return
	}
	if size := s.spend(t); t.kind == plain {
		s.after.addSource(s.body[t.from:t.to], 0, size)
	}
	if s.left == 0 {
		s.finish()
	}
}

// follow reads a tag or comment after the last link.
func (s *scan) follow(t token) {
	if s.after == nil {
		return
	}
	if s.spend(t); t.kind == cut || s.left == 0 {
		s.finish()
	}
}

// spend takes the characters of a token from those after the last link. The result is the number of its bytes that are
// among them.
func (s *scan) spend(t token) (size int) {
	for t.from+size < t.to && s.left > 0 {
		_, n := utf8.DecodeRune(s.body[t.from+size : t.to])
		size += n
		s.left--
	}
	return size
}

// startTag reads the tags that matter besides where they stand.
func (s *scan) startTag(z *html.Tokenizer, name string, more bool, at token) {
	s.hidden = hides[name]
	switch name {
	case "a":
		s.closeLink()
		s.finish()
		if href, ok := page.Reference(attrs(z, more, "href")[0]); ok && len(href) <= weburl.MaxLength {
			s.openLink(href, at.from)
		}
	case "area":
		a := attrs(z, more, "href", "alt", "title")
		if href, ok := page.Reference(a[0]); ok && len(href) <= weburl.MaxLength && len(s.found) < maxFound {
			s.area(href, a[1], a[2], at.from)
		}
	case "img":
		if s.open != nil && s.room > 0 {
			alt := attrs(z, more, "alt")[0]
			alt = alt[:min(len(alt), s.room)]
			s.room -= len(alt)
			s.open.addText(alt)
		}
	case "base":
		if s.hasBase {
			return
		}
		for more {
			var key, value []byte
			if key, value, more = z.TagAttr(); string(key) == "href" {
				s.base, s.hasBase = string(bytes.Trim(value, " \t\n\f\r")), true
				return
			}
		}
	}
}

// attrs returns the first value of each attribute with one of the names, "" if absent.
func attrs(z *html.Tokenizer, more bool, names ...string) (values [3]string) {
	var seen [3]bool
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		for i, name := range names {
			if !seen[i] && string(key) == name {
				values[i], seen[i] = string(value), true
			}
		}
	}
	return values
}

// cuts are the elements whose tags end what belongs to a link, [THESUS] §5.2: "<a>, <li>, <tr>, <td> etc".
var cuts = texts.Words("a li ul ol dl dt dd tr td th table caption h1 h2 h3 h4 h5 h6 hr div section nav article header footer form")

// hides are the elements whose text is one token and is not shown as text of the page.
var hides = texts.Words("title script style noscript noframes noembed iframe textarea")
