package strategy

import (
	"math"
	"slices"

	"nightjar/model"
	"nightjar/model/crf"
)

// StepLabel is the label of one page of a path, as model.Bundle.Ways names it, and its probability given all pages.
type StepLabel struct {
	Label       string
	Number      int // of the label
	Probability float64
}

// Labels explains a path by what each page and the link to it say (Judgement.Signs, empty for a page without): the most
// likely labels of all pages together, [CRF] §4.3.1, each with its probability. It is nil when the model holds no ways, when
// no page has signs, as with other strategies, or when the signs belong to another model.
func Labels(b *model.Bundle, path [][]float64) []StepLabel {
	if b.Ways == nil {
		return nil
	}
	l, spoken := b.Ways.Field.Labels, false
	pages := crf.Table{Start: []int32{0}} // page t has one feature, number t, with the signs as its weights
	steps := make([]crf.Step, len(path))
	for t, signs := range path {
		if len(signs) > 0 {
			if len(signs) != l || !logarithms(signs) {
				return nil
			}
			for y, s := range signs {
				pages.Label, pages.Weight = append(pages.Label, int32(y)), append(pages.Weight, s)
			}
			spoken = true
		}
		pages.Start = append(pages.Start, int32(len(pages.Label)))
		steps[t].Page = []int32{int32(t)}
	}
	if !spoken {
		return nil
	}
	m := crf.Model{Labels: l, Pages: pages, Steps: b.Ways.Field.Steps}
	best, _ := m.Viterbi(steps)
	lattice := m.Lattice(steps)
	labels := make([]StepLabel, len(path))
	for t, y := range best {
		labels[t] = StepLabel{b.Ways.Labels[y], y, lattice.Marginal(t)[y]}
	}
	return labels
}

// logarithms reports whether each number is finite and of a size that a field can have: signs come from a store.
func logarithms(signs []float64) bool {
	return !slices.ContainsFunc(signs, func(s float64) bool { return !(math.Abs(s) <= 1e32) })
}

// LabelHops are the hops that labels stand for, nil when they are milestones.
func LabelHops(b *model.Bundle, labels []StepLabel) []int {
	if len(labels) == 0 || b.Ways == nil {
		return nil
	}
	of := hopsOf(b.Ways, len(b.Initial))
	if of == nil {
		return nil
	}
	hops := make([]int, len(labels))
	for t, l := range labels {
		hops[t] = of[l.Number]
	}
	return hops
}
