package operators

import (
	"context"
	"errors"

	"nightjar/daemon/store"
	"nightjar/model/senses"
	"nightjar/model/wordnet"
)

// wordSet evaluates a set of words.
func (e *evaluator) wordSet(ctx context.Context, set *node) (*value, error) {
	if set.isAll() {
		return &value{kind: Words, all: true}, nil
	}
	if len(set.items) == 1 && set.items[0].kind != word { // keeps what was counted
		return e.wordItem(ctx, set.items[0])
	}
	v := &value{kind: Words}
	seen := map[int64]bool{}
	known, err := e.lookUp(ctx, set)
	if err != nil {
		return nil, err
	}
	for _, one := range set.items {
		some := &value{}
		if one.kind == word {
			some.words = known[one.text]
		} else if some, err = e.wordItem(ctx, one); err != nil || some.all {
			return some, err
		}
		for _, w := range some.words {
			if !seen[w.ID] {
				seen[w.ID] = true
				v.words = append(v.words, CountedWord{ID: w.ID, Word: w.Word})
			}
		}
	}
	return v, nil
}

// lookUp finds the words that are written in a set, otherwise their base forms.
func (e *evaluator) lookUp(ctx context.Context, set *node) (map[string][]CountedWord, error) {
	var written []string
	for _, one := range set.items {
		if one.kind == word {
			written = append(written, one.text)
		}
	}
	known := map[string][]CountedWord{}
	if written == nil {
		return known, nil
	}
	ids, err := e.graph.Words(ctx, written)
	if err != nil {
		return nil, err
	}
	bases := map[string]string{} // of words that no link has
	var more []string
	for _, one := range written {
		if id := ids[one]; id != 0 {
			known[one] = []CountedWord{{ID: id, Word: one}}
		} else if base := e.base(one); base != "" {
			bases[one], more = base, append(more, base)
		}
	}
	if more != nil {
		if ids, err = e.graph.Words(ctx, more); err != nil {
			return nil, err
		}
	}
	for _, one := range written {
		if id := ids[bases[one]]; known[one] == nil && id != 0 {
			known[one] = []CountedWord{{ID: id, Word: bases[one]}}
		} else if known[one] == nil {
			e.note("no link has the word %q", one)
		}
	}
	return known, nil
}

// base is the base form of a word as it is stored for links, "" if WordNet is not there or lacks it.
func (e *evaluator) base(word string) string {
	form, _ := senses.Lookup(wordnet.Of(e.engine.opts.WordNet), word)
	return form
}

// wordItem evaluates a member of a set of words that is not a word.
func (e *evaluator) wordItem(ctx context.Context, n *node) (*value, error) {
	e.at = n.at
	if n.kind != term {
		v, err := e.value(ctx, n)
		if err == nil && v.kind != Words {
			err = e.fault(n, "expected words; this is a set of %s", v.kind)
		}
		return v, err
	}
	words, err := e.graph.TermWords(ctx, n.text)
	switch {
	case errors.Is(err, ErrNoTerms):
		return nil, e.fault(n, "there are no terms yet; group pages with an ontology first, on the page Explore")
	case errors.Is(err, store.ErrNotFound):
		return nil, e.fault(n, "the ontology of the newest grouping has no term %q", n.text)
	case err == nil && len(words) == 0:
		e.note("no word was mapped to the term %q or to one below it", n.text)
	}
	return &value{kind: Words, words: words, counted: "pages with the term"}, err
}
