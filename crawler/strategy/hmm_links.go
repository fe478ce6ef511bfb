package strategy

import (
	"maps"
	"math"
	"slices"

	"nightjar/model"
	"nightjar/model/naivebayes"
	"nightjar/model/text"
	"nightjar/model/tfidf"
)

// linkStates says how many links from a useful page the text of a link places the page behind it: P(link | T_j), by a multinomial
// model of the words of anchor texts. It learns from the session's links between visited pages, since the states of those are known.
type linkStates struct {
	bundle *model.Bundle
	column map[string]int32 // of each stem in the links that it learned from
	words  *naivebayes.Multinomial
}

// newLinkStates is nil when no link between visited pages has a text.
func newLinkStates(b *model.Bundle) *linkStates {
	s := &linkStates{bundle: b, column: map[string]int32{}}
	var rows []tfidf.Vector
	var states []int
	for _, l := range b.Lessons.Links {
		if l.To < 0 {
			continue
		}
		in := b.LanguageOf(l.From)
		for _, stem := range slices.Sorted(maps.Keys(b.StemsIn(in, l.Anchor))) {
			if _, known := s.column[stem]; !known {
				s.column[stem] = int32(len(s.column))
			}
		}
		rows, states = append(rows, s.row(in, l.Anchor)), append(states, b.Pages[l.To].State)
	}
	if len(s.column) == 0 {
		return nil
	}
	s.words = naivebayes.FitMultinomial(rows, states, len(b.Initial), len(s.column))
	return s
}

// row has a 1 for each known stem of an anchor text.
func (s *linkStates) row(in text.Language, anchor string) (v tfidf.Vector) {
	for stem := range s.bundle.StemsIn(in, anchor) {
		if c, known := s.column[stem]; known {
			v.Index = append(v.Index, c)
		}
	}
	slices.Sort(v.Index)
	v.Value = slices.Repeat([]float64{1}, len(v.Index))
	return v
}

// evidence is proportional to P(link | T_j) for each state, at most 1; nil when no word of the anchor text is known.
func (s *linkStates) evidence(in text.Language, anchor string) []float64 {
	row := s.row(in, anchor)
	if len(row.Index) == 0 {
		return nil
	}
	e := make([]float64, len(s.words.LogTerm))
	for j, term := range s.words.LogTerm {
		e[j] = row.Dense(term)
	}
	most := slices.Max(e)
	for j := range e {
		e[j] = math.Exp(e[j] - most)
	}
	return e
}
