package ontology

import (
	"bytes"
	"fmt"
	"strings"

	"gonum.org/v1/gonum/graph/formats/rdf"
)

// readNTriples reads N-Triples, and N-Quads, whose graphs are all read.
func readNTriples(data []byte, g *graph) error {
	number := 0
	for line := range bytes.Lines(data) {
		number++
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		t, err := parseTriple(string(line))
		if err != nil {
			return fmt.Errorf("line %d: %s is not a triple: %.200s; write it as <subject> <predicate> <object> . on one line, or remove it",
				number, quoted(string(line)), err.Error())
		}
		t.line = number
		g.add(t)
	}
	return nil
}

func parseTriple(line string) (triple, error) {
	s, err := rdf.ParseNQuad(line)
	if err != nil {
		return triple{}, err
	}
	var t triple
	if t.subject, err = resourceOf(s.Subject); err != nil {
		return triple{}, err
	}
	if t.predicate, err = resourceOf(s.Predicate); err != nil {
		return triple{}, err
	}
	text, qualifier, kind, err := s.Object.Parts()
	if err != nil {
		return triple{}, err
	}
	if kind != rdf.Literal {
		t.object.text, err = resourceOf(s.Object)
		return t, err
	}
	t.object = value{text: text, literal: true}
	if lang, ok := strings.CutPrefix(qualifier, "@"); ok {
		t.object.lang = strings.ToLower(lang)
	}
	return t, nil
}

// resourceOf is the address of a term, or its label with "_:" in front.
func resourceOf(t rdf.Term) (string, error) {
	text, _, kind, err := t.Parts()
	if kind == rdf.Blank {
		text = "_:" + text
	}
	return text, err
}
