package page

import (
	"bytes"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxRoots limits start tags of html and body that have attributes: their number times the bytes of the document. The parser
// compares the attributes of each with those of all before it, which takes two hours for a hostile document of 4 MB, and about
// a second at this limit. Usual documents have two such tags; 4 MB may have 16.
const maxRoots = 1 << 26

// tree parses a document in UTF-8. whole is false for a flat tree: that of a document with elements nested deeper than 512, which
// the parser refuses, or over maxRoots.
func tree(body []byte) (root *html.Node, whole bool) {
	if !TooManyRoots(body) {
		if root, err := html.Parse(bytes.NewReader(body)); err == nil {
			return root, true
		}
	}
	return flatten(body), false
}

// TooManyRoots reports whether a document in UTF-8 repeats html and body tags with attributes so often that html.Parse would take
// too long for it.
func TooManyRoots(body []byte) bool { return roots(body)*len(body) > maxRoots }

// roots counts what may be a start tag of html or body with attributes.
func roots(body []byte) (n int) {
	for ok := true; ok; {
		if _, body, ok = bytes.Cut(body, []byte("<")); len(body) > 4 && body[4] != '>' && isRoot(body[:4]) {
			n++
		}
	}
	return n
}

func isRoot(name []byte) bool {
	return bytes.EqualFold(name, []byte("html")) || bytes.EqualFold(name, []byte("body"))
}

// rawText reports whether the tokenizer returns the content of an element as one text.
func rawText(element atom.Atom) bool {
	switch element {
	case atom.Title, atom.Script, atom.Style, atom.Noscript, atom.Noframes, atom.Noembed, atom.Iframe, atom.Textarea:
		return true
	}
	return false
}

// flatten reads a document that the tree parser refused token by token into a tree of three levels: elements in the
// order of their start tags, text inside those of them that give it a meaning. Parse reads it like any other tree;
// what only nesting tells (hidden parts) is lost.
func flatten(body []byte) *html.Node {
	root := &html.Node{Type: html.DocumentNode}
	z := html.NewTokenizer(bytes.NewReader(body))
	var open *html.Node // the one element that takes text: a link, a title, or one that hides its text
	for {
		switch z.Next() {
		case html.ErrorToken:
			return root
		case html.TextToken:
			into := root
			if open != nil {
				into = open
			}
			into.AppendChild(&html.Node{Type: html.TextNode, Data: string(z.Text())})
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			n := &html.Node{Type: html.ElementNode, Data: t.Data, DataAtom: t.DataAtom, Attr: t.Attr}
			switch {
			case open != nil && t.DataAtom != atom.A && !rawText(t.DataAtom):
				open.AppendChild(n) // a picture, a break or emphasis inside a link
			default:
				root.AppendChild(n)
				open = nil
				if t.DataAtom == atom.A || rawText(t.DataAtom) {
					open = n
				}
			}
		case html.EndTagToken:
			if name, _ := z.TagName(); open != nil && open.Data == string(name) {
				open = nil
			}
		}
	}
}
