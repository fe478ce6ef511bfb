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
		return fmt.Errorf("line %d: this is not JSON: %w; correct it there", lineAt(data, int(at)), err)
	}
	if more := bytes.TrimSpace(data[dec.InputOffset():]); len(more) > 0 {
		return fmt.Errorf("line %d: the JSON goes on after its end; remove what follows", lineAt(data, bytes.LastIndex(data, more)))
	}
	quads, err := triplesOf(document, data)
	if err != nil {
		return err
	}
	for _, q := range quads {
		t := triple{subject: q.Subject.GetValue(), predicate: q.Predicate.GetValue(), object: value{text: q.Object.GetValue()}}
		if literal, ok := q.Object.(ld.Literal); ok {
			t.object.literal, t.object.lang = true, strings.ToLower(literal.Language)
		}
		g.add(t)
	}
	for _, n := range g.order {
		n.line = lineOfString(data, n.key)
	}
	return nil
}

// triplesOf converts a document to triples, those of its default graph first. data is the document for messages.
func triplesOf(document any, data []byte) (quads []*ld.Quad, err error) {
	loader := &refuser{}
	defer func() {
		if r := recover(); r != nil { // the library panics on some malformed documents
			quads, err = nil, fmt.Errorf("line 1: the JSON-LD is malformed: %v; check it with a JSON-LD tool, or convert it to N-Triples", r)
		}
	}()
	opts := ld.NewJsonLdOptions("")
	opts.DocumentLoader = loader
	set, err := ld.NewJsonLdProcessor().ToRDF(document, opts)
	if err != nil {
		if loader.asked != "" {
			return nil, fmt.Errorf("line %d: the JSON-LD needs the context at %s, and nothing is fetched; put that context into the file, or convert it to N-Triples",
				lineOfString(data, loader.asked), quoted(loader.asked))
		}
		return nil, fmt.Errorf("line 1: the JSON-LD is malformed: %w; check it with a JSON-LD tool, or convert it to N-Triples", err)
	}
	triples, ok := set.(*ld.RDFDataset)
	if !ok {
		return nil, errors.New("line 1: the JSON-LD has no triples; convert the file to N-Triples")
	}
	names := slices.Sorted(maps.Keys(triples.Graphs))
	for _, name := range names {
		quads = append(quads, triples.Graphs[name]...)
	}
	return quads, nil
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
