package ontology

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"golang.org/x/text/encoding/htmlindex"
)

const (
	turtleHead = "@prefix skos: <" + skosNS + "> .\n@prefix rdfs: <" + rdfsNS + "> .\n@prefix owl: <" + owlNS + "> .\n@prefix xl: <" + xlNS + "> .\n" +
		"@prefix iso: <" + isoNS + "> .\n@prefix rdf: <" + rdfNS + "> .\n@prefix ex: <http://ex.test/> .\n"
	xmlHead = `<rdf:RDF xmlns:rdf="` + rdfNS + `" xmlns:rdfs="` + rdfsNS + `" xmlns:owl="` + owlNS + `" xmlns:skos="` + skosNS + `" xmlns:xl="` + xlNS + `" xml:base="http://ex.test/">`
)

// terms writes terms as "label, label < parent", each parent by the end of its address.
func terms(f *File) string {
	var all []string
	for _, item := range f.Items {
		s := strings.Join(item.Labels, ", ")
		for _, p := range slices.Compact(slices.Clone(item.Parents)) {
			s += " < " + p[strings.LastIndexAny(p, "/#")+1:]
		}
		all = append(all, s)
	}
	slices.Sort(all)
	return strings.Join(all, "; ")
}

// TestVocabularies reads terms, labels and parents however RDF says them. warn is part of the only warning.
func TestVocabularies(t *testing.T) {
	for _, tt := range []struct{ name, data, want, warn string }{
		{"SKOS-XL", turtleHead + `ex:a a skos:Concept ; xl:prefLabel ex:l ; xl:altLabel [ xl:literalForm "gauge"@en , "Pegel"@de ] . ex:l a xl:Label ; xl:literalForm "tide"@en .`, "tide, gauge", ""},
		{"SKOS-XL only", turtleHead + `ex:l xl:literalForm "tide" . ex:a xl:prefLabel ex:l ; skos:broader ex:b . ex:b xl:prefLabel [ xl:literalForm "sea" ] .`, "sea; tide < b", ""},
		{"SKOS-XL without text", turtleHead + `ex:a a skos:Concept ; skos:prefLabel "tide" ; xl:altLabel ex:l .`, "tide", "has no text"},
		{"SKOS-XL in XML", xmlHead + `<skos:Concept rdf:about="a"><xl:prefLabel rdf:resource="l"/></skos:Concept><xl:Label rdf:about="l"><xl:literalForm xml:lang="en">tide</xl:literalForm></xl:Label></rdf:RDF>`, "tide", ""},

		{"top concepts", turtleHead + `ex:s skos:hasTopConcept ex:a, ex:b . ex:a skos:prefLabel "tide" . ex:b skos:prefLabel "sea" ; skos:topConceptOf ex:s .`, "sea; tide", ""},
		{"in a scheme", turtleHead + `ex:a skos:prefLabel "tide" ; skos:inScheme ex:s . ex:s rdfs:label "scheme" .`, "tide", ""},
		{"a collection in a scheme", turtleHead + `ex:a a skos:Concept ; skos:prefLabel "tide" . ex:c a skos:Collection ; skos:prefLabel "all" ; skos:inScheme ex:s .`, "tide", ""},
		{"a scheme above", turtleHead + `ex:s a skos:ConceptScheme ; rdfs:label "scheme" ; skos:narrower ex:a . ex:a skos:prefLabel "tide" .`, "tide", ""},

		{"transitive", turtleHead + `ex:a skos:prefLabel "a" . ex:b skos:prefLabel "b" ; skos:broaderTransitive ex:a . ex:c skos:prefLabel "c" ; skos:broaderTransitive ex:a, ex:b .`, "a; b < a; c < b", ""},
		{"transitive downwards", turtleHead + `ex:a skos:prefLabel "a" ; skos:narrowerTransitive ex:c, ex:b . ex:b skos:prefLabel "b" ; skos:narrowerTransitive ex:c . ex:c skos:prefLabel "c" .`, "a; b < a; c < b", ""},
		{"transitive beside direct", turtleHead + `ex:a skos:prefLabel "a" . ex:b skos:prefLabel "b" ; skos:broader ex:a . ex:c skos:prefLabel "c" ; skos:broader ex:b ; skos:broaderTransitive ex:a, ex:b .`, "a; b < a; c < b", ""},
		{"transitive in a circle", turtleHead + `ex:a skos:prefLabel "a" ; skos:broaderTransitive ex:b . ex:b skos:prefLabel "b" ; skos:broaderTransitive ex:a .`, "a < b; b < a", ""},
		{"ISO 25964", turtleHead + `ex:a skos:prefLabel "a" . ex:b skos:prefLabel "b" ; iso:broaderGeneric ex:a . ex:c skos:prefLabel "c" ; iso:broaderPartitive ex:b . ex:d skos:prefLabel "d" ; skos:broaderInstantial ex:c .`, "a; b < a; c < b; d < c", ""},
		{"ISO 25964 downwards", turtleHead + `ex:a skos:prefLabel "a" ; iso:narrowerPartitive ex:b . ex:b skos:prefLabel "b" .`, "a; b < a", ""},

		{"equivalent to an intersection", turtleHead + `ex:B a owl:Class ; rdfs:label "b" . ex:a a owl:Class ; rdfs:label "a" ; owl:equivalentClass [ owl:intersectionOf ( [ a owl:Restriction ; owl:onProperty ex:p ] ex:B ) ] .`, "a < B; b", ""},
		{"intersection", turtleHead + `ex:B a owl:Class ; rdfs:label "b" . ex:a a owl:Class ; rdfs:label "a" ; owl:intersectionOf ( ex:B ) .`, "a < B; b", ""},
		{"below an intersection in another", turtleHead + `ex:B a owl:Class ; rdfs:label "b" . ex:a rdfs:label "a" ; rdfs:subClassOf [ owl:intersectionOf ( [ owl:intersectionOf ( ex:B ) ] ) ] .`, "a < B; b", ""},
		{"below a class without name", turtleHead + `ex:B a owl:Class ; rdfs:label "b" . ex:a rdfs:label "a" ; rdfs:subClassOf [ a owl:Class ; rdfs:subClassOf [ rdfs:subClassOf ex:B ] ] .`, "a < B; b", ""},
		{"equivalent to nothing above", turtleHead + `ex:a rdfs:label "a" ; a owl:Class ; owl:equivalentClass [ owl:unionOf ( ex:B ex:C ) ] , owl:Thing .`, "a", ""},
		{"a union in the way", turtleHead + `ex:B a owl:Class ; rdfs:label "b" . ex:a rdfs:label "a" ; rdfs:subClassOf [ owl:unionOf ( ex:B ) ] .`, "a; b", ""},
		{"intersection in XML", xmlHead + `<owl:Class rdf:about="B"><rdfs:label>b</rdfs:label></owl:Class><owl:Class rdf:about="a"><rdfs:label>a</rdfs:label><owl:equivalentClass><owl:Class>` +
			`<owl:intersectionOf rdf:parseType="Collection"><owl:Class rdf:about="B"/><owl:Restriction/></owl:intersectionOf></owl:Class></owl:equivalentClass></owl:Class></rdf:RDF>`, "a < B; b", ""},
		{"intersection in N-Triples", strings.ReplaceAll("<a:a> <O#equivalentClass> _:x .\n_:x <O#intersectionOf> _:l .\n_:l <R#first> _:r .\n_:l <R#rest> _:m .\n_:m <R#first> <a:/B> .\n_:m <R#rest> <R#nil> .\n"+
			"<a:a> <S#label> \"a\" .\n<a:/B> <R#type> <O#Class> .\n<a:/B> <S#label> \"b\" .\n", "#", "") + "", "", "-"},

		{"deprecated", turtleHead + `ex:a a owl:Class ; rdfs:label "a" . ex:b a owl:Class ; rdfs:label "old" ; owl:deprecated true . ex:c rdfs:label "c" ; rdfs:subClassOf ex:b .`, "a; c", `a term that the file calls deprecated was left out: "old"`},
		{"deprecated, all kinds", turtleHead + `ex:a a owl:Class ; rdfs:label "a" ; owl:deprecated false . ex:b a owl:DeprecatedClass, owl:Class ; rdfs:label "x" . ex:c a owl:Class ; <` + oboNS + `is_obsolete> "true" ; rdfs:label "y" .`,
			"a", `2 terms that the file calls deprecated were left out: "x", "y"`},

		{"markup in labels", xmlHead + `<owl:Class rdf:about="a"><rdfs:label rdf:parseType="Literal">spring <b>tide<i>s</i></b></rdfs:label></owl:Class></rdf:RDF>`, "spring tides", ""},
		{"a node as root", `<skos:Concept xmlns:skos="` + skosNS + `" xmlns:rdf="` + rdfNS + `" rdf:about="http://ex.test/a"><skos:prefLabel>tide</skos:prefLabel></skos:Concept>`, "tide", ""},
		{"a description as root", `<rdf:Description xmlns:skos="` + skosNS + `" xmlns:rdf="` + rdfNS + `" rdf:about="http://ex.test/a"><skos:broader rdf:resource="x:b"/><skos:prefLabel>tide</skos:prefLabel></rdf:Description>`, "tide < x:b", ""},

		{"a bad line", "<a:a> <a:id> <make\\u0020me> .\n<a:a> <" + rdfNS + "type> <" + skosNS + "Concept> .\n<a:a> <" + skosNS + "prefLabel> \"tide\" .\n", "tide", "a line could not be read and was left out: line 1"},
		{"two bad lines", "<a:a> <b c> <a:b> .\n<a:a> <" + rdfNS + "type> <" + skosNS + "Concept> .\nnonsense\n<a:a> <" + skosNS + "prefLabel> \"tide\" .\n<a:a> <a:b> <a:c> .\n", "tide", "2 lines could not be read and were left out; the first: line 1"},
		{"a bad address in Turtle", turtleHead + "ex:a skos:inScheme ex:s .\nex:a skos:note <make me> ;\n  skos:altLabel 'x' .\nex:a skos:prefLabel 'tide' .", "tide", "a statement could not be read and was left out: line 9"},
		{"an open text in Turtle", turtleHead + "ex:b skos:note \"open .\nex:a a skos:Concept ; skos:prefLabel 'tide' .", "tide", "line 8"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.warn == "-" {
				tt.data = strings.NewReplacer("<O", "<"+owlNS, "<R", "<"+rdfNS, "<S", "<"+rdfsNS).Replace(tt.data)
				tt.want, tt.warn = "a < B; b", ""
			}
			f, err := Read([]byte(tt.data), "en")
			if err != nil {
				t.Fatal(err)
			}
			if got := terms(f); got != tt.want {
				t.Errorf("%s; want %s", got, tt.want)
			}
			if (tt.warn == "") != (len(f.Warnings) == 0) || tt.warn != "" && (len(f.Warnings) != 1 || !strings.Contains(f.Warnings[0], tt.warn)) {
				t.Errorf("warnings %q; want %q", f.Warnings, tt.warn)
			}
		})
	}
}

