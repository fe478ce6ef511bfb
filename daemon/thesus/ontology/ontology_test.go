package ontology

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nightjar/model/ontology"
)

// The same tree in each kind of file. Labels stand in the order in which each reader gives them.
var samples = map[Kind]string{
	Text: `# instruments
music
	instrument | musical instrument [musical_instrument.n.01]
		flute | transverse flute [flute.n.01, flute.n.02]

	jazz
`,
	NTriples: `# instruments
<http://a.test/music> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://www.w3.org/2004/02/skos/core#Concept> .
<http://a.test/music> <http://www.w3.org/2004/02/skos/core#prefLabel> "music"@en .
<http://a.test/music> <http://www.w3.org/2004/02/skos/core#narrower> <http://a.test/instrument> .
<http://a.test/instrument> <http://www.w3.org/2004/02/skos/core#prefLabel> "instrument"@en .
<http://a.test/instrument> <http://www.w3.org/2004/02/skos/core#altLabel> "musical instrument" .
<http://a.test/instrument> <http://www.w3.org/2004/02/skos/core#closeMatch> <urn:wordnet:musical_instrument.n.01> .
<http://a.test/flute> <http://www.w3.org/2004/02/skos/core#broader> <http://a.test/instrument> . # a comment
<http://a.test/flute> <http://www.w3.org/2004/02/skos/core#altLabel> "transverse \u0066lute"@en-gb .
<http://a.test/flute> <http://www.w3.org/2004/02/skos/core#prefLabel> "Fl\u00F6te"@de .
<http://a.test/flute> <http://www.w3.org/2004/02/skos/core#prefLabel> "flute"@en .
<http://a.test/flute> <http://www.w3.org/2004/02/skos/core#closeMatch> <urn:wordnet:flute.n.01> .
<http://a.test/flute> <http://www.w3.org/2004/02/skos/core#exactMatch> <urn:wordnet:flute.n.02> .

<http://a.test/jazz> <http://www.w3.org/2004/02/skos/core#prefLabel> "jazz" .
<http://a.test/jazz> <http://www.w3.org/2004/02/skos/core#broader> <http://a.test/music> .
`,
	Turtle: `@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
PREFIX : <http://a.test/>
@base <http://a.test/x/y> .
<../music> a skos:Concept ; # a comment
	skos:prefLabel "music"@en ; skos:narrower :instrument .
:instrument skos:prefLabel 'instrument'@en ; skos:altLabel """musical
	instrument""" ; skos:closeMatch <urn:wordnet:musical_instrument.n.01>; skos:note [ a skos:Note ; skos:x ( 1 -2.5e3 true ) ] ; .
:fl\u0075te skos:x 1 .`,
	RDFXML: `<?xml version="1.0"?>
<!DOCTYPE rdf:RDF [ <!ENTITY a "http://a.test/"> <!ENTITY s 'http://www.w3.org/2004/02/skos/core#'> ]>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:skos="&s;" xml:base="http://a.test/all" xml:lang="en">
	<skos:Concept rdf:about="&a;music" skos:prefLabel="music">
		<skos:narrower>
			<rdf:Description rdf:about="instrument">
				<rdf:type rdf:resource="&s;Concept"/>
				<skos:prefLabel>instrument</skos:prefLabel>
				<skos:altLabel xml:lang="">musical
					instrument</skos:altLabel>
				<skos:closeMatch rdf:resource="urn:wordnet:musical_instrument.n.01"/>
				<skos:note rdf:parseType="Literal"><b>no</b></skos:note>
				<skos:note rdf:parseType="Resource"><skos:x>no</skos:x></skos:note>
				<skos:narrower><skos:Concept rdf:about="/flute">
					<skos:altLabel>transverse flute</skos:altLabel><skos:prefLabel>flute</skos:prefLabel><skos:prefLabel xml:lang="de">Flöte</skos:prefLabel>
					<skos:closeMatch rdf:resource="urn:wordnet:flute.n.01"/><skos:closeMatch rdf:resource="urn:wordnet:flute.n.02"/>
				</skos:Concept></skos:narrower>
			</rdf:Description>
		</skos:narrower>
	</skos:Concept>
	<rdf:Description rdf:about="jazz" skos:prefLabel="jazz"><skos:broader rdf:resource="&a;music"/></rdf:Description>
</rdf:RDF>`,
}

func init() {
	samples[Turtle] = strings.Replace(samples[Turtle], `:fl\u0075te skos:x 1 .`, `:flute skos:broader :instrument ;
	skos:altLabel "transverse \u0066lute"@en-GB, "tête"@fr ; skos:prefLabel "Flöte"@de, "flute"@en ;
	skos:closeMatch <urn:wordnet:flute.n.01>, <urn:wordnet:flute.n.\u0030\u0032> .
:jazz skos:prefLabel "jazz"^^<http://www.w3.org/2001/XMLSchema#string> ; skos:broader <http://a.test/music>.`, 1)
}

