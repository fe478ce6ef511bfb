package logistic

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

// TestAfter: a fit that takes over what was computed for fewer rows gives the same numbers as one that does not, also when the
// rows differ from some place on, and when rows depend on each other.
func TestAfter(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	var rows []Row
	for i := range 60 {
		r := Row{}
		for c := range int32(80) {
			if rng.IntN(6) == 0 {
				r.Index, r.Value = append(r.Index, c), append(r.Value, rng.Float32())
			}
		}
		if i%9 == 5 {
			r = Row{append([]int32(nil), rows[i-2].Index...), append([]float32(nil), rows[i-2].Value...)}
		}
		rows = append(rows, r)
	}
	fit := func(p *Problem) *Model {
		n := len(p.rows)
		use, label, weight := upTo(n), make([]int, n), make([]float64, n)
		for i := range n {
			label[i], weight[i] = i*7%3%2, 1+float64(i%2)
		}
		m, err := p.Fit(t.Context(), use, label, weight, 2, Options{})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	var earlier *Problem
	for _, n := range []int{20, 21, 45, 60, 30} {
		p := NewProblem(rows[:n], 80)
		p.After(earlier)
		if n > 20 && len(p.known) != min(n, len(earlier.rows)) {
			t.Errorf("%d rows: %d taken over", n, len(p.known))
		}
		if !reflect.DeepEqual(fit(p), fit(NewProblem(rows[:n], 80))) {
			t.Errorf("%d rows: another model", n)
		}
		earlier = p
	}
	other := append([]Row(nil), rows...)
	other[10] = rows[50]
	p := NewProblem(other, 80)
	p.After(earlier)
	if len(p.known) != 10 || !reflect.DeepEqual(fit(p), fit(NewProblem(other, 80))) {
		t.Errorf("%d rows taken over of 10, or another model", len(p.known))
	}
}
