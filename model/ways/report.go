package ways

import (
	"context"
	"slices"

	"nightjar/model/crf"
	"nightjar/model/measure"
)

// calibrate is the P(goal) that tells goals from other pages best on the paths held back: the midpoint between
// neighbouring values with the best F1, ties to the larger, as model.GammaFact is found. It is defaultThreshold when no
// value does better than calling every page the goal.
func (l *learning) calibrate() float64 {
	type value struct {
		p    float64
		goal bool
	}
	var values []value
	goals := 0
	for i, h := range l.held {
		if h == nil {
			continue
		}
		for t, p := range h.goal {
			goal := l.set[i].Labels[t] == l.labelled.Goal
			values = append(values, value{p, goal})
			goals += b2i(goal)
		}
	}
	slices.SortFunc(values, func(a, b value) int {
		switch {
		case a.p < b.p:
			return -1
		case a.p > b.p:
			return 1
		}
		return b2i(a.goal) - b2i(b.goal)
	})
	best, most := defaultThreshold, f1(goals, len(values), goals)
	separates := false
	hits := goals
	for i := range len(values) - 1 { // the values up to i are below the threshold
		hits -= b2i(values[i].goal)
		if values[i].p == values[i+1].p {
			continue
		}
		if score := f1(hits, len(values)-i-1, goals); score > most || separates && score == most {
			best, most, separates = (values[i].p+values[i+1].p)/2, score, true
		}
	}
	return best
}

// f1 is the harmonic mean of precision and recall, when hits of the called ones are right and there are so many in all.
func f1(hits, called, all int) float64 {
	if hits == 0 {
		return 0
	}
	return 2 * float64(hits) / float64(called+all)
}

// report says how well the paths held back were labelled. The units are paths, not pages: the pages of a path stand
// and fall together.
func (l *learning) report(ctx context.Context) (*Report, error) {
	r := &Report{Folds: l.folds, HeldBy: l.heldBy}
	var hit, called, goal, twice, either, right, pages []float64 // of each path
	for i, h := range l.held {
		if h == nil {
			continue
		}
		var tp, p, g, ok float64
		for t, y := range h.labels {
			is, said := l.set[i].Labels[t] == l.labelled.Goal, y == l.labelled.Goal
			tp += float64(b2i(is && said))
			p += float64(b2i(said))
			g += float64(b2i(is))
			ok += float64(b2i(y == l.set[i].Labels[t]))
		}
		hit, called, goal = append(hit, tp), append(called, p), append(goal, g)
		twice, either = append(twice, 2*tp), append(either, p+g)
		right, pages = append(right, ok), append(pages, float64(len(h.labels)))
		r.Paths++
		r.Pages += len(h.labels)
	}
	if r.Paths == 0 {
		return nil, ctx.Err()
	}
	for _, f := range []struct {
		to          *Figure
		part, whole []float64
	}{{&r.Precision, hit, called}, {&r.Recall, hit, goal}, {&r.F1, twice, either}, {&r.Accuracy, right, pages}} {
		figure, err := unlessDone(ctx, func() Figure { return measure.Ratio(f.part, f.whole, l.rng()) })
		if err != nil {
			return nil, err
		}
		*f.to = figure
	}
	r.F1.N = r.Recall.N
	return r, nil
}

// shown are the paths with their labels, evenly chosen when there are many. What was held back is shown as it was
// predicted then; other paths as the field labels them that learned from all.
func (l *learning) shown(ctx context.Context, m *crf.Model) ([]Shown, error) {
	n := min(len(l.paths), MaxShown)
	list := make([]Shown, 0, n)
	for k := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		i := k * len(l.paths) / n
		p, h := &l.paths[i], l.held[i]
		s := Shown{Kind: p.Kind, Positive: p.Positive, Count: p.Count, Held: h != nil}
		if h == nil {
			h = &held{}
			h.labels, h.probability = predict(m, l.set[i].Steps)
		}
		for t, step := range p.Steps {
			s.Steps = append(s.Steps, ShownStep{
				URL: step.URL, Title: step.Title, Anchor: step.Anchor,
				True: l.labelled.Of[i][t], Predicted: h.labels[t], Probability: h.probability[t],
			})
		}
		list = append(list, s)
	}
	return list, nil
}
