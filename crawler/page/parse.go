package page

import (
	"fmt"
	"strings"

	"golang.org/x/net/html"

	"nightjar/crawler/charset"
	"nightjar/crawler/texts"
	"nightjar/crawler/weburl"
)

// Parse parses the HTML document at url. contentType is that of the answer; its charset takes precedence over what the
// document declares, so pass ContentUTF8 for a body that is already UTF-8. Any bytes give a page; the only errors are those
// of weburl.Canonical for url.
//
// Text holds what a reader would call the content: headings, running text, lists, tables, alt texts. Left out are what
// is not shown (see reader.isHidden for what is recognised) and what is navigation or furniture of the site (see
// reader.contents). Links, Frames and the rest are complete, whatever is left out of the text.
func Parse(url, contentType string, body []byte) (*Page, error) {
	src, body := SourceOf(url, contentType, body)
	return ParseFrom(src, body)
}

// ParseFrom is Parse for a document in UTF-8 about which more is known.
func ParseFrom(src Source, body []byte) (*Page, error) {
	canonical, err := weburl.Canonical(src.URL)
	if err != nil {
		return nil, fmt.Errorf("parse page: %w", err)
	}
	body = charset.UTF8(ContentUTF8, body)
	p := &Page{URL: canonical}
	root, whole := tree(body)
	p.TextOnly = !whole
	where := findLinkPlaces(root)
	e := &where.elements
	base, err := e.base(canonical, src.Queries(body))
	if err != nil {
		return nil, fmt.Errorf("parse page: %w", err)
	}
	rules := readSheet(e.styles)
	p.Language = e.language
	p.Title = e.name()
	p.readMeta(e, base)
	p.readLinks(where, base, rules, src.Refresh)
	p.readFrames(e.frames, base)
	p.PasswordField = e.password
	p.Text, p.Letters = readText(root, rules, texts.Cut(foldLine(e.title), MaxTitle), e.descriptions)
	p.Scripts, p.Shell = e.scripts, e.shell
	return p, nil
}

// readMeta reads the metadata of the document: rel=canonical and robots.
func (p *Page) readMeta(e *elements, base *weburl.Base) {
	for _, href := range e.canonicals {
		if p.Canonical, _ = base.Resolve(trimURL(href)); p.Canonical != "" {
			break
		}
	}
	for _, content := range e.robots {
		noIndex, noFollow := RobotsTag(content)
		p.NoIndex = p.NoIndex || noIndex
		p.NoFollow = p.NoFollow || noFollow
		p.Until = earlier(p.Until, Unavailable(content))
	}
}

// RobotsTag parses the directives of a robots meta element or X-Robots-Tag header.
func RobotsTag(content string) (noIndex, noFollow bool) {
	for word := range strings.FieldsFuncSeq(strings.ToLower(content), func(r rune) bool { return r == ',' || r <= ' ' }) {
		noIndex = noIndex || word == "noindex" || word == "none"
		noFollow = noFollow || word == "nofollow" || word == "none"
	}
	return noIndex, noFollow
}

// readFrames lists the child documents of the page.
func (p *Page) readFrames(frames []*html.Node, base *weburl.Base) {
	for _, n := range frames {
		src := trimURL(attr(n, "src"))
		if src == "" {
			continue
		}
		if u, err := base.Resolve(src); err == nil && u != p.URL {
			p.Frames = append(p.Frames, Frame{URL: u, Kind: n.Data})
		}
		if len(p.Frames) == MaxFrames {
			return
		}
	}
}

// hasToken reports whether a space-separated attribute contains the word, in any case.
func hasToken(attr, word string) bool {
	for f := range strings.FieldsSeq(attr) {
		if strings.EqualFold(f, word) {
			return true
		}
	}
	return false
}

func trimURL(s string) string { return strings.Trim(s, " \t\n\f\r") }
