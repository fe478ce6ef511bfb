package ontology

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"nightjar/model/ontology"
)

// TestHostile: files made to be slow or to take much memory give an error or terms. With work that grows with the square of
// the size this would take hours.
func TestHostile(t *testing.T) {
	const n = 200_000
	const prefix = "@prefix s: <" + skosNS + "> .\n"
	const root = `<rdf:RDF xmlns:rdf="` + rdfNS + `" xmlns:s="` + skosNS + `">`
	for name, data := range map[string]string{
		"equal terms":      strings.Repeat("x\n", n),
		"long line":        strings.Repeat("x", 10*n),
		"many labels":      "x" + strings.Repeat(" | x", n),
		"many senses":      "x [" + strings.Repeat("a.n.1 ", n) + "]",
		"indented far":     "x\n" + strings.Repeat(" ", 10*n) + "y",
		"many parents":     strings.Repeat("<a:b> <"+skosNS+"broader> <a:c> .\n", n/10),
		"a long triple":    `<a:b> <` + skosNS + `prefLabel> "` + strings.Repeat("é", 10*n) + `" .`,
		"open brackets":    prefix + strings.Repeat("[", n),
		"closed brackets":  prefix + strings.Repeat("s:a s:broader [ s:prefLabel 'x' ] .\n", n/10),
		"a long list":      prefix + "s:a s:b (" + strings.Repeat("1 ", n) + ") .",
		"semicolons":       prefix + "s:a a s:Concept " + strings.Repeat(";", n) + " .",
		"quotes":           prefix + "s:a s:b " + strings.Repeat("'", n),
		"dots":             prefix + "s:a" + strings.Repeat(".", n) + "b s:c s:d",
		"a long name":      prefix + strings.Repeat("x", n) + ":a a s:Concept .",
		"a long element":   root + "<" + strings.Repeat("x", n) + "></y>",
		"a long entity":    root + "&" + strings.Repeat("x", n) + ";",
		"a long graph":     "<a:b> <c:d> <e:f> . <g:" + strings.Repeat("x", n),
		"comments":         prefix + strings.Repeat("#\n", n),
		"open elements":    root + strings.Repeat("<s:a>", n),
		"many attributes":  root + "<s:Concept" + strings.Repeat(" s:a='x'", n/10) + "/></rdf:RDF>",
		"literal elements": root + "<s:Concept><s:note rdf:parseType='Literal'>" + strings.Repeat("<x>", n/10),
		"entities":         "<!DOCTYPE x [" + strings.Repeat("<!ENTITY a 'x'>", n/10) + "]>" + root + "</rdf:RDF>",
		"JSON arrays":      strings.Repeat(`{"a":`, n),
		"JSON text":        `{"@id": "` + strings.Repeat("x", 10*n) + `"}`,
		"only spaces":      strings.Repeat(" ", 10*n),
		"only comments":    strings.Repeat("#\n", n),
	} {
		t.Run(name, func(t *testing.T) { checkRead(t, []byte(data)) })
	}
}

// place is the part of an error that says where, or what the whole file is.
var place = regexp.MustCompile(`^this is |line [0-9]+|has no terms|at most [0-9]+ are read|import a part of it`)

// checkRead checks what holds for every file, and writes what can be written.
func checkRead(t *testing.T, data []byte) {
	t.Helper()
	f, err := Read(data, "")
	if err != nil {
		if !place.MatchString(err.Error()) || !strings.Contains(err.Error(), ";") || len(err.Error()) > 2000 {
			t.Fatalf("the error says no place or no next step, or too much: %.3000s", err)
		}
		return
	}
	if len(f.Items) == 0 || len(f.Warnings) > maxWarnings {
		t.Fatalf("%d items and %d warnings", len(f.Items), len(f.Warnings))
	}
	for _, w := range f.Warnings {
		if len(w) > 2000 || !utf8.ValidString(w) {
			t.Fatalf("warning %q", w)
		}
	}
	keys := make(map[string]bool)
	for _, item := range f.Items {
		if keys[item.Key] || item.Key == "" {
			t.Fatalf("key %q", item.Key)
		}
		keys[item.Key] = true
		for _, l := range item.Labels {
			if !utf8.ValidString(l) || utf8.RuneCountInString(l) > maxLabel || strings.ContainsAny(l, "\n\t\x00") {
				t.Fatalf("label %q", l)
			}
		}
		for _, s := range item.Senses {
			if !sense.MatchString(s) {
				t.Fatalf("sense %q", s)
			}
		}
	}
	tree, _, err := ontology.Build(f.Items)
	if err != nil || tree.Len() > 1000 {
		return
	}
	checkWritten(t, tree)
}

// checkWritten writes a tree and reads it back.
func checkWritten(t *testing.T, tree *ontology.Tree) {
	t.Helper()
	var triples, text bytes.Buffer
	if err := WriteNTriples(&triples, tree); err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(folded(readBack(t, triples.Bytes(), NTriples), true)), fmt.Sprint(folded(tree, true)); got != want {
		t.Fatalf("got %s, want %s", got, want)
	}
	if err := WriteText(&text, tree); err == nil {
		if got, want := fmt.Sprint(folded(readBack(t, text.Bytes(), Text), false)), fmt.Sprint(folded(tree, false)); got != want {
			t.Fatalf("got %s, want %s", got, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, data := range samples {
		f.Add([]byte(data))
	}
	f.Add([]byte("0\t\n\t0"))
	f.Add([]byte("a\\ [a.n.1]\n\t\\# | \\[\n\t\tb\n"))
	f.Add([]byte(`_:a <` + rdfsNS + `subClassOf> <` + owlNS + `Thing> . # x`))
	f.Add([]byte("@base <x:/y/z> .\n[ a <" + skosNS + "Concept>; <p> 'x\\n'@en-GB, '''y''', 1.5e3, true ] . ( 1 ) <b> _:c.d ."))
	f.Add([]byte(`[{"@context": {"@vocab": "` + skosNS + `"}, "@id": "_:x", "@type": "Concept", "prefLabel": {"@value": "y", "@language": "de"}}]`))
	f.Fuzz(func(t *testing.T, data []byte) { checkRead(t, data) })
}
