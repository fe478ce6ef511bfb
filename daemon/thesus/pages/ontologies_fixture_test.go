package pages

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"nightjar/daemon/thesus/ontologies"
	"nightjar/model/ontology"
	"nightjar/model/wordnet"
)

// tinyWordNet is the made-up WordNet of model/wordnet, until a test takes its net away.
type tinyWordNet struct {
	net   *wordnet.Net
	gloss string // of every sense
}

func (w *tinyWordNet) Net() *wordnet.Net          { return w.net }
func (w *tinyWordNet) Gloss(wordnet.Sense) string { return w.gloss }
func (w *tinyWordNet) Fingerprint() string {
	if w.net == nil {
		return ""
	}
	return "tiny"
}

var tinyNet = sync.OnceValues(func() (*wordnet.Net, error) {
	files := wordnet.Files{}
	for _, name := range wordnet.Names() {
		f, err := os.Open(filepath.Join("../../../model/wordnet/testdata/tiny", name))
		if err != nil {
			return nil, err
		}
		defer f.Close()
		files[name] = f
	}
	return wordnet.Read(files)
})

func mustWordNet(t testing.TB) *tinyWordNet {
	t.Helper()
	net, err := tinyNet()
	if err != nil {
		t.Fatal(err)
	}
	return &tinyWordNet{net, "what it is"}
}

const musicTree = `music
  tools | instruments
    wind | pipe [wind.n.02]
      flute
    drum
  genre
    jazz
`

// withOntology is the ontology of the store, or one of music with a change that can be undone and one that can be redone.
func (f *fixture) withOntology(t testing.TB) int64 {
	t.Helper()
	all, err := f.ontologies.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(all) > 0 {
		return all[0].ID
	}
	o := f.mustImport(t, "", musicTree)
	for _, label := range []string{"opera", "blues"} {
		e := ontology.Edit{Action: ontology.Add, Parent: "genre", Terms: []ontology.Term{{Key: label, Labels: []string{label}}}}
		if err := f.ontologies.Apply(t.Context(), o.ID, e); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := f.ontologies.Undo(t.Context(), o.ID); err != nil {
		t.Fatal(err)
	}
	return o.ID
}

func (f *fixture) mustImport(t testing.TB, name, text string) ontologies.Ontology {
	t.Helper()
	o, _, err := f.ontologies.Import(t.Context(), name, []byte(text), "")
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// spoilOntologies writes a text into every place of an ontology that a stranger can fill.
func (f *fixture) spoilOntologies(t testing.TB, evil string) {
	t.Helper()
	f.Exec(t, `UPDATE ontologies SET name = id || ?1, changed_at = changed_at + 1,
		terms = (SELECT json_group_array(json_set(value, '$.labels', json_array(?1, 'x' || ?1), '$.senses', json_array('wind.n.01', 'x' || ?1))) FROM json_each(terms))`, "x"+evil)
	f.Exec(t, `UPDATE ontology_edits SET edit = json_set(edit, '$.terms[0].labels', json_array(?1))`, "x"+evil)
	f.words.gloss = "x" + evil
}
