package ontology

import (
	"bytes"
	"fmt"
	"strings"

	"gonum.org/v1/gonum/graph/formats/rdf"
)

// readNTriples reads N-Triples, and N-Quads, whose graphs are all read. Lines that are no triples are told and left out, unless
// they are half of all.
func readNTriples(data []byte, g *graph) error {
	number, bad := 0, faults{}
	for line := range bytes.Lines(data) {
		number++
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		t, err := parseTriple(string(line))
		if err != nil {
			bad.add(fmt.Errorf("line %d: %s is not a triple: %.200s; write it as <subject> <predicate> <object> . on one line, or remove it",
				number, quoted(string(line)), err.Error()))
			continue
		}
		bad.good++
		t.line = number
		g.add(t)
	}
	return bad.tell(g, "line")
}

// faults counts parts of a file that cannot be read.
type faults struct {
	good, bad int
	first     error
}

func (f *faults) add(err error) {
	if f.bad++; f.first == nil {
		f.first = err
	}
}

// tell adds a warning about the parts that were left out. It returns the first fault when the file has more of them than of others.
func (f *faults) tell(g *graph, what string) error {
	g.fault = f.first
	switch {
	case f.bad == 0:
		return nil
	case f.bad >= f.good:
		return f.first
	case f.bad == 1:
		g.found = append(warnings{fmt.Sprintf("a %s could not be read and was left out: %s", what, f.first)}, g.found...)
	default:
		g.found = append(warnings{fmt.Sprintf("%d %ss could not be read and were left out; the first: %s", f.bad, what, f.first)}, g.found...)
	}
	g.found = g.found[:min(len(g.found), maxWarnings)]
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
