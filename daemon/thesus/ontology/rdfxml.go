package ontology

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"strings"

	"nightjar/crawler/charset"
)

const (
	xmlNS       = "http://www.w3.org/XML/1998/namespace"
	maxEntities = 100
	maxEntity   = 300      // bytes of the value of an entity
	maxExpanded = 64 << 20 // bytes that the entities of a file take when they are replaced
)

// xmlReader reads RDF/XML: elements of nodes and elements of properties in turn.
type xmlReader struct {
	dec    *xml.Decoder
	data   []byte
	g      *graph
	blanks int
}

// scope is what elements hand down to those in them.
type scope struct {
	lang, base string
	depth      int
}

// readXML reads RDF/XML.
func readXML(data []byte, g *graph) error {
	r := &xmlReader{dec: xml.NewDecoder(bytes.NewReader(data)), data: data, g: g}
	r.dec.Entity = make(map[string]string)
	r.dec.CharsetReader = func(label string, in io.Reader) (io.Reader, error) {
		if !charset.Known(label) {
			return nil, fmt.Errorf("its encoding %.40q is not known", label)
		}
		return in, nil // Read has converted it
	}
	for {
		tok, err := r.dec.Token()
		switch {
		case errors.Is(err, io.EOF):
			return errors.New("line 1: there is no element rdf:RDF; save the ontology as RDF/XML")
		case err != nil:
			return r.broken(err)
		}
		switch tok := tok.(type) {
		case xml.Directive:
			if err := r.entities(string(tok)); err != nil {
				return err
			}
		case xml.StartElement:
			return r.root(tok)
		}
	}
}

// root reads the root element: rdf:RDF, or the only node.
func (r *xmlReader) root(e xml.StartElement) error {
	switch space := e.Name.Space; {
	case space+e.Name.Local == rdfNS+"RDF":
		s, err := r.within(e, scope{})
		if err != nil {
			return err
		}
		return r.nodes(s, func(string) {})
	case space == owlNS && e.Name.Local == "Ontology" && !hasAbout(e):
		return r.fault("this is OWL/XML; open it in Protégé and save it as Turtle or RDF/XML")
	case space == rdfNS, space == rdfsNS, space == owlNS, space == skosNS, hasAbout(e):
		_, err := r.node(e, scope{})
		return err
	}
	return r.fault("this is XML of another kind: the root element is %s, not rdf:RDF; export the terms as SKOS in RDF/XML or Turtle, "+
		"or write them as indented text", quoted(e.Name.Local))
}

// hasAbout reports whether an element names its node as RDF/XML does.
func hasAbout(e xml.StartElement) bool {
	for _, a := range e.Attr {
		if a.Name.Space == rdfNS && (a.Name.Local == "about" || a.Name.Local == "ID" || a.Name.Local == "nodeID") {
			return true
		}
	}
	return false
}

func (r *xmlReader) line() int {
	line, _ := r.dec.InputPos()
	return line
}

// fault is an error at the current position.
func (r *xmlReader) fault(format string, args ...any) error {
	line, column := r.dec.InputPos()
	return fmt.Errorf("line %d, column %d: %s", line, column, fmt.Sprintf(format, args...))
}

// broken is an error of the XML itself.
func (r *xmlReader) broken(err error) error {
	if syntax, ok := errors.AsType[*xml.SyntaxError](err); ok {
		return r.fault("this is not well-formed XML: %.200s; correct it there", syntax.Msg)
	}
	return r.fault("the XML cannot be read: %.200v; save it as UTF-8, or convert it to N-Triples", err)
}

var entityDefinition = regexp.MustCompile(`<!ENTITY\s+([^\s%&;]+)\s+(?:"([^"]*)"|'([^']*)')\s*>`)

// entities reads the entities of a DOCTYPE, with which many files shorten addresses. Entities in entities are refused, and
// so is what grows too much.
func (r *xmlReader) entities(directive string) error {
	longest := 0
	for i, m := range entityDefinition.FindAllStringSubmatch(directive, maxEntities+1) {
		text := m[2] + m[3]
		if i == maxEntities || len(text) > maxEntity || strings.Contains(text, "&") {
			return r.fault("the entity %s is too long, uses others, or is one of more than %d; write addresses in full", quoted(m[1]), maxEntities)
		}
		r.dec.Entity[m[1]] = text
		longest = max(longest, len(text))
	}
	if n := bytes.Count(r.data, []byte("&")); n*longest > maxExpanded {
		return r.fault("the file uses entities %d times; write addresses in full, or convert it to N-Triples", n)
	}
	return nil
}

// within is the scope inside an element.
func (r *xmlReader) within(e xml.StartElement, s scope) (scope, error) {
	if s.depth++; s.depth > maxDepth {
		return s, r.fault("elements are nested more than %d deep; convert the file to N-Triples", maxDepth)
	}
	for _, a := range e.Attr {
		if a.Name.Space == xmlNS && a.Name.Local == "lang" {
			s.lang = strings.ToLower(a.Value)
		}
		if a.Name.Space == xmlNS && a.Name.Local == "base" {
			s.base = a.Value
		}
	}
	if len(s.base) > maxBase {
		return s, r.fault("xml:base is longer than %d bytes; shorten it, or convert the file to N-Triples", maxBase)
	}
	return s, nil
}

