package ontology

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const turtlePrefixes = `@prefix s: <http://www.w3.org/2004/02/skos/core#> . @prefix r: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix o: <http://www.w3.org/2002/07/owl#> . @prefix : <http://a.test/m#> .
`

// TestTerms: which nodes are terms, and with which labels and parents. A term is written "key label|label^parent,parent".
func TestTerms(t *testing.T) {
	for _, tt := range []struct {
		name, language, data string
		want, warnings       []string
	}{
		{"classes without labels", "", `:MusicGenre r:subClassOf :Music . :AC_DC-fan%20x a o:Class .`,
			[]string{":MusicGenre Music genre^:Music", ":Music Music", ":AC_DC-fan%20x AC DC fan x"},
			[]string{`line 3: "http://a.test/m#MusicGenre" has no label; it is called "Music genre"`, `it is called "Music"`, `it is called "AC DC fan x"`}},
		{"classes below everything", "", `:a r:subClassOf o:Thing ; r:label "a" . :b r:subClassOf r:Resource, :a ; r:label "b" .`, []string{":a a", ":b b^:a"}, nil},
		{"classes that OWL builds", "", `:a a o:Class ; r:label "a" ; r:subClassOf [ a o:Restriction ; r:label "no" ], [ a o:Class ], :b . :b r:label "b" .`, []string{":a a^:b", ":b b"}, nil},
		{"schemes and collections", "", `:x a s:ConceptScheme ; s:prefLabel "no" . :y a s:Collection ; r:label "no" . :a a s:Concept ; s:prefLabel "a" ; s:broader :x ; s:inScheme :x .`,
			[]string{":a a"}, nil},
		{"labels alone are no terms", "", `:x r:label "no" . :a a s:Concept ; s:prefLabel "a" .`, []string{":a a"}, nil},
		{"an unknown broader term stays for Build to report", "", `:a s:prefLabel "a" ; s:broader :b .`, []string{":a a^:b"}, nil},
		{"an unknown narrower term is left out", "", `:a s:prefLabel "a" ; s:narrower :b .`, []string{":a a"}, nil},
		{"both directions", "", `:a s:prefLabel "a" ; s:narrower :b . :b s:prefLabel "b" ; s:broader :a, :c . :c a s:Concept ; r:label "c" .`, []string{":a a", ":b b^:a,:a,:c", ":c c"}, nil},
		{"terms without an address", "", `_:x s:prefLabel "x" ; s:narrower [ s:prefLabel "y" ] .`, []string{"_:x x", "_:#1 y^_:x"}, nil},

		{"preferred, RDFS, synonym", "", `:a a s:Concept ; s:altLabel "three" ; r:label "two" ; s:prefLabel "one" ; s:altLabel "four" .`, []string{":a one|two|three|four"}, nil},
		{"the language first", "", `:a a s:Concept ; s:prefLabel "none", "deux"@fr, "British"@en-GB, "English"@en .`, []string{":a British|English|none"}, nil},
		{"another language", "FR", `:a a s:Concept ; s:prefLabel "one"@en, "un"@fr-CA ; s:altLabel "x" .`, []string{":a un|x"}, nil},
		{"none in the language", "fr", `:a a s:Concept ; s:altLabel "eins"@de ; s:prefLabel "uno"@it, "Eins"@de .`, []string{":a Eins|eins"}, nil},
		{"white space and invisible characters", "", `:a a s:Concept ; s:prefLabel "  a\n b\u00ad\u200ec\u0007 " .`, []string{":a a bc"}, nil},
		{"long labels", "", `:a a s:Concept ; s:prefLabel "` + strings.Repeat("é", 250) + `" .`, []string{":a " + strings.Repeat("é", 200)}, []string{"is longer than 200 characters and was cut"}},
		{"keys of Nightjar", "", `<urn:nightjar:term:a%20b> a s:Concept ; s:prefLabel "x" . :c s:prefLabel "c" ; s:broader <urn:nightjar:term:a%20b> .`, []string{"a b x", ":c c^a b"}, nil},

		{"labels that are addresses", "", "\n:a a s:Concept ; r:label :x ; s:prefLabel 'a' .", []string{":a a"}, []string{`line 4: the label of "http://a.test/m#a" is an address`}},
		{"parents that are texts", "", `:a s:prefLabel "a" ; s:narrower :b . :b s:prefLabel "b" ; s:broader "A" .`, []string{":a a", ":b b^:a"}, []string{`has the text "A" for a related term`}},
		{"senses that are none", "", `:a a s:Concept ; s:prefLabel "a" ; s:closeMatch <urn:wordnet:wind>, <http://b.test/x>, <urn:wordnet:%zz> .`, []string{":a a"}, []string{`"wind" is not a WordNet sense`, `"%zz"`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, err := Read([]byte(turtlePrefixes+tt.data), tt.language)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, item := range f.Items {
				line := item.Key + " " + strings.Join(item.Labels, "|")
				if len(item.Parents) > 0 {
					line += "^" + strings.Join(item.Parents, ",")
				}
				got = append(got, strings.ReplaceAll(line, "http://a.test/m#", ":"))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
			if len(f.Warnings) != len(tt.warnings) {
				t.Fatalf("warnings %q, want %q", f.Warnings, tt.warnings)
			}
			for i, w := range tt.warnings {
				if !strings.Contains(f.Warnings[i], w) {
					t.Errorf("warning %q, want %q", f.Warnings[i], w)
				}
			}
		})
	}
}

// TestEqualLabels: terms of indented text with one label are different terms, and a warning names both lines.
func TestEqualLabels(t *testing.T) {
	f, err := Read([]byte("music\n  flute\nflute (2)\n  flute\n  flute [flute.n.02] \n"), "")
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, item := range f.Items {
		keys = append(keys, item.Key)
	}
	if diff := cmp.Diff([]string{"music", "flute", "flute (2)", "flute (3)", "flute (4)"}, keys); diff != "" {
		t.Error(diff)
	}
	if len(f.Warnings) != 2 || !strings.HasPrefix(f.Warnings[0], `line 4: "flute" is also on line 2;`) {
		t.Errorf("warnings %q", f.Warnings)
	}
}

func TestResolve(t *testing.T) {
	for _, tt := range []struct{ base, ref, want string }{
		{"", "x", "x"}, {"", "#x", "#x"}, {"http://a.test/b/c", "http://x", "http://x"}, {"http://a.test/b/c", "d", "http://a.test/b/d"},
		{"http://a.test/b/c", "#d", "http://a.test/b/c#d"}, {"http://a.test/b/c#", "#d", "http://a.test/b/c#d"}, {"http://a.test/b/c", "../d", "http://a.test/d"},
		{"http://a.test/b", "_:x", "_:x"}, {"http://[", "x", "x"}, {"http://a.test/", "%zz", "%zz"}, {"urn:x:y", "#z", "urn:x:y#z"}, {"http://a.test/b", "1a:b", "1a:b"},
	} {
		if got := resolve(tt.base, tt.ref); got != tt.want {
			t.Errorf("%q at %q is %q, want %q", tt.ref, tt.base, got, tt.want)
		}
	}
}
