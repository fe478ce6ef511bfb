package ontologies

import (
	"context"
	"fmt"
	"io"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"

	"nightjar/daemon/store"
	format "nightjar/daemon/thesus/ontology"
	"nightjar/model/ontology"
	"nightjar/model/senses"
	"nightjar/model/wordnet"
)

// WordNet is where the senses of words are. Without it, an ontology has labels only.
type WordNet interface {
	wordnet.Source
	Gloss(s wordnet.Sense) string // the definition; "" when it cannot be read
	Fingerprint() string          // of the files; "" when there is none
}

// Shelf holds the ontologies of a store.
type Shelf struct {
	// Changed is called with an ontology's id after it or its place in the list changed. It may be nil. Set it before the
	// shelf is used.
	Changed func(id int64)

	store *store.Store
	words WordNet // nil: there is no WordNet

	recent *lru.Cache[int64, *kept] // by the number of the ontology
}

// New makes a shelf. words may be nil.
func New(s *store.Store, words WordNet) *Shelf {
	recent, _ := lru.New[int64, *kept](maxRecent) // the only error is a size of 0
	return &Shelf{store: s, words: words, recent: recent}
}

// maxRecent is how many trees are kept in memory. One of 20,000 terms takes about 10 MB.
const maxRecent = 4

// kept is an ontology in memory.
type kept struct {
	head Ontology // without its terms
	tree *ontology.Tree

	mu          sync.Mutex // held while the terms are made
	terms       *senses.Terms
	fingerprint string // of the WordNet of terms
}

// net is the current WordNet, or nil.
func (s *Shelf) net() *wordnet.Net { return wordnet.Of(s.words) }

// HasWordNet reports whether there is a WordNet now.
func (s *Shelf) HasWordNet() bool { return s.net() != nil }

// List lists the ontologies by name.
func (s *Shelf) List(ctx context.Context) ([]Ontology, error) { return All(ctx, s.store.DB) }

// Head is one ontology without its terms, or store.ErrNotFound.
func (s *Shelf) Head(ctx context.Context, id int64) (Ontology, error) {
	return Head(ctx, s.store.DB, id)
}

// ByName is the ontology with a name, or an error that wraps store.ErrNotFound. The case of ASCII letters does not count.
func (s *Shelf) ByName(ctx context.Context, name string) (Ontology, error) {
	o, err := ByName(ctx, s.store.DB, name)
	if err != nil {
		return o, fmt.Errorf("ontology %q: %w", name, err)
	}
	return o, nil
}

// TreeByName is the tree of the ontology with a name, with the name as it is stored. Errors are those of ByName and Tree.
func (s *Shelf) TreeByName(ctx context.Context, name string) (title string, tree *ontology.Tree, err error) {
	o, err := s.ByName(ctx, name)
	if err == nil {
		tree, err = s.Tree(ctx, o.ID)
	}
	return o.Name, tree, err
}

// Tree returns the tree of an ontology. The error is store.ErrNotFound if there is none.
func (s *Shelf) Tree(ctx context.Context, id int64) (*ontology.Tree, error) {
	k, err := s.load(ctx, id)
	if err != nil {
		return nil, err
	}
	return k.tree, nil
}

// Terms is the tree of an ontology, and its terms with the senses that the WordNet at hand has.
func (s *Shelf) Terms(ctx context.Context, id int64) (*ontology.Tree, *senses.Terms, error) {
	k, err := s.load(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	return k.tree, k.sensed(s.words), nil
}

func (k *kept) sensed(words WordNet) *senses.Terms {
	k.mu.Lock()
	defer k.mu.Unlock()
	var net *wordnet.Net
	fingerprint := ""
	if words != nil {
		net, fingerprint = words.Net(), words.Fingerprint()
	}
	if k.terms == nil || k.fingerprint != fingerprint {
		k.terms, _ = senses.NewTerms(k.tree, net)
		k.fingerprint = fingerprint
	}
	return k.terms
}

// load is the ontology as it is stored now, read only if it has changed since it was read.
func (s *Shelf) load(ctx context.Context, id int64) (*kept, error) {
	head, err := Head(ctx, s.store.DB, id)
	if err != nil {
		return nil, fmt.Errorf("ontology %d: %w", id, err)
	}
	if k, ok := s.recent.Get(id); ok && same(k.head, head) {
		return k, nil
	}
	o, err := ByID(ctx, s.store.DB, id)
	if err != nil {
		return nil, fmt.Errorf("ontology %d: %w", id, err)
	}
	tree, err := o.Tree()
	if err != nil {
		return nil, err
	}
	o.Terms = nil
	k := &kept{head: o, tree: tree}
	s.recent.Add(id, k)
	return k, nil
}

func same(a, b Ontology) bool {
	return a.ID == b.ID && a.Name == b.Name && a.ChangedAt.Equal(b.ChangedAt) && a.CreatedAt.Equal(b.CreatedAt)
}

func (s *Shelf) changed(id int64) {
	if s.Changed != nil {
		s.Changed(id)
	}
}

// Rename gives an ontology another name. The errors are store.ErrNotFound, ErrOntologyName and ErrOntologyTaken.
func (s *Shelf) Rename(ctx context.Context, id int64, name string) error {
	err := Rename(ctx, s.store.DB, id, name)
	if err == nil {
		s.changed(id)
	}
	return err
}

// Delete deletes an ontology with the groupings that were made with it.
func (s *Shelf) Delete(ctx context.Context, id int64) error {
	err := Delete(ctx, s.store.DB, id)
	if err == nil {
		s.recent.Remove(id)
		s.changed(id)
	}
	return err
}

// Kinds of files that Export writes.
const (
	Text     = "text"
	NTriples = "ntriples"
)

// Export writes an ontology as indented text or as SKOS in N-Triples.
func (s *Shelf) Export(ctx context.Context, id int64, kind string, w io.Writer) error {
	tree, err := s.Tree(ctx, id)
	if err != nil {
		return err
	}
	switch kind {
	case Text:
		return format.WriteText(w, tree)
	case NTriples:
		return format.WriteNTriples(w, tree)
	}
	return fmt.Errorf("an ontology is written as %s or %s, not as %q", Text, NTriples, kind)
}
