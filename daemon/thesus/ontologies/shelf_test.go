package ontologies

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/app/wings"
	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/store"
	"nightjar/model/ontology"
)

const music = `music
  instrument | musical instrument
    drum [drum.n.01]
    wind | pipe
  genre
    jazz
    opera
`

func TestImport(t *testing.T) {
	s := New(mustStore(t), mustDictionary(t))
	var told []int64
	s.Changed = func(id int64) { told = append(told, id) }
	o, report, err := s.Import(t.Context(), "", []byte(music), "")
	if err != nil {
		t.Fatal(err)
	}
	if o.Name != "music" || o.Count != 7 || !slices.Equal(told, []int64{o.ID}) {
		t.Errorf("stored %+v, told %v", o, told)
	}
	mustEqual(t, "report", strings.Join(report, "\n"), "The file is indented text with 7 terms on 3 levels.")
	mustEqual(t, "text", mustText(t, s, o.ID), music)
	again, err := s.NewEmpty(t.Context(), " Music  ")
	if !errors.Is(err, ErrOntologyTaken) {
		t.Errorf("a second ontology %+v with the name: %v", again, err)
	}
	if second := mustImport(t, s, "", music); second.Name != "music 2" {
		t.Errorf("the second is named %q", second.Name)
	}
	list, err := s.List(t.Context())
	if err != nil || len(list) != 2 || list[0].Name != "music" || list[0].Count != 7 || list[0].Terms != nil {
		t.Errorf("list %+v, %v", list, err)
	}
	if one, err := s.ByName(t.Context(), "MUSIC"); err != nil || one.ID != o.ID {
		t.Errorf("by name %+v, %v", one, err)
	}
	if _, err := s.ByName(t.Context(), "art"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("by another name: %v", err)
	}
}

// TestImportReport: what was repaired, left out and not found is told in sentences.
func TestImportReport(t *testing.T) {
	const file = `<http://e/a> <http://www.w3.org/2004/02/skos/core#prefLabel> "a" .
<http://e/b> <http://www.w3.org/2004/02/skos/core#prefLabel> "b" .
<http://e/c> <http://www.w3.org/2004/02/skos/core#broader> <http://e/a> .
<http://e/c> <http://www.w3.org/2004/02/skos/core#broader> <http://e/b> .
<http://e/c> <http://www.w3.org/2004/02/skos/core#prefLabel> "c" .
`
	s := New(mustStore(t), nil)
	_, report, err := s.Import(t.Context(), "", []byte(file), "")
	if err != nil {
		t.Fatal(err)
	}
	mustEqual(t, "report", strings.Join(report, "\n"), `The file is N-Triples with 4 terms on 3 levels.
"c" has more than one broader term; it was put below "a" and not below "b".
There is more than one term without a broader term ("a", "b"); a term was added above them.`)

	const senses = "thing\n  dog [dog.n.01, dog.n.09]\n  cat [cat.n.01]\n"
	if _, report, _ = s.Import(t.Context(), "x", []byte(senses), ""); !strings.Contains(report[1], "names 3 senses") {
		t.Errorf("without WordNet: %q", report)
	}
	s = New(s.store, mustDictionary(t))
	_, report, err = s.Import(t.Context(), "y", []byte(senses), "")
	if err != nil || len(report) != 2 || report[1] != `WordNet lacks 2 senses, which will not be used: dog.n.09 of "dog", cat.n.01 of "cat".` {
		t.Errorf("%q, %v", report, err)
	}
}

func TestImportRefuses(t *testing.T) {
	s := New(mustStore(t), nil)
	for file, want := range map[string]string{
		"":              "no terms",
		"a\n   b\n  c":  "line 3",
		"\x00\x01":      "line 1: this is not UTF-8",
		"<rdf:RDF":      "RDF/XML",
		"{\"@graph\":[": "JSON-LD",
		"<http://e/a> <http://www.w3.org/2004/02/skos/core#broader> <http://e/b> .\n<http://e/b> <http://www.w3.org/2004/02/skos/core#broader> <http://e/a> .\n": "below the first",
		strings.Repeat("a\n", ontology.MaxTerms+1): "more than 20000 terms",
	} {
		if o, _, err := s.Import(t.Context(), "", []byte(file), ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %+v, %v, want %q", file, o, err, want)
		}
	}
	for _, name := range []string{strings.Repeat("x", MaxOntologyName+1), "a\x01b", "a\u202eb"} {
		if _, _, err := s.Import(t.Context(), name, []byte(music), ""); !errors.Is(err, ErrOntologyName) {
			t.Errorf("name %.20q: %v", name, err)
		}
	}
	if list, err := s.List(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("stored %+v, %v", list, err)
	}
}

// TestCache: a tree is read again only when it changed, and terms when the tree or WordNet did.
func TestCache(t *testing.T) {
	words := mustDictionary(t)
	s := New(mustStore(t), words)
	o := mustImport(t, s, "", music)
	tree, terms, err := s.Terms(t.Context(), o.ID)
	if err != nil {
		t.Fatal(err)
	}
	if again, same, _ := s.Terms(t.Context(), o.ID); again != tree || same != terms {
		t.Error("the same ontology was made twice")
	}
	words.fingerprint, words.net = "", nil
	_, without, err := s.Terms(t.Context(), o.ID)
	if err != nil || without == terms {
		t.Errorf("the terms are of a WordNet that is gone, %v", err)
	}
	if _, ok := without.Labelled("jazz"); !ok {
		t.Error("labels are not found without WordNet")
	}
	key := tree.Term(1).Key
	if err := s.Apply(t.Context(), o.ID, ontology.Edit{Action: ontology.Rename, Key: key, Labels: []string{"tool"}}); err != nil {
		t.Fatal(err)
	}
	changed, terms, err := s.Terms(t.Context(), o.ID)
	if err != nil || changed.Label(1) != "tool" || tree.Label(1) != "instrument" || changed.Term(1).Key != key {
		t.Errorf("after an edit %q, %v", changed.Label(1), err)
	}
	if _, ok := terms.Labelled("tool"); !ok {
		t.Error("the new label is not found")
	}
	for range maxRecent + 2 { // others push it out
		mustTree(t, s, mustImport(t, s, "", music).ID)
	}
	if s.recent.Len() != maxRecent {
		t.Errorf("%d trees in memory", s.recent.Len())
	}
	if err := s.Delete(t.Context(), o.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Tree(t.Context(), o.ID); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a deleted ontology: %v", err)
	}
}

// TestEraseAll: nothing of an ontology is left, neither in memory nor in the file; erasing a site keeps it.
func TestEraseAll(t *testing.T) {
	s := New(mustStore(t), nil)
	o := mustImport(t, s, "Instruments", "quintessence\n  zinfandel\n")
	if err := s.Apply(t.Context(), o.ID, ontology.Edit{Action: ontology.Remove, Key: "zinfandel"}); err != nil {
		t.Fatal(err)
	}
	mustTree(t, s, o.ID)
	if _, err := erasing.Host(t.Context(), s.store, wings.Erasing, "a.test"); err != nil {
		t.Fatal(err)
	}
	mustEqual(t, "after a site was erased", mustText(t, s, o.ID), "quintessence\n")
	if err := erasing.All(t.Context(), s.store); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Tree(t.Context(), o.ID); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("an erased ontology: %v", err)
	}
	for _, suffix := range []string{"", "-wal"} {
		text, err := os.ReadFile(s.store.Path() + suffix)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{"quintessence", "zinfandel", "Instruments"} {
			if strings.Contains(string(text), word) {
				t.Errorf("the file%s has %q", suffix, word)
			}
		}
	}
}
