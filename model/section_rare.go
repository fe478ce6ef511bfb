package model

import (
	"errors"
	"slices"
)

// rareSection is the section "rare": words of the session's pages that are no features. A model without it was trained
// before they were kept, or has none.
type rareSection struct {
	Terms packedNames   `cbor:"terms"`
	Pages []packedWords `cbor:"pages"`
}

func (s *rareSection) from(b *Bundle) bool {
	*s = rareSection{Terms: b.Rare.Terms, Pages: wordsAs[packedWords](b.Rare.Pages)}
	return len(s.Terms) > 0
}

func (s *rareSection) into(b *Bundle) error {
	b.Rare = Rare{Terms: s.Terms, Pages: wordsAs[Words](s.Pages)}
	return nil
}

func (b *Bundle) checkRare() error {
	r := &b.Rare
	switch {
	case len(r.Terms) == 0 && len(r.Pages) == 0:
		return nil
	case len(r.Pages) != len(b.Pages) || len(r.Terms) > maxRare:
		return errors.New("the rare words are of other pages, or more than a model keeps")
	case !slices.IsSorted(r.Terms):
		return errors.New("the rare words are not sorted")
	}
	for _, w := range r.Pages {
		if err := w.check(len(r.Terms)); err != nil {
			return err
		}
	}
	return nil
}

// check returns an error for words that do not ascend, are not in [0, terms), or have no count.
func (w Words) check(terms int) error {
	if len(w.Index) != len(w.Count) {
		return errors.New("the words of a page and their counts differ in number")
	}
	for i, f := range w.Index {
		if f < 0 || int(f) >= terms || i > 0 && f <= w.Index[i-1] || w.Count[i] < 1 {
			return errors.New("a page holds a word that the model does not have")
		}
	}
	return nil
}
