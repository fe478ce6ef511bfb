package groups

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// sample is the pages to cluster, one of each category in turn, so that its beginning is a smaller sample of the same kind.
type sample struct {
	pages      []int
	category   []int // of each page, a place in categories
	categories []sampled
}

// sampled is a category of the sample.
type sampled struct {
	Label string `json:"label"`
	Pages int    `json:"pages"`
}

// drawSample takes pages of the largest categories that are in no other category and that at least two pages link to.
func drawSample(w *web, o *options) (*sample, error) {
	all := w.categories(len(o.Subjects), true, rand.New(rand.NewPCG(o.Seed, 71)))
	for _, c := range all {
		if !slices.ContainsFunc(o.Subjects, func(s subject) bool { return s.Label == c.Label }) {
			return nil, fmt.Errorf("%q is among the largest categories of this recording, and no sense of WordNet is named for it", c.Label)
		}
	}
	s := &sample{}
	for _, c := range all {
		s.categories = append(s.categories, sampled{Label: c.Label})
	}
	for round := 0; len(s.pages) < o.Pages; round++ {
		before := len(s.pages)
		for k, c := range all {
			if round < len(c.Pages) && len(s.pages) < o.Pages {
				s.pages, s.category = append(s.pages, c.Pages[round]), append(s.category, k)
				s.categories[k].Pages++
			}
		}
		if len(s.pages) == before {
			break // all pages are taken
		}
	}
	if len(all) < 2 || len(s.pages) < 2 {
		return nil, fmt.Errorf("the recording has %d pages of %d categories that can be clustered; two of each are needed", len(s.pages), len(all))
	}
	return s, nil
}

// first are the places in the sample of the first pages of its first categories, taken in turn.
func (s *sample) first(pages, categories int) []int {
	var places []int
	for i, k := range s.category {
		if k < categories && len(places) < pages {
			places = append(places, i)
		}
	}
	return places
}
