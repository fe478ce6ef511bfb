// Package htmltree parses HTML into the tree of golang.org/x/net/html, in about a third of the time and with little garbage.
//
// Parse reads the document itself as long as it meets only what the rules of the HTML standard handle without moving nodes:
// well-formed markup, missing and stray end tags, tables, lists, formatting that is left open, simple SVG. That is nearly all
// of the web. At anything else, such as text directly in a table or <b><p></b></p>, it starts over with the parser of
// x/net. So there is one definition of the right tree, and the tests compare with it.
//
// What makes it fast: names, attributes and text are parts of one copy of the document, and nodes come from memory that the
// next document uses again.
package htmltree

import (
	"bytes"
	"strings"
	"sync"

	"golang.org/x/net/html"
)

// Tree is a parsed document.
type Tree struct {
	Root *html.Node // of type html.DocumentNode
	own  *parser    // its memory, nil for a tree of x/net
}

// Parse parses a document in UTF-8. The tree is that of html.Parse, except that comments and the doctype are empty and that
// attributes of SVG elements keep their names in lower case. The only error is that of html.Parse for elements nested more
// than 512 deep.
//
// Strings of the tree are parts of a copy of the document: keep a clone of them, so that the document can be freed.
func Parse(body []byte) (Tree, error) {
	p := pool.Get().(*parser)
	if root, ok := p.parse(body); ok {
		return Tree{Root: root, own: p}, nil
	}
	p.free()
	root, err := html.Parse(bytes.NewReader(body))
	return Tree{Root: root}, err
}

// Free gives the memory of the tree to the next one. The nodes must not be used after it; strings may.
func (t Tree) Free() {
	if t.own != nil {
		t.own.free()
	}
}

var pool = sync.Pool{New: func() any { return new(parser) }}

// parser builds the tree of one document. Its fields are named as in the standard, section 13.2.4.
type parser struct {
	s string // the document
	i int    // the next byte of it

	root       *html.Node
	open       []*html.Node // stack of open elements
	formatting []*html.Node // list of active formatting elements, nil for a marker
	paragraphs int          // p elements among the open ones
	head, form *html.Node
	mode       mode
	before     mode   // the mode to return to after raw text
	doctype    string // as written, "" if absent
	joined     int    // bytes of text that were copied to join it
	gaveUp     bool   // the document needs the other parser

	nodes chunks[html.Node]
	attrs chunks[html.Attribute]
	tag   tag
}

// parse builds the tree; ok is false if the document needs the parser of x/net.
func (p *parser) parse(body []byte) (root *html.Node, ok bool) {
	if bytes.IndexByte(body, 0) >= 0 {
		return nil, false
	}
	p.s = withNewlines(body)
	p.root = p.nodes.one()
	p.root.Type = html.DocumentNode
	p.scan()
	p.finish()
	return p.root, !p.gaveUp
}

// withNewlines is the document with one kind of line break.
func withNewlines(body []byte) string {
	var b strings.Builder
	b.Grow(len(body))
	for {
		line, rest, ok := bytes.Cut(body, []byte("\r"))
		b.Write(line)
		if !ok {
			return b.String()
		}
		b.WriteByte('\n')
		body = bytes.TrimPrefix(rest, []byte("\n"))
	}
}

// free forgets the document and puts the parser back into the pool, without the memory for an unusually large one.
func (p *parser) free() {
	p.nodes.reset()
	p.attrs.reset()
	clear(p.open[:cap(p.open)])
	clear(p.formatting[:cap(p.formatting)])
	*p = parser{open: p.open[:0], formatting: p.formatting[:0], nodes: p.nodes, attrs: p.attrs}
	pool.Put(p)
}

// chunks hands out memory for values that stay where they are until reset.
type chunks[T any] struct {
	all  [][]T
	at   int // the chunk in use
	used int // values of it
}

const (
	chunkSize = 512
	maxChunks = 32 // that are kept for the next document
)

// one returns a zero value.
func (c *chunks[T]) one() *T { return &c.some(1)[0] }

// some returns n zero values in a row.
func (c *chunks[T]) some(n int) []T {
	for c.at < len(c.all) && c.used+n > len(c.all[c.at]) {
		c.at, c.used = c.at+1, 0
	}
	if c.at == len(c.all) {
		c.all = append(c.all, make([]T, max(n, chunkSize)))
	}
	c.used += n
	return c.all[c.at][c.used-n : c.used : c.used]
}

// reset takes all values back.
func (c *chunks[T]) reset() {
	c.all = c.all[:min(len(c.all), maxChunks)]
	for i := range c.all[:min(len(c.all), c.at+1)] {
		clear(c.all[i])
	}
	clear(c.all[len(c.all):cap(c.all)])
	c.at, c.used = 0, 0
}
