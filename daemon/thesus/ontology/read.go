package ontology

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"nightjar/crawler/charset"
	"nightjar/model/ontology"
)

// Limits of Read.
const (
	MaxBytes    = 32 << 20 // of a file
	maxDepth    = 200      // of nested terms, elements or values
	maxLabel    = 200      // characters
	maxBase     = 500      // bytes of a prefix or base: short names become long addresses with them
	maxNodes    = 100_000  // nodes that something is said of; those of all terms are a part of them
	maxWarnings = 50
)

// Kind is what a file is.
type Kind string

// The kinds of files.
const (
	Text     Kind = "indented text"
	Bullets  Kind = "a bulleted list"
	Numbered Kind = "a numbered list"
	NTriples Kind = "N-Triples"
	Turtle   Kind = "Turtle"
	RDFXML   Kind = "RDF/XML"
)

// File is what Read found.
type File struct {
	Kind     Kind
	Items    []ontology.Item // in the order of the file; at least one
	Warnings []string        // what was left out or made up, with the line, at most 50
}

// Read reads the bytes of a file. language is the language of the labels to keep, such as "en"; "" means English. Labels
// without a language are kept, too, and a term that has neither keeps those of the language it has first.
func Read(data []byte, language string) (*File, error) {
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("the ontology has %d bytes, and at most %d are read; import a part of it", len(data), MaxBytes)
	}
	data = bytes.TrimPrefix(inUTF8(data), []byte("\ufeff"))
	if i := invalid(data); i >= 0 {
		return nil, fmt.Errorf("line %d: this is not UTF-8 text; save the ontology as UTF-8, and not in a packed form", lineAt(data, i))
	}
	if language == "" {
		language = "en"
	}
	f := &File{Kind: kindOf(data)}
	if f.Kind == Text {
		if err := foreign(string(data)); err != nil {
			return nil, err
		}
	}
	g := newGraph(language)
	var err error
	switch f.Kind {
	case Text:
		plain := ""
		plain, f.Kind = withoutMarks(string(data))
		f.Items, f.Warnings, err = readText(plain)
	case NTriples:
		err = readNTriples(data, g)
	case Turtle:
		err = readTurtle(string(data), g)
	case RDFXML:
		err = readXML(data, g)
	}
	if err != nil {
		return nil, fmt.Errorf("%w (the file was read as %s)", err, f.Kind)
	}
	if g.full {
		return nil, fmt.Errorf("the file names or relates more than %d things; import a part of it", maxNodes)
	}
	if len(g.order) > 0 {
		f.Items, f.Warnings = g.items()
	}
	if len(f.Items) == 0 && g.fault != nil {
		return nil, fmt.Errorf("%w (the file was read as %s)", g.fault, f.Kind)
	}
	if len(f.Items) == 0 {
		return nil, fmt.Errorf("the file, read as %s, has no terms; %s", f.Kind, wanted(f.Kind))
	}
	return f, nil
}

// inUTF8 converts XML in another encoding that it declares, and any text in UTF-16 or UTF-32 with a byte order mark.
func inUTF8(data []byte) []byte {
	contentType := ""
	switch {
	case bytes.HasPrefix(data, []byte("<\x00?\x00")):
		contentType = "text/xml; charset=utf-16le"
	case bytes.HasPrefix(data, []byte("\x00<\x00?")):
		contentType = "text/xml; charset=utf-16be"
	case bytes.HasPrefix(data, []byte("\xff\xfe")), bytes.HasPrefix(data, []byte("\xfe\xff")), bytes.HasPrefix(data, []byte("\x00\x00\xfe\xff")):
	case !bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("<?xml")) || charset.Declared(data[:min(len(data), 1024)]) == "utf-8":
		return data
	}
	return charset.UTF8(contentType, data)
}

