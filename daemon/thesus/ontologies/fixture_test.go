package ontologies

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
	"nightjar/model/ontology"
	"nightjar/model/wordnet"
)

// dictionary is the made-up WordNet of model/wordnet. Its fingerprint is the number of times it was replaced.
type dictionary struct {
	net         *wordnet.Net
	fingerprint string
}

func (d *dictionary) Net() *wordnet.Net            { return d.net }
func (d *dictionary) Fingerprint() string          { return d.fingerprint }
func (d *dictionary) Gloss(s wordnet.Sense) string { return "gloss of " + d.net.Name(s) }

func mustDictionary(t *testing.T) *dictionary {
	t.Helper()
	files := wordnet.Files{}
	for _, name := range wordnet.Names() {
		f, err := os.Open(filepath.Join("../../../model/wordnet/testdata/tiny", name))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = f.Close() }) // it was only read
		files[name] = f
	}
	net, err := wordnet.Read(files)
	if err != nil {
		t.Fatal(err)
	}
	return &dictionary{net, "tiny"}
}

func mustStore(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), storetest.Path(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// mustText is an ontology as indented text.
func mustText(t *testing.T, s *Shelf, id int64) string {
	t.Helper()
	var b strings.Builder
	if err := s.Export(t.Context(), id, Text, &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func mustImport(t *testing.T, s *Shelf, name, text string) Ontology {
	t.Helper()
	o, _, err := s.Import(t.Context(), name, []byte(text), "")
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func mustTree(t *testing.T, s *Shelf, id int64) *ontology.Tree {
	t.Helper()
	tree, err := s.Tree(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func mustEqual(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Fatalf("%s\ngot\n%s\nwant\n%s", what, got, want)
	}
}