// TestEncodings reads XML in the encoding that it declares, and any text with a byte order mark.
func TestEncodings(t *testing.T) {
	document := func(encoding string) string {
		return `<?xml version="1.0" encoding="` + encoding + `"?>` + xmlHead + `<skos:Concept rdf:about="a"><skos:prefLabel>marée</skos:prefLabel></skos:Concept></rdf:RDF>`
	}
	files := map[string][]byte{"us-ascii": []byte(strings.ReplaceAll(document("us-ascii"), "é", "&#233;"))}
	for _, name := range []string{"ISO-8859-1", "iso-8859-15", "windows-1252", "windows-1254", "macintosh", "UTF-8"} {
		enc, err := htmlindex.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		data, err := enc.NewEncoder().Bytes([]byte(document(name)))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = data
	}
	wide := func(s string, big bool) (data []byte) {
		for _, u := range utf16.Encode([]rune(s)) {
			if big {
				data = append(data, byte(u>>8), byte(u))
			} else {
				data = append(data, byte(u), byte(u>>8))
			}
		}
		return data
	}
	files["UTF-16, marked"] = wide("\ufeff"+document("UTF-16"), false)
	files["UTF-16BE, marked"] = wide("\ufeff"+document("utf-16"), true)
	files["UTF-16, not marked"] = wide(document("UTF-16"), false)
	files["UTF-16BE, not marked"] = wide(document("UTF-16BE"), true)
	files["text in UTF-16"] = wide("\ufeffmarée\r\n", false)
	for name, data := range files {
		if f, err := Read(data, "fr"); err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := terms(f); got != "marée" {
			t.Errorf("%s: %s", name, got)
		}
	}
	for name, data := range map[string]string{"Latin-1 that says UTF-8": "<?xml version='1.0' encoding='utf-8'?>\xe9", "Latin-1 that says nothing": "mar\xe9e"} {
		if _, err := Read([]byte(data), ""); err == nil || !strings.Contains(err.Error(), "save the ontology as UTF-8") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestForeign: files of other kinds are told apart from indented text, with what to do about them.
func TestForeign(t *testing.T) {
	for _, tt := range []struct{ name, data, want string }{
		{"functional", "# a comment\nPrefix(:=<http://ex.test/>)\nOntology(<http://ex.test/o>\nDeclaration(Class(:a))\n)", "functional syntax"},
		{"functional without prefixes", "Ontology ( <http://ex.test/o>\n)", "functional syntax"},
		{"Manchester", "Prefix: : <http://ex.test/>\nOntology: <http://ex.test/o>\nClass: :a\n", "Manchester syntax"},
		{"Manchester, a class", "Class: Tide\n  SubClassOf: Sea\n", "Manchester syntax"},
		{"OBO", "format-version: 1.2\n\n[Term]\nid: T:1\nname: tide\n", "an OBO file; convert it"},
		{"OBO without a head", "! comments\n[Term]\nid: T:1\nname: tide\n", ""},
		{"OBO, terms at once", "[Term]\nid: T:1\nname: tide\n", "an OBO file"},
		{"JSON-LD", "{\n\"@graph\": []}", "convert JSON-LD to Turtle"},
		{"JSON-LD, a list", "[{\"@id\": \"a\"}]", "convert JSON-LD to Turtle"},
		{"JSON-LD, a list over lines", "[\n{\"@id\": \"a\"}]", "convert JSON-LD to Turtle"},
		{"JSON with comments", "// comment\n{\"@id\": \"a\"}", "convert JSON-LD to Turtle"},
		{"JSON texts", `["tide", "sea"]`, "JSON of another kind"},
		{"YAML", "---\ntide:\n  - spring tide\n", "YAML"},
		{"CSV", "term,parent\ntide,\nspring tide,tide\n", "a table (CSV)"},
		{"CSV with semicolons", "\"Begriff\";\"Oberbegriff\"\r\n\"Gezeit\";\"\"\r\n\"Flut; Ebbe\";\"Gezeit\"\r\n", "a table (CSV)"},
		{"tabs", "tide\tsea\nebb\ttide\n", "a table (CSV)"},
		{"CSV of numbers", "1,tide,sea\n2,ebb,tide\n3,flood,tide\n", "a table (CSV)"},
		{"OWL/XML", `<Ontology xmlns="` + owlNS + `"><Declaration/></Ontology>`, "OWL/XML; open it in Protégé"},
		{"a web page", "<!doctype html>\n<html><p>tide</html>", "XML of another kind"},
		{"XML", "<thesaurus><term>tide</term></thesaurus>", "export the terms as SKOS"},
	} {
		_, err := Read([]byte(tt.data), "")
		if tt.want == "" {
			continue
		}
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v; want %q", tt.name, err, tt.want)
		}
	}
	for name, data := range map[string]string{
		"commas":        "Bach, J. S.\nMozart, W. A.\nwind, strong\n",
		"a table below": "terms, all of them\n  tide, high\n  tide, low\n",
		"a colon":       "class struggle\nprefix: a beginning\nontology\n",
		"one line":      "term, parent\n",
		"tabs at ends":  "tide\t\n\tebb\n\tflood\n",
	} {
		if f, err := Read([]byte(data), ""); err != nil || f.Kind != Text {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestLists: a list with bullets or numbers is indented text with a mark before each term.
func TestLists(t *testing.T) {
	const want = "harbour; neap tide < tide; spring tide < tide; tide"
	for _, tt := range []struct {
		data string
		kind Kind
		want string
	}{
		{"- tide\n  - spring tide\n  - neap tide\n- harbour\n", Bullets, want},
		{"# Terms\n\n* tide\n\t+ spring tide\n\t+ neap tide\n* harbour\n", Bullets, want},
		{"• tide\r\n  – spring tide\r\n  – neap tide\r\n• harbour", Bullets, want},
		{"- [ ] tide\n  - [x] spring tide\n  - neap tide\n- harbour\n", Bullets, want},
		{"1. tide\n1.1 spring tide\n1.2 neap tide\n2. harbour\n", Numbered, want},
		{"1 tide\n  1.1. spring tide\n  1.2. neap tide\n2 harbour\n", Numbered, want},
		{"1) tide\n   1) spring tide\n   2) neap tide\n2) harbour\n", Numbered, want},
		{"tide\n  spring tide\n  neap tide\nharbour\n", Text, want},
		{"- tide\nharbour\n", Text, "- tide; harbour"},
		{"1984 novel\n42 answer\n", Text, "1984 novel; 42 answer"},
		{"-\n-\n", Text, "-; -"},
		{"* tide | flow [tide.n.01]\n", Bullets, "tide, flow"},
	} {
		f, err := Read([]byte(tt.data), "")
		if err != nil || f.Kind != tt.kind || terms(f) != tt.want {
			t.Errorf("%q: %v, %v", tt.data, f, err)
		}
	}
	if _, err := Read([]byte("- a\n    - b\n  - c\n"), ""); err == nil || !strings.Contains(err.Error(), "line 3") {
		t.Errorf("a fault in a list: %v", err)
	}
}

// TestClassesWithoutEnd: classes without name that lead to each other in every way are looked at for a bounded time.
func TestClassesWithoutEnd(t *testing.T) {
	var b strings.Builder
	b.WriteString(turtleHead + `ex:a a owl:Class ; rdfs:label "a" ; rdfs:subClassOf _:0 .` + "\n")
	for i := range 40 {
		for j := range 40 {
			fmt.Fprintf(&b, "_:%d rdfs:subClassOf _:%d ; owl:intersectionOf _:l%d . _:l%d rdf:first _:%d ; rdf:rest _:l%d .\n", i, j, i, i, j, j)
		}
	}
	f, err := Read([]byte(b.String()), "")
	if err != nil || terms(f) != "a" {
		t.Errorf("%v, %v", f, err)
	}
	b.Reset()
	b.WriteString(turtleHead)
	for i := range 600 {
		for j := range 150 {
			fmt.Fprintf(&b, "ex:%d skos:broaderTransitive ex:%d .\n", i, (i+j)%600)
		}
		fmt.Fprintf(&b, "ex:%d skos:prefLabel 'x' .\n", i)
	}
	if _, err := Read([]byte(b.String()), ""); err != nil {
		t.Error(err)
	}
}