// elements calls read with each element up to the end of the one around them.
func (r *xmlReader) elements(read func(xml.StartElement) error) error {
	for {
		tok, err := r.dec.Token()
		if err != nil {
			return r.broken(err)
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			if err := read(tok); err != nil {
				return err
			}
		case xml.EndElement:
			return nil
		}
	}
}

// nodes reads elements of nodes up to the end of the element around them, and calls found with each.
func (r *xmlReader) nodes(s scope, found func(key string)) error {
	return r.elements(func(e xml.StartElement) error {
		key, err := r.node(e, s)
		if err == nil {
			found(key)
		}
		return err
	})
}

// node reads the element of one node.
func (r *xmlReader) node(e xml.StartElement, s scope) (subject string, err error) {
	if s, err = r.within(e, s); err != nil {
		return "", err
	}
	for _, a := range e.Attr {
		switch a.Name.Space + a.Name.Local {
		case rdfNS + "about":
			subject = resolve(s.base, a.Value)
		case rdfNS + "ID":
			subject = resolve(s.base, "#"+a.Value)
		case rdfNS + "nodeID":
			subject = "_:" + a.Value
		}
	}
	if subject == "" {
		subject = r.blank()
	}
	if name := e.Name.Space + e.Name.Local; name != rdfNS+"Description" {
		r.g.add(triple{subject, rdfNS + "type", value{text: name}, r.line()})
	}
	for _, a := range e.Attr {
		switch {
		case a.Name.Space+a.Name.Local == rdfNS+"type":
			r.g.add(triple{subject, rdfNS + "type", value{text: resolve(s.base, a.Value)}, r.line()})
		case a.Name.Space != "" && a.Name.Space != rdfNS && a.Name.Space != xmlNS:
			r.g.add(triple{subject, a.Name.Space + a.Name.Local, value{text: a.Value, literal: true, lang: s.lang}, r.line()})
		}
	}
	return subject, r.properties(subject, s)
}

func (r *xmlReader) blank() string {
	r.blanks++
	return fmt.Sprintf("_:#%d", r.blanks) // no file can have this label
}

// properties reads elements of properties up to the end of the element around them.
func (r *xmlReader) properties(subject string, s scope) error {
	return r.elements(func(e xml.StartElement) error { return r.property(subject, e, s) })
}

// property reads the element of one property.
func (r *xmlReader) property(subject string, e xml.StartElement, s scope) error {
	s, err := r.within(e, s)
	if err != nil {
		return err
	}
	t := triple{subject: subject, predicate: e.Name.Space + e.Name.Local, line: r.line()}
	for _, a := range e.Attr {
		switch a.Name.Space + a.Name.Local {
		case rdfNS + "resource":
			t.object.text = resolve(s.base, a.Value)
		case rdfNS + "nodeID":
			t.object.text = "_:" + a.Value
		case rdfNS + "parseType":
			return r.parseType(a.Value, t, s)
		}
	}
	var text strings.Builder
	for {
		tok, err := r.dec.Token()
		if err != nil {
			return r.broken(err)
		}
		switch tok := tok.(type) {
		case xml.CharData:
			text.Write(tok)
		case xml.StartElement:
			if t.object.text != "" {
				return r.fault("the property %s has two values; split it into two elements", quoted(e.Name.Local))
			}
			if t.object.text, err = r.node(tok, s); err != nil {
				return err
			}
		case xml.EndElement:
			if t.object.text == "" {
				t.object = value{text: text.String(), literal: true, lang: s.lang}
			}
			r.g.add(t)
			return nil
		}
	}
}

// parseType reads the content of a property with the attribute rdf:parseType.
func (r *xmlReader) parseType(kind string, t triple, s scope) error {
	switch kind {
	case "Resource":
		t.object.text = r.blank()
		r.g.add(t)
		return r.properties(t.object.text, s)
	case "Collection":
		t.object.text = r.blank()
		r.g.add(t)
		return r.nodes(s, func(key string) {
			r.g.add(triple{t.object.text, rdfNS + "first", value{text: key}, t.line})
		})
	}
	return r.markup(t, s)
}

// markup reads a piece of XML as a value: the text in it.
func (r *xmlReader) markup(t triple, s scope) error {
	var text strings.Builder
	for depth := 1; depth > 0; {
		tok, err := r.dec.Token()
		if err != nil {
			return r.broken(err)
		}
		switch tok := tok.(type) {
		case xml.CharData:
			text.Write(tok)
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		}
	}
	t.object = value{text: text.String(), literal: true, lang: s.lang}
	r.g.add(t)
	return nil
}

// resolve makes an address of a reference. Without a base it stays as it is.
func resolve(base, ref string) string {
	if base == "" || strings.HasPrefix(ref, "_:") || hasScheme(ref) {
		return ref
	}
	b, err := url.Parse(base)
	if err != nil {
		return ref
	}
	if strings.HasPrefix(ref, "#") && b.Fragment == "" {
		before, _, _ := strings.Cut(base, "#")
		return before + ref
	}
	r, err := url.Parse(ref)
	if err != nil {
		return ref
	}
	return b.ResolveReference(r).String()
}

// hasScheme reports whether an address begins with a scheme.
func hasScheme(s string) bool {
	for i, c := range []byte(s) {
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z', i > 0 && ('0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'):
		default:
			return i > 0 && c == ':'
		}
	}
	return false
}
