package explore

import (
	"bytes"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"

	"nightjar/crawler/texts"
)

// Bounds of the text around a link.
const (
	sideText   = 80     // characters before a link's text, and after it
	mostAnchor = 300    // characters of a link's text
	sideSource = 4096   // bytes of source that are read before a link's tag
	mostSource = 16_384 // bytes that are read from it on
)

// hidden are the elements whose text is not shown as text of a page.
var hidden = texts.Words("script style title noscript noframes noembed iframe textarea template select")

// inline are the elements whose tags do not part words.
var inline = texts.Words("a abbr acronym b bdi bdo big cite code del em font i ins kbd mark q s small span strong sub sup tt u var wbr")

// around is the text around the link whose tag is at a byte of a page: some words before it, its own text with the alternative
// texts of its pictures, and some words after it. It is "" when there is no link at that byte. Any bytes give a text of
// bounded size.
func around(page []byte, pos int) string {
	if pos < 0 || pos >= len(page) {
		return ""
	}
	in, after, ok := fromLink(page[pos:min(len(page), pos+mostSource)])
	if !ok {
		return ""
	}
	before := textBefore(page[max(0, pos-sideSource):pos])
	return strings.TrimSpace(plain(end(before, sideText) + start(in, mostAnchor) + start(after, sideText)))
}

// piece is a text of a page, or a tag, for which text is what is shown in its place.
type piece struct {
	text string
	tag  string
	end  bool // an end tag
}

// pieces gives the pieces of a source that begins outside of tags.
func pieces(source []byte) iter.Seq[piece] {
	return func(yield func(piece) bool) {
		z := html.NewTokenizer(bytes.NewReader(source))
		for skip := ""; ; {
			kind := z.Next()
			var p piece
			switch kind {
			case html.ErrorToken:
				return
			case html.TextToken:
				p.text = string(z.Text())
			case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
				p = tagPiece(z, kind)
			default:
				continue
			}
			if skip != "" {
				if p.end && p.tag == skip {
					skip = ""
				}
				continue
			}
			if kind == html.StartTagToken && hidden[p.tag] {
				skip = p.tag
			}
			if !yield(p) {
				return
			}
		}
	}
}

// tagPiece is the tag that a tokenizer is at.
func tagPiece(z *html.Tokenizer, kind html.TokenType) piece {
	name, more := z.TagName()
	p := piece{tag: string(name), end: kind == html.EndTagToken}
	if !inline[p.tag] {
		p.text = " "
	}
	if p.tag == "img" || p.tag == "area" {
		for more {
			var key, value []byte
			if key, value, more = z.TagAttr(); string(key) == "alt" {
				p.text = " " + string(value) + " "
			}
		}
	}
	return p
}

// fromLink gives the text of the link that a source begins with, and the text after it. ok tells whether there is a link.
func fromLink(source []byte) (in, after string, ok bool) {
	const enough = 8 * mostAnchor // bytes
	var inside, behind strings.Builder
	part := &inside
	for p := range pieces(source) {
		switch {
		case !ok:
			if ok = !p.end && (p.tag == "a" || p.tag == "area"); !ok {
				return "", "", false
			}
			if p.tag == "area" {
				inside.WriteString(p.text)
				part = &behind
			}
			continue
		case part == &inside && p.tag == "a": // links do not contain each other
			part = &behind
		}
		if part.Len() < enough {
			part.WriteString(p.text)
		} else if part == &behind {
			break
		}
	}
	return inside.String(), behind.String(), ok
}

// textBefore is the text of a source that ends at a tag and may begin anywhere: in a tag, a comment or a script.
func textBefore(source []byte) string {
	if at := bytes.Index(source, []byte("-->")); at >= 0 && !bytes.Contains(source[:at], []byte("<!--")) {
		source = source[at+len("-->"):]
	}
	if end, tag := bytes.IndexByte(source, '>'), bytes.IndexByte(source, '<'); end >= 0 && (tag < 0 || end < tag) {
		source = source[end+1:]
	}
	for len(source) > 0 && !utf8.RuneStart(source[0]) {
		source = source[1:]
	}
	var b strings.Builder
	for p := range pieces(source) {
		if p.end && hidden[p.tag] {
			b.Reset() // its begin is not in the source, since pieces leaves out what is
		}
		b.WriteString(p.text)
	}
	return b.String()
}

// plain is a text with single spaces, also at its ends, and without what cannot be shown.
func plain(text string) string {
	var b strings.Builder
	space := false
	for _, r := range text {
		if unicode.IsSpace(r) || r == utf8.RuneError || !unicode.IsGraphic(r) {
			space = true
			continue
		}
		if space {
			b.WriteByte(' ')
		}
		space = false
		b.WriteRune(r)
	}
	if space {
		b.WriteByte(' ')
	}
	return b.String()
}

// start is at most n characters from the start of a text, cut between words where there are some.
func start(text string, n int) string {
	text = plain(text)
	all := []rune(text)
	if len(all) <= n {
		return text
	}
	kept := string(all[:n])
	if at := strings.LastIndexByte(kept, ' '); at > 0 {
		kept = kept[:at]
	}
	return kept + " … "
}

// end is at most n characters from the end of a text, cut between words where there are some.
func end(text string, n int) string {
	text = plain(text)
	all := []rune(text)
	if len(all) <= n {
		return text
	}
	kept := string(all[len(all)-n:])
	if at := strings.IndexByte(kept, ' '); at >= 0 && at < len(kept)-1 {
		kept = kept[at+1:]
	}
	return "… " + kept
}
