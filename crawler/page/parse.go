package page

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/PuerkitoBio/goquery"
	whatwg "github.com/nlnwa/whatwg-url/url"
	"golang.org/x/net/html"
)

// Parse reads an HTML document found at url. contentType is the answer's header; its charset counts before what the
// document declares, so hand ContentUTF8 with a body that is UTF-8 already. Whatever the bytes are, the result is a
// page; the only errors are those of Canonical for url.
func Parse(url, contentType string, body []byte) (*Page, error) {
	canonical, err := Canonical(url)
	if err != nil {
		return nil, fmt.Errorf("parse page: %w", err)
	}
	body = UTF8(contentType, body)
	p := &Page{URL: canonical}
	root, err := html.Parse(bytes.NewReader(body))
	if err != nil {
		// The parser refuses documents nested deeper than 512 elements.
		root = flatten(body)
		p.TextOnly = true
	}
	doc := goquery.NewDocumentFromNode(root)
	base, err := baseOf(doc, canonical)
	if err != nil {
		return nil, fmt.Errorf("parse page: %w", err)
	}
	p.readMeta(doc, base)
	p.readLinks(doc, base)
	p.readFrames(doc, base)
	p.PasswordField = hasPassword(doc)
	p.Title = clip(foldLine(doc.Find("title").First().Text()), MaxTitle)
	p.Text = readText(doc, p.Title)
	return p, nil
}

// baseOf is what relative addresses of the document start from: the first base element that has an address.
func baseOf(doc *goquery.Document, url string) (*whatwg.Url, error) {
	own, err := parse(nil, url)
	if err != nil {
		return nil, err
	}
	if href, ok := doc.Find("base[href]").First().Attr("href"); ok {
		if u, err := parse(own, trimURL(href)); err == nil {
			return u, nil
		}
	}
	return own, nil
}

// readMeta reads what the document says of itself: rel=canonical, robots, and a refresh, which is a link.
func (p *Page) readMeta(doc *goquery.Document, base *whatwg.Url) {
	doc.Find("link[rel][href]").EachWithBreak(func(_ int, s *goquery.Selection) bool {
		if !hasToken(s.AttrOr("rel", ""), "canonical") {
			return true
		}
		p.Canonical, _ = resolve(base, trimURL(s.AttrOr("href", "")))
		return p.Canonical == ""
	})
	doc.Find("meta[name]").Each(func(_ int, s *goquery.Selection) {
		switch strings.ToLower(strings.TrimSpace(s.AttrOr("name", ""))) {
		case "robots", "nightjar":
			noIndex, noFollow := RobotsTag(s.AttrOr("content", ""))
			p.NoIndex = p.NoIndex || noIndex
			p.NoFollow = p.NoFollow || noFollow
		}
	})
}

// RobotsTag reads the words of a robots meta element or X-Robots-Tag header.
func RobotsTag(content string) (noIndex, noFollow bool) {
	for word := range strings.FieldsFuncSeq(strings.ToLower(content), func(r rune) bool { return r == ',' || r <= ' ' }) {
		noIndex = noIndex || word == "noindex" || word == "none"
		noFollow = noFollow || word == "nofollow" || word == "none"
	}
	return noIndex, noFollow
}

// readFrames lists the child documents of the page.
func (p *Page) readFrames(doc *goquery.Document, base *whatwg.Url) {
	doc.Find("frame[src], iframe[src]").EachWithBreak(func(_ int, s *goquery.Selection) bool {
		src := trimURL(s.AttrOr("src", ""))
		if src == "" {
			return true
		}
		if u, err := resolve(base, src); err == nil && u != p.URL {
			p.Frames = append(p.Frames, Frame{URL: u, Kind: goquery.NodeName(s)})
		}
		return len(p.Frames) < MaxFrames
	})
}

func hasPassword(doc *goquery.Document) bool {
	found := false
	doc.Find("input[type]").EachWithBreak(func(_ int, s *goquery.Selection) bool {
		found = strings.EqualFold(strings.TrimSpace(s.AttrOr("type", "")), "password")
		return !found
	})
	return found
}

// hasToken reports whether a space-separated attribute holds the word, in any case.
func hasToken(attr, word string) bool {
	for f := range strings.FieldsSeq(attr) {
		if strings.EqualFold(f, word) {
			return true
		}
	}
	return false
}

func trimURL(s string) string { return strings.Trim(s, " \t\n\f\r") }
