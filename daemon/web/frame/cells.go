package frame

import (
	"bytes"
	"html"
	"strings"

	parser "golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// labelCells gives each td of a table the heading of its column as data-label: on telephones the style sheet shows each
// line of a table as a card, with a name before each value. Tables without a thead, heat maps and tables in tables stay as
// they are, and so does every other byte of the page.
func labelCells(page []byte) []byte {
	if !bytes.Contains(page, []byte("<thead")) {
		return page
	}
	var out bytes.Buffer
	out.Grow(len(page) + len(page)/16)
	var tables []*labelled
	z := parser.NewTokenizer(bytes.NewReader(page))
	for {
		kind := z.Next()
		if kind == parser.ErrorToken {
			out.Write(z.Raw()) // a tag that is not whole
			return out.Bytes()
		}
		raw := z.Raw()
		name, hasAttributes := z.TagName()
		tag := atom.Lookup(name)
		switch {
		case tag == atom.Table && kind == parser.StartTagToken:
			tables = append(tables, &labelled{skip: len(tables) > 0 || isHeat(z, hasAttributes)})
		case tag == atom.Table && kind == parser.EndTagToken && len(tables) > 0:
			tables = tables[:len(tables)-1]
		case len(tables) > 0:
			raw = tables[len(tables)-1].next(kind, tag, raw)
		}
		out.Write(raw)
	}
}

// labelled is a table that is being read.
type labelled struct {
	skip     bool // it gets no labels
	head     bool // inside of thead
	headings []string
	column   int // of the next cell
}

// next takes the next piece of the table and returns the output for it.
func (t *labelled) next(kind parser.TokenType, tag atom.Atom, raw []byte) []byte {
	switch kind {
	case parser.TextToken:
		if t.head && len(t.headings) > 0 {
			t.headings[len(t.headings)-1] += html.UnescapeString(string(raw))
		}
	case parser.EndTagToken:
		if tag == atom.Thead {
			t.head = false
		}
	case parser.StartTagToken:
		switch tag {
		case atom.Thead:
			t.head = true
		case atom.Tr:
			t.column = 0
		case atom.Th, atom.Td:
			if t.head {
				t.headings = append(t.headings, "")
				break
			}
			raw = t.label(tag, raw)
			t.column++
		}
	}
	return raw
}

// label adds the heading of the column to the start tag of a cell.
func (t *labelled) label(tag atom.Atom, raw []byte) []byte {
	if t.skip || tag != atom.Td || t.column >= len(t.headings) {
		return raw
	}
	heading := strings.Join(strings.Fields(t.headings[t.column]), " ")
	return append(bytes.TrimSuffix(bytes.Clone(raw), []byte(">")), ` data-label="`+html.EscapeString(heading)+`">`...)
}

// isHeat reports whether the table of the current tag is a heat map, whose columns must stay side by side.
func isHeat(z *parser.Tokenizer, more bool) bool {
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		if string(key) == "class" && bytes.Contains(value, []byte("heat")) {
			return true
		}
	}
	return false
}
