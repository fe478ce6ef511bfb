package explore

import (
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"

	"nightjar/daemon/thesus/ontology"
)

// Names in N-Triples.
const (
	typeOf    = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
	skos      = "http://www.w3.org/2004/02/skos/core#"
	dcterms   = "http://purl.org/dc/terms/"
	ownNames  = "urn:nightjar:explore:" // about, concept, weight, says, word, pages, and groups and words by their names
	exactness = 6                       // digits of a weight
)

// triples writes N-Triples: pages with titles (dcterms:title) and concepts (dcterms:subject), clusters as collections of SKOS, and
// weights and words in nodes of their own:
//
//	<page> <urn:nightjar:explore:about> _:a .  _:a <…:concept> <concept> .  _:a <…:weight> "0.83"^^xsd:decimal .
//	<page> <urn:nightjar:explore:says> _:b .   _:b <…:word> "flute" .       _:b <…:pages> "12"^^xsd:integer .
func (e exported) triples(w io.Writer) error {
	out := &ontology.Triples{To: w}
	named := map[string]bool{}
	for i, p := range e.Pages {
		page := address(p.URL)
		out.Put(page, ontology.IRI(dcterms+"title"), ontology.Literal(p.Title, ""))
		for _, c := range p.Concepts {
			concept := ontology.IRI(e.conceptAddress(c.Key))
			if !named[c.Key] {
				named[c.Key] = true
				out.Put(concept, typeOf, ontology.IRI(skos+"Concept"))
				out.Put(concept, ontology.IRI(skos+"prefLabel"), ontology.Literal(c.Name, ""))
			}
			out.Put(page, ontology.IRI(dcterms+"subject"), concept)
			node := out.Node()
			out.Put(page, ontology.IRI(ownNames+"about"), node)
			out.Put(node, ontology.IRI(ownNames+"concept"), concept)
			out.Put(node, ontology.IRI(ownNames+"weight"), ontology.Literal(strconv.FormatFloat(c.Weight, 'f', exactness, 64), "decimal"))
		}
		for _, word := range e.said[i].Words {
			node := out.Node()
			out.Put(page, ontology.IRI(ownNames+"says"), node)
			out.Put(node, ontology.IRI(ownNames+"word"), ontology.Literal(word.Word, ""))
			out.Put(node, ontology.IRI(ownNames+"pages"), ontology.Literal(strconv.Itoa(word.N), "integer"))
		}
	}
	for c, one := range e.shown() {
		group := ontology.IRI(fmt.Sprintf("%sgroup:%d", ownNames, c+1))
		out.Put(group, typeOf, ontology.IRI(skos+"Collection"))
		out.Put(group, ontology.IRI(skos+"prefLabel"), ontology.Literal(one.Label, ""))
		for _, p := range one.Pages {
			out.Put(group, ontology.IRI(skos+"member"), address(e.Pages[p].URL))
		}
	}
	return out.Err
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
	return ontology.IRI(b.String())
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }
