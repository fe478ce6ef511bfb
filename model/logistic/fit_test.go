package logistic

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

func seeded(n uint64) *rand.Rand { return rand.New(rand.NewPCG(n, 11)) }

// random makes rows of values from a normal distribution, with some rows empty and some terms of one row only.
func random(n, columns, classes int, rng *rand.Rand) (rows []Row, label []int, weight []float64) {
	for range n {
		var r Row
		for t := range columns {
			if rng.IntN(3) == 0 {
				r.Index = append(r.Index, int32(t))
				r.Value = append(r.Value, float32(rng.NormFloat64()))
			}
		}
		if rng.IntN(10) == 0 {
			r = Row{}
		}
		rows = append(rows, r)
		label = append(label, rng.IntN(classes))
		weight = append(weight, 0.1+2*rng.Float64())
	}
	return rows, label, weight
}

func mustFit(tb testing.TB, p *Problem, use, label []int, weight []float64, classes int, o Options) *Model {
	tb.Helper()
	m, err := p.Fit(context.Background(), use, label, weight, classes, o)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// worst is the largest difference in a probability of any of the rows.
func worst(a, b *Model, rows []Row) float64 {
	most := 0.0
	for _, r := range rows {
		p, q := a.Probabilities(r, nil), b.Probabilities(r, nil)
		for c := range p {
			most = max(most, math.Abs(p[c]-q[c]))
		}
	}
	return most
}

// designs makes both designs of the same rows.
func designs(tb testing.TB, p *Problem, use []int, k int) map[string]design {
	tb.Helper()
	s, err := newSpan(context.Background(), p)
	if err != nil {
		tb.Fatal(err)
	}
	return map[string]design{"sparse": newSparse(p, use, k), "dense": newDense(s, use, k)}
}

func TestGradientByDifferences(t *testing.T) {
	const step, absTol = 1e-5, 1e-6 // central differences err by step² times the third derivative, and by 1e-16/step
	for _, classes := range []int{2, 3, 4} {
		rng := seeded(uint64(classes))
		rows, label, weight := random(20, 30, classes, rng)
		p := NewProblem(rows, 30)
		s, err := p.sample(upTo(20), label, weight, classes, 2)
		if err != nil {
			t.Fatal(err)
		}
		k := classes
		if k == 2 {
			k = 1
		}
		for name, x := range designs(t, p, s.use, k) {
			f := newObjective(context.Background(), x, k, s)
			at, g := make([]float64, (x.dims()+1)*k), make([]float64, (x.dims()+1)*k)
			for j := range at {
				at[j] = rng.NormFloat64()
			}
			f.gradient(g, at)
			for j := range at {
				here := at[j]
				at[j] = here + step
				up := f.value(at)
				at[j] = here - step
				down := f.value(at)
				at[j] = here
				if want := (up - down) / (2 * step); math.Abs(g[j]-want) > absTol {
					t.Errorf("%s, %d classes, parameter %d: %v, differences say %v", name, classes, j, g[j], want)
				}
			}
		}
	}
}

// fitBy is Fit with the design given.
func fitBy(tb testing.TB, p *Problem, x func(use []int, k int) design, label []int, weight []float64, classes int, c float64) *Model {
	tb.Helper()
	s, err := p.sample(upTo(len(p.rows)), label, weight, classes, c)
	if err != nil {
		tb.Fatal(err)
	}
	k := len(s.present)
	if classes == 2 {
		k = 1
	}
	f, at, err := minimise(context.Background(), x(s.use, k), k, s)
	if err != nil {
		tb.Fatal(err)
	}
	return p.model(f, at, s, classes)
}

func TestBothWaysAgree(t *testing.T) {
	const absTol = 1e-5
	for seed := range uint64(12) {
		rng := seeded(seed)
		classes := 2 + int(seed)%4
		rows, label := textLike(80, 2000, 60, classes, rng)
		weight := make([]float64, len(rows))
		for i := range weight {
			weight[i] = 0.1 + rng.Float64()
		}
		p := NewProblem(rows, 2000)
		for _, c := range []float64{0.1, 1, 10} {
			models := map[string]*Model{}
			for _, name := range []string{"sparse", "dense"} {
				models[name] = fitBy(t, p, func(use []int, k int) design { return designs(t, p, use, k)[name] }, label, weight, classes, c)
			}
			if d := worst(models["sparse"], models["dense"], rows); d > absTol {
				t.Errorf("seed %d, %d classes, C = %v: probabilities differ by %v", seed, classes, c, d)
			}
		}
	}
}

func TestNoRows(t *testing.T) {
	p := NewProblem([]Row{{}, {}}, 3)
	if _, err := p.Fit(context.Background(), nil, nil, nil, 2, Options{}); !errors.Is(err, ErrNoRows) {
		t.Errorf("no rows: %v", err)
	}
	if _, err := p.Fit(context.Background(), []int{0, 1}, []int{0, 1}, []float64{0, 0}, 2, Options{}); !errors.Is(err, ErrNoRows) {
		t.Errorf("no weight: %v", err)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	rows, label, weight := random(20, 30, 2, seeded(1))
	if _, err := NewProblem(rows, 30).Fit(ctx, upTo(20), label, weight, 2, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want %v", err, context.Canceled)
	}
}
