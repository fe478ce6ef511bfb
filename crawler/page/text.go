package page

import (
	"strings"
	"unicode/utf8"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/text/unicode/norm"
)

// unseen are elements whose content no reader sees as text of the page.
var unseen = atoms(atom.Head, atom.Title, atom.Script, atom.Style, atom.Noscript, atom.Noframes, atom.Noembed,
	atom.Template, atom.Iframe, atom.Object, atom.Svg, atom.Canvas, atom.Audio, atom.Video, atom.Select, atom.Datalist,
	atom.Textarea)

// inline are elements that do not part the words around them.
var inline = atoms(atom.A, atom.Abbr, atom.Acronym, atom.B, atom.Bdi, atom.Bdo, atom.Big, atom.Cite, atom.Code,
	atom.Data, atom.Del, atom.Dfn, atom.Em, atom.Font, atom.I, atom.Ins, atom.Kbd, atom.Label, atom.Mark, atom.Q,
	atom.S, atom.Samp, atom.Small, atom.Span, atom.Strike, atom.Strong, atom.Sub, atom.Sup, atom.Time, atom.Tt, atom.U,
	atom.Var, atom.Wbr)

func atoms(list ...atom.Atom) map[atom.Atom]bool {
	m := map[atom.Atom]bool{}
	for _, a := range list {
		m[a] = true
	}
	return m
}

// readText gathers title, meta description and visible text, a line each block, at most MaxText bytes.
func readText(doc *goquery.Document, title string) string {
	var b strings.Builder
	b.WriteString(title)
	doc.Find("meta[name][content]").Each(func(_ int, s *goquery.Selection) {
		if strings.EqualFold(strings.TrimSpace(s.AttrOr("name", "")), "description") {
			b.WriteString("\n" + unbroken.Replace(s.AttrOr("content", "")))
		}
	})
	for _, root := range doc.Nodes {
		b.WriteString("\n" + visibleText(root))
	}
	return clip(foldLines(b.String()), MaxText)
}

// unbroken makes line ends in the source the spaces that they are to a reader.
var unbroken = strings.NewReplacer("\n", " ", "\r", " ")

// visibleText is the text of a node as a reader sees it, alt texts included, blocks parted by line feeds.
func visibleText(n *html.Node) string {
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) { // the parser's limit on nesting bounds the recursion
		if b.Len() > 4*MaxText {
			return
		}
		switch n.Type {
		case html.TextNode:
			b.WriteString(unbroken.Replace(n.Data))
			return
		case html.ElementNode:
			if unseen[n.DataAtom] && n.Parent != nil || hidden(n) {
				return
			}
			if !inline[n.DataAtom] {
				b.WriteByte('\n')
				defer b.WriteByte('\n')
			}
			if alt := altText(n); alt != "" {
				b.WriteString(" " + unbroken.Replace(alt) + " ")
			}
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(n)
	return b.String()
}

// altText is the text that stands for a picture.
func altText(n *html.Node) string {
	switch {
	case n.DataAtom == atom.Img || n.DataAtom == atom.Area:
		return attr(n, "alt")
	case n.DataAtom == atom.Input && strings.EqualFold(attr(n, "type"), "image"):
		return attr(n, "alt")
	}
	return ""
}

// hidden reports whether an element says of itself that it is not shown. Style sheets are not read.
func hidden(n *html.Node) bool {
	for _, a := range n.Attr {
		switch a.Key {
		case "hidden":
			return !strings.EqualFold(a.Val, "until-found")
		case "style":
			style := strings.ToLower(strings.Join(strings.Fields(a.Val), ""))
			if strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden") {
				return true
			}
		}
	}
	return false
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// foldLine makes one line of s: white space folded, composed characters (NFC).
func foldLine(s string) string { return norm.NFC.String(strings.Join(strings.Fields(s), " ")) }

// foldLines folds white space inside each line and drops the empty lines.
func foldLines(s string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(s, "\n") {
		first := true
		for word := range strings.FieldsSeq(line) {
			switch {
			case !first:
				b.WriteByte(' ')
			case b.Len() > 0:
				b.WriteByte('\n')
			}
			b.WriteString(word)
			first = false
		}
	}
	return norm.NFC.String(b.String())
}

// clip cuts s to at most size bytes, between characters.
func clip(s string, size int) string {
	if len(s) <= size {
		return s
	}
	for size > 0 && !utf8.RuneStart(s[size]) {
		size--
	}
	return s[:size]
}
