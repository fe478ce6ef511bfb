package contentbench

import (
	"bytes"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// label says which element of a recorded page holds its content.
type label struct {
	content []string // selectors; the first that matches exactly one element counts
	without string   // selector of elements inside it that are not content
}

// byElement labels a page by its only article, otherwise by its only main element.
var byElement = label{content: []string{"article", "main"}}

// sites are documentation sites whose generator marks the content, but not with a main or article element. The pages of
// www.postfix.org and www.sqlite.org mark nothing and are left out.
var sites = []struct {
	host  string
	label label
}{
	{"docs.djangoproject.com", label{content: []string{"#yui-main"}}},
	{"git-scm.com", label{content: []string{"#content"}}},
	{"httpd.apache.org", label{content: []string{"#page-content"}}},
	{"www.exim.org", label{content: []string{"#content"}}},
	{"www.postgresql.org", label{content: []string{"body"}, without: ".navheader, .navfooter"}},
}

// find returns the labelled element, nil without one.
func (l label) find(doc *goquery.Document) *goquery.Selection {
	for _, selector := range l.content {
		if s := doc.Find(selector); s.Length() == 1 {
			return s
		}
	}
	return nil
}

// text is the text of the labelled element, "" without one.
func (l label) text(source []byte) string {
	doc, err := goquery.NewDocumentFromReader(bytes.NewReader(source))
	if err != nil {
		return ""
	}
	s := l.find(doc)
	if s == nil {
		return ""
	}
	if l.without != "" {
		s.Find(l.without).Remove()
	}
	return text(s.Nodes[0])
}

// hide removes from a page what marks its content: main and article become div, their roles are removed, and so are id
// and class of the labelled element.
func (l label) hide(source []byte) ([]byte, error) {
	doc, err := goquery.NewDocumentFromReader(bytes.NewReader(source))
	if err != nil {
		return nil, err
	}
	if s := l.find(doc); s != nil {
		s.RemoveAttr("id").RemoveAttr("class")
	}
	doc.Find("[role=main], [role=article]").RemoveAttr("role")
	doc.Find("[itemprop=articleBody]").RemoveAttr("itemprop")
	for _, n := range doc.Find("main, article").Nodes {
		n.Data, n.DataAtom = "div", atom.Div
	}
	hidden, err := doc.Html()
	return []byte(hidden), err
}

// unseen are elements that show no text, or that the document marks as navigation.
const unseen = "script style noscript template svg select textarea nav"

// inline are elements that do not separate words.
const inline = "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q rb ruby s samp small " +
	"span strike strong sub sup time tt u var wbr"

// textOf is the text of a page or part of one.
func textOf(source string) string {
	root, err := html.Parse(strings.NewReader(source))
	if err != nil {
		return ""
	}
	return text(root)
}

// text is the text of a tree, with white space where an element separates words. It ignores style sheets.
func text(root *html.Node) string {
	var b strings.Builder
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
			return
		}
		if n.Type == html.ElementNode && isOneOf(unseen, n.Data) {
			return
		}
		separates := n.Type != html.ElementNode || !isOneOf(inline, n.Data)
		if separates {
			b.WriteByte('\n')
		}
		for c := range n.ChildNodes() {
			walk(c)
		}
		if separates {
			b.WriteByte('\n')
		}
	}
	walk(root)
	return b.String()
}

func isOneOf(list, word string) bool { return strings.Contains(" "+list+" ", " "+word+" ") }
