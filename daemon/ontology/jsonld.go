package ontology

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/piprate/json-gold/ld"
)

// refuser is a document loader that fetches nothing. It keeps the first address that it was asked for.
type refuser struct{ asked string }

var errRemote = errors.New("contexts are not fetched")

func (r *refuser) LoadDocument(address string) (*ld.RemoteDocument, error) {
	if r.asked == "" {
		r.asked = address
	}
	return nil, errRemote
}

// readJSON reads JSON-LD whose contexts are in the file.
func readJSON(data []byte, g *graph) error {
	if len(data) > maxJSON {
		return fmt.Errorf("the file has %d bytes, and at most %d are read of JSON-LD; import a part of it, or convert it to N-Triples", len(data), maxJSON)
	}
	if line, deep := deeper(data, maxDepth); deep {
		return fmt.Errorf("line %d: values are nested more than %d deep; convert the file to N-Triples", line, maxDepth)
	}
	var document any
	dec := json.NewDecoder(bytes.NewReader(data))
	if err := dec.Decode(&document); err != nil {
		at := dec.InputOffset()
		if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
			at = syntax.Offset
		}
		if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
			at = int64(len(data))
		}
		return fmt.Errorf("line %d: this is not JSON: %.200s; correct it there", lineAt(data, int(at)), err.Error())
	}
	if more := bytes.TrimSpace(data[dec.InputOffset():]); len(more) > 0 {
		return fmt.Errorf("line %d: the JSON goes on after its end; remove what follows", lineAt(data, bytes.LastIndex(data, more)))
	}
	if err := checkContexts(document); err != nil {
		return err
	}
	nodes, err := expand(document, data)
	if err != nil {
		return err
	}
	g.find = func(key string) int { return lineOfString(data, key) }
	r := &jsonReader{g: g}
	for _, n := range nodes {
		r.node(n)
	}
	return nil
}

// expand writes the names of a document in full. data is the document for messages.
func expand(document any, data []byte) (nodes []any, err error) {
	loader := &refuser{}
	defer func() {
		if r := recover(); r != nil { // the library panics on some malformed documents
			nodes, err = nil, fmt.Errorf("line 1: the JSON-LD is malformed: %.200v; check it with a JSON-LD tool, or convert it to N-Triples", r)
		}
	}()
	opts := ld.NewJsonLdOptions("")
	opts.DocumentLoader = loader
	nodes, err = ld.NewJsonLdProcessor().Expand(document, opts)
	switch {
	case err == nil:
		return nodes, nil
	case loader.asked != "":
		return nil, fmt.Errorf("line %d: the JSON-LD needs the context at %s, and nothing is fetched; put that context into the file, or convert it to N-Triples",
			lineOfString(data, loader.asked), quoted(loader.asked))
	}
	return nil, fmt.Errorf("line 1: the JSON-LD is malformed: %.200s; check it with a JSON-LD tool, or convert it to N-Triples", err.Error())
}

// jsonReader reads expanded JSON-LD in the order of its lists. The library's own conversion to triples would compare each
// value of a property with all others.
type jsonReader struct {
	g      *graph
	blanks int
}

// node reads a node with those in it. The result is its address, "" for what is no node.
func (r *jsonReader) node(v any) string {
	n, ok := v.(map[string]any)
	if !ok {
		return ""
	}
	subject, _ := n["@id"].(string)
	if subject == "" {
		r.blanks++
		subject = fmt.Sprintf("_:#%d", r.blanks) // no file can have this label
	}
	for _, t := range listOf(n["@type"]) {
		if address, ok := t.(string); ok {
			r.g.add(triple{subject: subject, predicate: rdfNS + "type", object: value{text: address}})
		}
	}
	for _, key := range slices.Sorted(maps.Keys(n)) {
		switch {
		case key == "@graph" || key == "@included":
			for _, e := range listOf(n[key]) {
				r.node(e)
			}
		case key == "@reverse":
			r.reverse(subject, n[key])
		case !strings.HasPrefix(key, "@"):
			for _, e := range listOf(n[key]) {
				r.object(subject, key, e)
			}
		}
	}
	return subject
}

// reverse reads what other nodes say of a node.
func (r *jsonReader) reverse(object string, v any) {
	properties, _ := v.(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(properties)) {
		for _, e := range listOf(properties[key]) {
			if subject := r.node(e); subject != "" {
				r.g.add(triple{subject: subject, predicate: key, object: value{text: object}})
			}
		}
	}
}

// object reads one value of a property.
func (r *jsonReader) object(subject, predicate string, v any) {
	m, ok := v.(map[string]any)
	if !ok {
		return
	}
	object := value{literal: true}
	switch {
	case m["@value"] != nil:
		object.text = fmt.Sprint(m["@value"]) // a text, a number, or true or false
		lang, _ := m["@language"].(string)
		object.lang = strings.ToLower(lang)
	case m["@list"] != nil:
		for _, e := range listOf(m["@list"]) {
			r.node(e)
		}
		return
	default:
		object = value{text: r.node(m)}
	}
	r.g.add(triple{subject: subject, predicate: predicate, object: object})
}

// listOf is a value that is a list, or a list with the value.
func listOf(v any) []any {
	switch v := v.(type) {
	case nil:
		return nil
	case []any:
		return v
	}
	return []any{v}
}

// lineOfString is the line on which data has a JSON string for the first time, 1 if it is not found as written.
func lineOfString(data []byte, s string) int {
	if i := bytes.Index(data, []byte(strconv.Quote(s))); i >= 0 {
		return lineAt(data, i)
	}
	return 1
}

// deeper reports whether objects and arrays are nested deeper than most, and the line where.
func deeper(data []byte, most int) (line int, deep bool) {
	depth, inString := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			if depth++; depth > most {
				return lineAt(data, i), true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return 0, false
}