// wanted says what a file without terms lacks.
func wanted(k Kind) string {
	if k == Text || k == Bullets || k == Numbered {
		return "write one term a line, and indent those below it"
	}
	return "it needs skos:Concept, skos:broader, skos:narrower, rdfs:Class or rdfs:subClassOf"
}

// invalid is where data stops being text in UTF-8, -1 if it is text as a whole.
func invalid(data []byte) int {
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return i
	}
	if utf8.Valid(data) {
		return -1
	}
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size <= 1 {
			return i
		}
		i += size
	}
	return -1
}

// lineAt is the number of the line, from 1, that holds byte i of data.
func lineAt(data []byte, i int) int {
	return 1 + bytes.Count(data[:min(max(i, 0), len(data))], []byte("\n"))
}

var (
	prefixLine = regexp.MustCompile(`(?im)^[ \t]*@?(?:prefix[ \t]+[^ \t\r\n:]*:[ \t]*|base[ \t]+)<`)
	tripleLine = regexp.MustCompile(`^(?:<[^<>]*>|_:\S+)[ \t]*<[^<>]*>[ \t]*(?:<[^<>]*>|_:|")[^\r\n]*\.[ \t]*(?:#[^\r\n]*)?(?:\r?\n|$)`)
	elementTag = regexp.MustCompile(`^<(?:[?!]|[\pL_][-.\w]*(?::[\pL_][-.\w]*)?(?:[\s/>]|$))`)
	resource   = regexp.MustCompile(`^(?:<|_:|\[\s*(?:\]|<|a\s|[-\w]*:)|@prefix\b|@base\b)`)
)

// kindOf tells what a file is by its content.
func kindOf(data []byte) Kind {
	if prefixLine.Match(data[:min(len(data), 1<<16)]) && !elementTag.Match(bytes.TrimLeft(data, " \t\r\n")) {
		return Turtle
	}
	for {
		data = bytes.TrimLeft(data, " \t\r\n")
		if len(data) == 0 || data[0] != '#' {
			break
		}
		end := bytes.IndexByte(data, '\n')
		if end < 0 {
			return Text
		}
		data = data[end:]
	}
	switch {
	case tripleLine.Match(data):
		return NTriples
	case elementTag.Match(data):
		return RDFXML
	case resource.Match(data):
		return Turtle
	}
	return Text
}

// cleanLabel is a label on one line, without control and format characters, and whether it had to be cut.
func cleanLabel(s string) (label string, cut bool) {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
	s = strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cc, unicode.Cf) {
			return -1
		}
		return r
	}, s))
	if utf8.RuneCountInString(s) <= maxLabel {
		return s, false
	}
	return strings.TrimSpace(string([]rune(s)[:maxLabel])), true
}

// quoted is the beginning of a text of the file in quotes, for messages.
func quoted(s string) string {
	if runes := []rune(s[:min(len(s), 400)]); len(runes) > 60 || len(s) > 400 {
		s = string(runes[:min(len(runes), 60)]) + "…"
	}
	return fmt.Sprintf("%q", s)
}

// warnings are collected up to a limit.
type warnings []string

// left adds which deprecated terms were left out: how many, and the first of their names.
func (w *warnings) left(names []string) {
	const shown = 5
	var some []string
	for _, name := range names[:min(len(names), shown)] {
		some = append(some, quoted(name))
	}
	s := fmt.Sprintf("%d terms that the file calls deprecated were left out: %s", len(names), strings.Join(some, ", "))
	if len(names) == 1 {
		s = "a term that the file calls deprecated was left out: " + some[0]
	}
	if len(names) > shown {
		s += " and others"
	}
	if len(*w) == maxWarnings {
		(*w)[maxWarnings-1] = s
		return
	}
	*w = append(*w, s)
}

func (w *warnings) add(line int, format string, args ...any) {
	if len(*w) < maxWarnings {
		*w = append(*w, fmt.Sprintf("line %d: ", line)+fmt.Sprintf(format, args...))
	}
}
