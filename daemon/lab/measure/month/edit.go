package month

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
	"nightjar/crawler/weburl"
)

// edit writes a page as it is in a night. A page that cannot be parsed has no links and stays as it is.
func (c *changing) edit(ctx context.Context, r fetch.Response, night int) []byte {
	root, err := html.Parse(bytes.NewReader(r.Body))
	if err != nil {
		return r.Body
	}
	c.editLinks(root, r, night)
	if w, ok := c.rewritten[r.FinalURL]; ok && w.night <= night {
		if other, err := html.Parse(bytes.NewReader(c.replay.Fetch(ctx, w.from).Body)); err == nil {
			rewriteHalf(root, other)
		}
	}
	if c.restless[r.FinalURL] {
		stir(root, night)
	}
	var out bytes.Buffer
	if err := html.Render(&out, root); err != nil {
		return r.Body
	}
	return out.Bytes()
}

// editLinks takes out the links to pages that have not appeared, and adds those to second addresses.
func (c *changing) editLinks(root *html.Node, r fetch.Response, night int) {
	base, err := weburl.NewBase(r.FinalURL)
	if err != nil {
		return
	}
	base.Encode(r.Source().Queries(r.Body))
	based := false
	var links []*html.Node
	for n := range root.Descendants() {
		if href := attribute(n, "href"); n.DataAtom == atom.Base && href != nil && !based {
			base, based = base.With(strings.TrimSpace(href.Val)), true
		}
		if reference(n) != "" {
			links = append(links, n)
		}
	}
	for _, n := range links {
		u, err := base.Resolve(reference(n))
		if err != nil {
			continue
		}
		to := c.addresses[weburl.Document(u)]
		second, copied := c.copies[to]
		switch {
		case to == r.FinalURL: // a page's links to itself lead nowhere
		case c.appears[to] > night:
			n.Parent.RemoveChild(n)
		case copied && night >= second.night && n.DataAtom != atom.Meta:
			if !second.moves {
				n = doubled(n)
			}
			attribute(n, key(n)).Val = second.url
		}
	}
}

// doubled puts the same link after a link, with its text.
func doubled(n *html.Node) *html.Node {
	again := &html.Node{Type: html.ElementNode, Data: n.Data, DataAtom: n.DataAtom, Attr: slices.Clone(n.Attr)}
	if s := text(n); s != "" {
		again.AppendChild(&html.Node{Type: html.TextNode, Data: s})
	}
	n.Parent.InsertBefore(again, n.NextSibling)
	return again
}

// key is the attribute that holds the address of a link, "" for elements that are none.
func key(n *html.Node) string {
	switch n.DataAtom {
	case atom.A, atom.Area:
		return "href"
	case atom.Frame, atom.Iframe:
		return "src"
	case atom.Meta:
		return "content"
	}
	return ""
}

// reference is the address in an element that a crawl may follow, "" without one.
func reference(n *html.Node) string {
	a := attribute(n, key(n))
	if a == nil {
		return ""
	}
	value := a.Val
	if n.DataAtom == atom.Meta { // of a refresh; no other content is the address of a page
		_, value, _ = strings.Cut(value, "=")
		value = strings.Trim(value, "'\" \t\r\n")
	}
	if ref, ok := page.Reference(value); ok {
		return ref
	}
	return ""
}

func attribute(n *html.Node, key string) *html.Attribute {
	for i := range n.Attr {
		if n.Attr[i].Key == key && n.Attr[i].Namespace == "" {
			return &n.Attr[i]
		}
	}
	return nil
}

// text is the text below a node.
func text(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// prose lists the nodes with text that is not that of a link.
func prose(n *html.Node) (all []*html.Node) {
	switch n.DataAtom {
	case atom.A, atom.Script, atom.Style, atom.Title, atom.Noscript:
		return nil
	}
	if n.Type == html.TextNode && strings.TrimSpace(n.Data) != "" {
		return []*html.Node{n}
	}
	for child := range n.ChildNodes() {
		all = append(all, prose(child)...)
	}
	return all
}

// rewriteHalf replaces the second half of a page's words, those of links excepted, by as many of another page.
func rewriteHalf(root, other *html.Node) {
	var words []string
	for _, n := range prose(other) {
		words = append(words, strings.Fields(n.Data)...)
	}
	nodes, all := prose(root), 0
	for _, n := range nodes {
		all += len(strings.Fields(n.Data))
	}
	at, next := 0, 0
	for _, n := range nodes {
		own := strings.Fields(n.Data)
		for i := range own {
			if at++; 2*at > all && len(words) > 0 {
				own[i] = words[next%len(words)]
				next++
			}
		}
		n.Data = " " + strings.Join(own, " ") + " "
	}
}

// stir changes a page as many do every day without saying anything: it sets a date and a counter, and swaps two links.
func stir(root *html.Node, night int) {
	var links []*html.Node
	body := root
	for n := range root.Descendants() {
		switch {
		case n.DataAtom == atom.Body:
			body = n
		case n.DataAtom == atom.A && reference(n) != "":
			links = append(links, n)
		}
	}
	if len(links) > 1 {
		i := night % (len(links) - 1)
		swap(links[i], links[i+1])
	}
	line := &html.Node{Type: html.ElementNode, Data: "p", DataAtom: atom.P}
	line.AppendChild(&html.Node{Type: html.TextNode, Data: fmt.Sprintf("%s. You are visitor number %d.",
		begin.AddDate(0, 0, night-1).Format("Monday, 2 January 2006"), 10_000+137*night)})
	body.AppendChild(line)
}

// begin is the time of the first night.
var begin = time.Date(2030, time.January, 1, 1, 0, 0, 0, time.UTC)

// swap swaps two links, unless one is in the other.
func swap(a, b *html.Node) {
	for n := range b.Ancestors() {
		if n == a {
			return
		}
	}
	inA, inB := slices.Collect(a.ChildNodes()), slices.Collect(b.ChildNodes())
	a.Attr, b.Attr = b.Attr, a.Attr
	for _, n := range inA {
		a.RemoveChild(n)
		b.AppendChild(n)
	}
	for _, n := range inB {
		b.RemoveChild(n)
		a.AppendChild(n)
	}
}
