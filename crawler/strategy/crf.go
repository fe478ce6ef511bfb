package strategy

import (
	"context"
	"fmt"
	"math"
	"slices"

	"nightjar/crawler/feature"
	"nightjar/model"
	"nightjar/model/crf"
	"nightjar/model/online"
	"nightjar/model/ways"
)

var crfKind = Kind{
	Name:    "crf",
	Summary: "follows the link whose words and position most resemble a step on your paths to useful pages, using a conditional random field",
	Look:    10, Needs: Ways, Best: "no other looked more like a step on your own paths",
	New: func(_ context.Context, b *model.Bundle) (Strategy, error) { return newCRF(b) },
}

// crfStrategy follows links by the conditional random field of [CRF] §5.2.5. It represents a path by the state of the chain
// after the last page, α and δ over the labels. A link advances the state, and its score is the expected value of the label
// behind it:
//
//	ᾱ(y) = logsumexp_{y'} (α(y') + A[y'][y]) + Σ_{f∈g} V[f][y];   p(y) = softmax ᾱ;   score = Σ_y R(y)·p(y)
//
// The state behind the link is the link's note, so that a better later way to the same address replaces the score and the
// state together. When the page comes, its features are added.
//
// Which pages are relevant, and what the person is shown, is decided as for all strategies. Judgement.Signs tells the label
// of a page, see Labels.
type crfStrategy struct {
	reader
	ways   *ways.Ways
	field  *crf.Model
	worth  []float64
	sets   feature.Sets
	number *ways.Reader
	hops   []int // of each label, or nil when the labels are milestones
}

// newCRF makes the strategy of a bundle that holds ways.
func newCRF(b *model.Bundle) (Strategy, error) {
	w := b.Ways
	sets, err := feature.ParseSets(w.HeadingSets)
	if err != nil {
		return nil, fmt.Errorf("the model's sets of headings: %w", err)
	}
	return &crfStrategy{
		reader: reader{b, "crf"}, ways: w, field: w.Field, worth: w.Worth(w.Reward), sets: sets, number: w.Reader(), hops: hopsOf(w, len(b.Initial)),
	}, nil
}

// hopsOf lists the hop that each label stands for; nil when the labels are milestones, or count farther than the model.
func hopsOf(w *ways.Ways, states int) []int {
	if w.Labelling != ways.Hops {
		return nil
	}
	hops := make([]int, len(w.Labels))
	for y, label := range w.Labels {
		hop, ok := ways.Hop(label)
		if !ok || hop >= states {
			return nil
		}
		hops[y] = hop
	}
	return hops
}

// Read moves the path's state to the page, and scores the page's links.
func (s *crfStrategy) Read(_ context.Context, v Visit) (Judgement, error) {
	j, _ := s.read(v)
	reader := feature.Of(v.Page)
	words := s.number.Page(reader.Page(v.Page, s.sets))
	state, link := s.arrive(v, words)
	j.Signs = s.signs(words, link)
	j.States = s.states(state)
	j.Path = wayPath(state)
	j.Priorities, j.Notes = make([]Priority, len(v.Page.Links)), make([][]byte, len(v.Page.Links))
	follow := s.field.From(state)
	for i := range v.Page.Links {
		features := s.number.Link(reader.Link(v.Page, i))
		score, winner := follow.Score(features, s.worth)
		n := wayNote{label: uint8(winner), behind: follow.Link(features), features: features}
		j.Priorities[i], j.Notes[i] = scoreKey(score), n.bytes()
	}
	return j, nil
}

// arrive is the state after a page, and the note of the link that led there, nil without one. A start page begins a path.
// A link without a note, as on a copy of another page, says nothing but that it is a link.
func (s *crfStrategy) arrive(v Visit, words []int32) (crf.State, *wayNote) {
	if v.Start {
		return s.field.Start(words), nil
	}
	if n, ok := readWayNote(v.Note, s.field.Labels); ok {
		return s.field.Arrive(n.behind, words), &n
	}
	if before, ok := readWayPath(v.Parent, s.field.Labels); ok {
		return s.field.Arrive(s.field.Follow(before, nil), words), nil
	}
	return s.field.Start(words), nil
}

// states is P(T_j | the path), when the labels are hops.
func (s *crfStrategy) states(state crf.State) []float64 {
	if s.hops == nil {
		return nil
	}
	states := make([]float64, len(s.bundle.Initial))
	for y, p := range crf.Softmax(state.Alpha) {
		states[s.hops[y]] += p
	}
	return states
}

// signs is s_t, what the page and the link to it say for each label: natural logarithms, the largest 0, to 4 decimals.
func (s *crfStrategy) signs(words []int32, link *wayNote) []float64 {
	sum := make([]float64, s.field.Labels)
	addRows(sum, &s.field.Pages, words)
	if link != nil {
		addRows(sum, &s.field.Links, link.features)
	}
	most := slices.Max(sum)
	for y := range sum {
		sum[y] = math.Round((sum[y]-most)*1e4) / 1e4
	}
	return sum
}

// addRows adds the rows of features to sum. Features out of range count for nothing.
func addRows(sum []float64, t *crf.Table, features []int32) {
	for _, f := range features {
		if f < 0 || int(f) >= t.Rows() {
			continue
		}
		for k := t.Start[f]; k < t.Start[f+1]; k++ {
			sum[t.Label[k]] += t.Weight[k]
		}
	}
}

// scoreSteps is the number of steps between the scores 0 and 1.
const scoreSteps = 1_000_000_000

// scoreKey orders links by score. No link comes before a start page, whose priority is 0.
func scoreKey(score float64) Priority {
	return Priority{int32(math.Round((max(0, min(1, score)) - 1) * scoreSteps))}
}

// logOdds are those of the score of a link with ᾱ.
func (s *crfStrategy) logOdds(alpha []float64) float64 {
	score := 0.0
	for y, p := range crf.Softmax(alpha) {
		score += s.worth[y] * p
	}
	return online.LogOdds(max(leastScore, min(1-leastScore, score)))
}

// leastScore keeps log odds finite.
const leastScore = 1e-6
