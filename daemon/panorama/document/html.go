package document

import (
	"bytes"
	"net/url"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"

	"nightjar/crawler/charset"
	"nightjar/crawler/page"
)

const (
	maxNodes = 200_000 // elements of a page; a deeper or larger one is hostile
	maxDeep  = 400     // levels of elements
)

// readHTML reads the metas of scientific publishers, else the headings and lists of a page.
func readHTML(d *Document, body []byte, base string) error {
	if len(body) > maxPage {
		return ErrLargePage
	}
	body = charset.UTF8("", body)
	if page.TooManyRoots(body) {
		return &Problem{"this page could not be read: it repeats its html and body tags too often", "save it again from the browser, or paste its titles, one a line"}
	}
	root, err := html.Parse(bytes.NewReader(body))
	if err != nil {
		return &Problem{"this page could not be read: " + err.Error(), "save it again from the browser, or paste its titles, one a line"}
	}
	doc := goquery.NewDocumentFromNode(root)
	doc.Find("script,style,noscript,template,svg").Remove()
	d.metas(doc)
	if d.Title == "" {
		d.Title = firstText(doc, "h1", "title")
	}
	if lang := doc.Find("html").AttrOr("lang", ""); len(lang) >= 2 {
		if l := strings.ToLower(lang[:2]); stopWords[l] != "" {
			d.Language = l
		}
	}
	if len(d.References) == 0 {
		at, _ := url.Parse(base) // nil leaves relative links out
		d.lists(root, at)
	}
	return nil
}

func firstText(doc *goquery.Document, selectors ...string) string {
	for _, s := range selectors {
		if t := Clean(doc.Find(s).First().Text()); t != "" {
			return t
		}
	}
	return ""
}

func (d *Document) metas(doc *goquery.Document) {
	doc.Find("meta[name]").EachWithBreak(func(i int, m *goquery.Selection) bool {
		value := Clean(m.AttrOr("content", ""))
		switch strings.ToLower(m.AttrOr("name", "")) {
		case "citation_title":
			d.Title = Clean(withoutMarkup(value)) // publishers escape tags once more
		case "citation_author":
			if value != "" && len(d.Authors) < 50 {
				d.Authors = append(d.Authors, value)
			}
		case "citation_doi":
			d.DOIs = appendNew(d.DOIs, findDOI(value))
		case "citation_reference":
			if r, ok := metaReference(m.AttrOr("content", "")); ok {
				d.References = append(d.References, r)
			}
		}
		return len(d.References) < MaxReferences && i < maxNodes
	})
}

// metaReference reads "citation_title=..; citation_author=..; ..", or an entry as it is printed.
func metaReference(s string) (Reference, bool) {
	if !strings.Contains(s, "citation_title=") {
		return parseEntry(Clean(s))
	}
	var r Reference
	for part := range strings.SplitSeq(s, ";") {
		key, value, _ := strings.Cut(part, "=")
		value = Clean(value)
		switch strings.TrimSpace(key) {
		case "citation_title":
			r.Title = Clean(withoutMarkup(value))
		case "citation_author":
			r.Authors = append(r.Authors, value)
		case "citation_doi":
			r.DOI = findDOI(value)
		case "citation_publication_date", "citation_year":
			r.Year = findYear(value)
		}
	}
	return r, r.Title != ""
}

// lists reads list items and paragraphs below a heading like "References" until the next heading of its level or above.
func (d *Document) lists(root *html.Node, base *url.URL) {
	inside, level, nodes := false, 0, 0
	var walk func(n *html.Node, deep int)
	walk = func(n *html.Node, deep int) {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if nodes++; nodes > maxNodes || deep > maxDeep {
				return
			}
			if c.Type != html.ElementNode {
				continue
			}
			h := headingLevel(c.Data)
			switch {
			case h > 0 && listHeading(textOf(c)):
				inside, level = true, h
			case h > 0 && inside && h <= level:
				inside = false
			case inside && (c.Data == "li" || c.Data == "p" || c.Data == "dd"):
				d.item(c, base)
				if c.Data != "li" || !has(c, "li") {
					continue
				}
			}
			walk(c, deep+1)
		}
	}
	walk(root, 0)
}

func headingLevel(tag string) int {
	if len(tag) == 2 && tag[0] == 'h' && tag[1] >= '1' && tag[1] <= '6' {
		return int(tag[1] - '0')
	}
	return 0
}

func listHeading(s string) bool {
	s = strings.TrimSuffix(onlyLetters(s), "edit") // wikis
	return isHeading(s) || s == "seealso" || s == "sieheauch" || s == "notesandreferences" || s == "einzelnachweise" ||
		s == "weblinks" || s == "voiraussi" || s == "sources" || s == "externallinks"
}

// item reads an item of a list: as an entry, else the words of its first link that are long enough.
func (d *Document) item(n *html.Node, base *url.URL) {
	if len(d.References) >= MaxReferences {
		return
	}
	link, words := firstLink(n, base)
	text := Clean(ownText(n))
	r, ok := parseEntry(text)
	// Without a year an item is no printed reference: its link has the title.
	if !ok || r.Year == 0 && words != "" {
		title := words
		if title == "" {
			title = text
		}
		if title = trimTitle(title); title == "" || countWords(title) > maxWords || words == "" && countWords(title) < minWords {
			return
		}
		r = Reference{Title: title, DOI: findDOI(text)}
	}
	if r.URL == "" {
		r.URL = link
	}
	if r.DOI == "" {
		r.DOI = findDOI(link)
	}
	d.References = append(d.References, r)
}

// firstLink returns the address and the words of the first link with words.
func firstLink(n *html.Node, base *url.URL) (address, words string) {
	goquery.NewDocumentFromNode(n).Find("a[href]").EachWithBreak(func(_ int, a *goquery.Selection) bool {
		href := strings.TrimSpace(a.AttrOr("href", ""))
		words = Clean(a.Text())
		if strings.HasPrefix(href, "#") || countWords(words) == 0 {
			words = ""
			return true
		}
		address = resolve(base, href)
		return false
	})
	return address, words
}

func resolve(base *url.URL, href string) string {
	u, err := url.Parse(href)
	if err != nil {
		return ""
	}
	if base != nil {
		u = base.ResolveReference(u)
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || len(href) > 2048 {
		return ""
	}
	return u.String()
}

// ownText is the text of an item without the lists inside it.
func ownText(n *html.Node) string { return collectText(n, true) }

func textOf(n *html.Node) string { return Clean(collectText(n, false)) }

func collectText(n *html.Node, own bool) string {
	var b strings.Builder
	var walk func(n *html.Node, deep int)
	walk = func(n *html.Node, deep int) {
		for c := n.FirstChild; c != nil && b.Len() < 8192 && deep < maxDeep; c = c.NextSibling {
			if c.Type == html.TextNode {
				b.WriteString(c.Data)
			} else if !own || c.Data != "ul" && c.Data != "ol" {
				walk(c, deep+1)
				if c.Data == "br" || c.Data == "div" || c.Data == "li" {
					b.WriteByte(' ')
				}
			}
		}
	}
	walk(n, 0)
	return b.String()
}

func has(n *html.Node, tag string) bool { return goquery.NewDocumentFromNode(n).Find(tag).Length() > 0 }