// outline writes a tree as "label=synonym=…[sense…] < label of the parent", one line a term, sorted by label.
func outline(t *testing.T, items []ontology.Item) string {
	t.Helper()
	tree, repaired, err := ontology.Build(items)
	if err != nil || len(repaired) > 0 {
		t.Fatal(err, repaired)
	}
	lines := make([]string, tree.Len())
	for i, term := range tree.Terms() {
		lines[i] = strings.Join(term.Labels, "=") + " [" + strings.Join(term.Senses, " ") + "]"
		if term.Parent != ontology.None {
			lines[i] += " < " + tree.Label(term.Parent)
		}
	}
	return strings.Join(lines, "\n")
}

func TestSamples(t *testing.T) {
	const want = `music []
instrument=musical instrument [musical_instrument.n.01] < music
flute=transverse flute [flute.n.01 flute.n.02] < instrument
jazz [] < music`
	for kind, data := range samples {
		t.Run(string(kind), func(t *testing.T) {
			f, err := Read([]byte("\ufeff"+strings.ReplaceAll(data, "\n", "\r\n")), "")
			if err != nil {
				t.Fatal(err)
			}
			if f.Kind != kind || len(f.Warnings) > 0 {
				t.Errorf("read as %s with warnings %q", f.Kind, f.Warnings)
			}
			if diff := cmp.Diff(want, outline(t, f.Items)); diff != "" {
				t.Error(diff)
			}
			for _, item := range f.Items {
				if kind != Text && item.Key != "http://a.test/"+item.Labels[0] {
					t.Errorf("the key of %q is %q", item.Labels[0], item.Key)
				}
			}
		})
	}
}

func TestKindOf(t *testing.T) {
	for _, tt := range []struct {
		data string
		want Kind
	}{
		{"", Text}, {"music", Text}, {"# only a comment", Text}, {"prefix music\n  x: y", Text}, {"a <b>", Text}, {"[x] y", Text}, {"base camp", Text},
		{"\n# x\n<http://a> <b:c> <d:e> .", NTriples}, {"_:a <b:c> \"x\" .\n", NTriples}, {"<a:b> <b:c> _:d . # x\n<a> a", NTriples},
		{"<http://a> a <d:e> .", Turtle}, {"<http://b> <b:c> <d:e> ;\n", Turtle}, {"@prefix x .", Turtle}, {"[ a <x> ] .", Turtle}, {"# x\nPREFIX x: <y>", Turtle}, {" @base <x>.", Turtle}, {"[] a <x:y> .", Turtle}, {"# <a>\n@prefix : <b> .", Turtle},
		{"<rdf:RDF>", RDFXML}, {" <?xml", RDFXML}, {"<!-- @base <x> -->", RDFXML}, {"<html>", RDFXML}, {"<x>\n@prefix : <b>", RDFXML},
		{` {"a": 1}`, Text}, {"[\n{", Text},
	} {
		if got := kindOf([]byte(tt.data)); got != tt.want {
			t.Errorf("%q is %s, want %s", tt.data, got, tt.want)
		}
	}
}

