package explore

import (
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"

	"nightjar/daemon/ontology"
)

// Names in N-Triples.
const (
	typeOf    = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
	skos      = "http://www.w3.org/2004/02/skos/core#"
	dcterms   = "http://purl.org/dc/terms/"
	xsd       = "http://www.w3.org/2001/XMLSchema#"
	ownNames  = "urn:nightjar:explore:" // about, concept, weight, says, word, pages, and groups and words by their names
	exactness = 6                       // digits of a weight
)

// triples writes N-Triples: pages with titles (dcterms:title) and concepts (dcterms:subject), clusters as collections of SKOS, and
// weights and words in nodes of their own:
//
//	<page> <urn:nightjar:explore:about> _:a .  _:a <…:concept> <concept> .  _:a <…:weight> "0.83"^^xsd:decimal .
//	<page> <urn:nightjar:explore:says> _:b .   _:b <…:word> "flute" .       _:b <…:pages> "12"^^xsd:integer .
func (e exported) triples(w io.Writer) error {
	out := &tripler{w: w}
	named := map[string]bool{}
	for i, p := range e.Pages {
		page := address(p.URL)
		out.put(page, iri(dcterms+"title"), literal(p.Title, ""))
		for _, c := range p.Concepts {
			concept := iri(e.conceptAddress(c.Key))
			if !named[c.Key] {
				named[c.Key] = true
				out.put(concept, typeOf, iri(skos+"Concept"))
				out.put(concept, iri(skos+"prefLabel"), literal(c.Name, ""))
			}
			out.put(page, iri(dcterms+"subject"), concept)
			node := out.node()
			out.put(page, iri(ownNames+"about"), node)
			out.put(node, iri(ownNames+"concept"), concept)
			out.put(node, iri(ownNames+"weight"), literal(strconv.FormatFloat(c.Weight, 'f', exactness, 64), "decimal"))
		}
		for _, word := range e.said[i].Words {
			node := out.node()
			out.put(page, iri(ownNames+"says"), node)
			out.put(node, iri(ownNames+"word"), literal(word.Word, ""))
			out.put(node, iri(ownNames+"pages"), literal(strconv.Itoa(word.N), "integer"))
		}
	}
	for c, one := range e.shown() {
		group := iri(fmt.Sprintf("%sgroup:%d", ownNames, c+1))
		out.put(group, typeOf, iri(skos+"Collection"))
		out.put(group, iri(skos+"prefLabel"), literal(one.Label, ""))
		for _, p := range one.Pages {
			out.put(group, iri(skos+"member"), address(e.Pages[p].URL))
		}
	}
	return out.err
}

// conceptAddress is the address of a concept.
func (e exported) conceptAddress(key string) string {
	switch e.Mode {
	case Terms:
		return ontology.Address(key)
	case Senses:
		return ontology.SenseAddress(key)
	}
	return ownNames + "word:" + url.PathEscape(key)
}

// tripler writes statements. Its first error stays.
type tripler struct {
	w     io.Writer
	nodes int
	err   error
}

func (t *tripler) put(subject, predicate, object string) {
	if t.err == nil {
		_, t.err = io.WriteString(t.w, subject+" "+predicate+" "+object+" .\n")
	}
}

// node is a new blank node.
func (t *tripler) node() string {
	t.nodes++
	return "_:n" + strconv.Itoa(t.nodes)
}

func iri(name string) string { return "<" + name + ">" }

// address is the address of a page as N-Triples write it: characters that may not be in one are escaped for the web.
func address(page string) string {
	var b strings.Builder
	for i, c := range []byte(page) {
		lone := c == '%' && !(i+2 < len(page) && isHex(page[i+1]) && isHex(page[i+2]))
		if lone || c <= ' ' || c >= 0x7f || strings.IndexByte("<>\"{}|^`\\", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return iri(b.String())
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }

// literal is a text as N-Triples write it, or a value of a type of XML Schema.
func literal(text, kind string) string {
	text = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`).Replace(strings.ToValidUTF8(text, "\uFFFD"))
	if kind != "" {
		return `"` + text + `"^^` + iri(xsd+kind)
	}
	return `"` + text + `"`
}
