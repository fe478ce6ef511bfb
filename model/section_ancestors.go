package model

import (
	"errors"
	"fmt"
)

// MaxAncestors is the largest number of ancestors that a model keeps.
const MaxAncestors = 1200

// Ancestor is a page beyond those of the session from which links lead to one of them: a document of the context graphs of
// [CGS] §3.1, where a search engine's backlinks find them. Its address is not kept.
type Ancestor struct {
	Key   uint64 // hash of its canonical address (package online)
	Words Words
	Links []int // where it links to: i < len(Bundle.Pages) is a page of the session, the others are Ancestors[i-len(Bundle.Pages)]
}

// WithAncestors returns the bundle with these ancestors, nil for none. It shares the slices of b.
func (b *Bundle) WithAncestors(all []Ancestor) *Bundle {
	c := b.without("ancestors")
	c.Ancestors = all
	return c
}

// ancestorsSection is the section "ancestors".
type ancestorsSection struct {
	Pages []storedAncestor `cbor:"pages"`
}

// storedAncestor is the stored form of an Ancestor.
type storedAncestor struct {
	_     struct{} `cbor:",toarray"`
	Key   uint64
	Words packedWords
	Links packedCounts
}

func (s *ancestorsSection) from(b *Bundle) bool {
	for _, a := range b.Ancestors {
		s.Pages = append(s.Pages, storedAncestor{Key: a.Key, Words: packedWords(a.Words), Links: a.Links})
	}
	return len(s.Pages) > 0
}

func (s *ancestorsSection) into(b *Bundle) error {
	for _, a := range s.Pages {
		b.Ancestors = append(b.Ancestors, Ancestor{Key: a.Key, Words: Words(a.Words), Links: a.Links})
	}
	return nil
}

func (b *Bundle) checkAncestors() error {
	if len(b.Ancestors) > MaxAncestors {
		return errors.New("there are more ancestors than a model keeps")
	}
	for i, a := range b.Ancestors {
		if err := a.Words.check(len(b.Features.Terms)); err != nil {
			return err
		}
		for _, to := range a.Links {
			if to < 0 || to >= len(b.Pages)+len(b.Ancestors) || to == len(b.Pages)+i {
				return fmt.Errorf("ancestor %d links to a page that the model lacks", i)
			}
		}
	}
	return nil
}