// TestErrors: each error says where, and what to do.
func TestErrors(t *testing.T) {
	const rdfRoot = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:s="http://www.w3.org/2004/02/skos/core#">`
	for _, tt := range []struct{ name, data, where, what string }{
		{"empty", "", "indented text", "write one term a line"},
		{"only comments", "# x\n\n", "indented text", "write one term a line"},
		{"not UTF-8", "a\nb\xff", "line 2", "save the ontology as UTF-8"},
		{"UTF-16", "m\x00u\x00", "line 1", "save the ontology as UTF-8"},

		{"spaces and tabs", "a\n\tb\n        c", "line 3", "only spaces or only tabs"},
		{"tabs below spaces", "a\n  b\n\t\t\tc", "line 3", "only spaces or only tabs"},
		{"between two levels", "a\n    b\n  c", "line 3", "same spaces or tabs"},
		{"no term", "a\n | b", "line 2", "write the term's name"},
		{"no term before senses", "[x]", "line 1", "write one like wind.n.07"},
		{"no such sense", "a\nwind [wind.n]", `line 2: "wind.n"`, "write one like wind.n.07"},
		{"open bracket", "a [wind.n.01", "line 1", `\[`},
		{"after the senses", "a [wind.n.01] b", "line 1", "move it in front"},
		{"backslash at the end", `a\`, "line 1", "remove it"},
		{"too deep", deepText(maxDepth + 1), "line 201", "indent fewer lines"},

		{"not a triple", "<a:b> <c:d> <e:f> .\n\n<a:b> <c:d> .", "line 3", "write it as <subject>"},
		{"no terms", "<a:b> <c:d> <e:f> .", "N-Triples", "skos:Concept"},

		{"unknown prefix", "@prefix a: <b:> .\n\na:x y:z a:w .", "line 3", `the prefix "y:" is not defined`},
		{"no end", "@prefix a: <b:> .\na:x a a:y", "line 2", "a . should follow"},
		{"no dot", "@prefix a: <b:> .\na:x a a:y\na:z a a:y .", "line 3", "where a . should be"},
		{"open text", "@prefix a: <b:> .\na:x a:y \"abc\n", "line 2", "no end on its line"},
		{"open long text", "@prefix a: <b:> .\na:x a:y '''abc\n\n", "line 2", "no end"},
		{"bad escape", "@prefix a: <b:> .\na:x a:y '\\u12'.", "line 2", "is no escape"},
		{"no address", "@prefix a: x .", "line 1", "an address in < and >"},
		{"open address", "@prefix a: <x y> .", "line 1", "not an address that ends"},
		{"a graph", "@prefix a: <b:> .\na:g { a:x a a:y }", "line 2", "not a predicate"},
		{"quoted triples", "@prefix a: <b:> .\n<< a:x a:y a:z >> a:x 1 .", "line 2", "convert the file to N-Triples"},
		{"line after a long text", "@prefix a: <b:> .\na:x a:y '''1\n2\n3''' .\n ; ", "line 5", "convert the file to N-Triples"},
		{"a long prefix", "@prefix a: <b:" + strings.Repeat("x", maxBase) + "> .", "line 1", "is longer than 500 bytes"},
		{"a long base", rdfRoot + "\n<s:Concept xml:base='" + strings.Repeat("x", maxBase+1) + "'/>", "line 2", "is longer than 500 bytes"},
		{"deep brackets", "@prefix a: <b:> .\n" + strings.Repeat("[ a:x\n", maxDepth+1), "line 202", "nested"},

		{"another root", "<?xml version='1.0'?>\n<html>", "line 2", "not rdf:RDF"},
		{"no root", "<!-- x -->", "line 1", "no element rdf:RDF"},
		{"not well-formed", rdfRoot + "\n<s:Concept>\n</rdf:RDF>", "line 3", "correct it there"},
		{"unknown entity", rdfRoot + "\n<s:Concept rdf:about='&x;'/></rdf:RDF>", "line 2", "correct it there"},
		{"another encoding", `<?xml version="1.0" encoding="utf-7"?>` + rdfRoot, "line 1", "save it as UTF-8"},
		{"two values", rdfRoot + "\n<s:Concept><s:broader><s:Concept/><s:Concept/></s:broader></s:Concept></rdf:RDF>", "line 2", "split it"},
		{"entities in entities", "<!DOCTYPE x [\n<!ENTITY a 'x'><!ENTITY b '&a;&a;'>]>" + rdfRoot, "line 2", "write addresses in full"},
		{"growing entities", "<!DOCTYPE x [<!ENTITY a '" + strings.Repeat("x", 250) + "'>]>\n" + rdfRoot + strings.Repeat("&a;", 300_000), "line 1", "write addresses in full"},
		{"deep elements", rdfRoot + strings.Repeat("\n<s:Concept>", maxDepth+1), "line ", "nested"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Read([]byte(tt.data), "")
			if err == nil || !strings.Contains(err.Error(), tt.where) || !strings.Contains(err.Error(), tt.what) {
				t.Errorf("%v; want %q and %q", err, tt.where, tt.what)
			}
			if err != nil && len(err.Error()) > 700 {
				t.Errorf("the error has %d bytes", len(err.Error()))
			}
		})
	}
	many := strings.Builder{}
	many.WriteString("@prefix r: <" + rdfsNS + "> .\n")
	for i := range maxNodes + 1 {
		fmt.Fprintf(&many, "<a:%d> r:label 'x' .\n", i)
	}
	if _, err := Read([]byte(many.String()), ""); err == nil || !strings.Contains(err.Error(), "more than 100000 things; import a part of it") {
		t.Errorf("too many nodes: %v", err)
	}
	if f, err := Read([]byte(strings.Repeat("a term\n", 3*ontology.MaxTerms)), ""); err != nil || len(f.Items) != ontology.MaxTerms+1 {
		t.Errorf("too many lines: %d terms, %v; want one more than a tree has", len(f.Items), err)
	}
	if _, err := Read(make([]byte, MaxBytes+1), ""); err == nil || !strings.Contains(err.Error(), "import a part of it") {
		t.Errorf("a file that is too large: %v", err)
	}
}

func deepText(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "x\n")
	}
	return b.String()
}
