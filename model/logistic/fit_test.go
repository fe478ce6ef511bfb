package logistic

import (
	"context"
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
		p, q := a.Probabilities(r), b.Probabilities(r)
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
	x, err := newSparse(context.Background(), p, use, k)
	if err != nil {
		tb.Fatal(err)
	}
	return map[string]design{"sparse": x, "dense": newDense(s, use, k)}
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

// slope is the length of the gradient of C·Σ weight·loss + ½‖W‖² at a model, straight from the definition.
func slope(m *Model, rows []Row, use, label []int, weight []float64, c float64, columns int) float64 {
	k := len(m.Bias)
	g := make([]float64, columns*k+k)
	for j, w := range m.Weights {
		g[j] = float64(w)
	}
	for n, i := range use {
		p := m.Probabilities(rows[i])
		p[label[n]]--
		if k == 1 {
			p = p[1:]
		}
		for s, d := range p {
			g[columns*k+s] += c * weight[n] * d
			for e, t := range rows[i].Index {
				g[int(t)*k+s] += c * weight[n] * d * float64(rows[i].Value[e])
			}
		}
	}
	sum := 0.0
	for _, v := range g {
		sum += v * v
	}
	return math.Sqrt(sum)
}

func TestOptimality(t *testing.T) {
	const absTol = 1e-3 // the curvature, some thousands at C = 10, times the rounding of the weights to float32, 1e-7
	for seed := range uint64(24) {
		rng := seeded(seed)
		classes := 2 + int(seed)%4
		rows, label, weight := random(30+int(seed), 40, classes, rng)
		use := rng.Perm(len(rows))[:20+int(seed)]
		y, w := make([]int, len(use)), make([]float64, len(use))
		for n, i := range use {
			y[n], w[n] = label[i], weight[i]
		}
		for _, c := range []float64{0.1, 1, 10} {
			m := mustFit(t, NewProblem(rows, 40), use, y, w, classes, Options{C: c})
			if s := slope(m, rows, use, y, w, c, 40); s > absTol {
				t.Errorf("seed %d, %d classes, C = %v: gradient of length %v", seed, classes, c, s)
			}
		}
	}
}

func TestInvariances(t *testing.T) {
	const absTol = 1e-5
	for seed := range uint64(8) {
		rng := seeded(seed)
		classes := 2 + int(seed)%3
		rows, label, weight := random(40, 60, classes, rng)
		p := NewProblem(rows, 60)
		want := mustFit(t, p, upTo(40), label, weight, classes, Options{C: 2})

		use := rng.Perm(40)
		y, w := make([]int, 40), make([]float64, 40)
		for n, i := range use {
			y[n], w[n] = label[i], weight[i]
		}
		same := map[string]*Model{"other order": mustFit(t, p, use, y, w, classes, Options{C: 2})}

		halves := make([]float64, 40)
		for i := range halves {
			halves[i] = weight[i] / 2
		}
		same["each row twice at half the weight"] = mustFit(t, p, append(upTo(40), upTo(40)...), append(append([]int(nil), label...), label...),
			append(append([]float64(nil), halves...), halves...), classes, Options{C: 2})
		same["half of C, rows twice"] = mustFit(t, p, append(upTo(40), upTo(40)...), append(append([]int(nil), label...), label...),
			append(append([]float64(nil), weight...), weight...), classes, Options{C: 1})
		same["rows of weight 0"] = mustFit(t, p, append(upTo(40), 1, 2), append(append([]int(nil), label...), 0, 1),
			append(append([]float64(nil), weight...), 0, 0), classes, Options{C: 2})
		same["in a larger problem"] = mustFit(t, NewProblem(append(append([]Row(nil), rows...), rows[:7]...), 61), upTo(40), label, weight, classes, Options{C: 2})
		for name, m := range same {
			if d := worst(m, want, rows); d > absTol {
				t.Errorf("seed %d: %s: probabilities differ by %v", seed, name, d)
			}
		}
	}
}

// Renaming the classes renames the probabilities.
func TestClassNames(t *testing.T) {
	const absTol = 1e-5
	rows, label, weight := random(40, 30, 2, seeded(6))
	other := make([]int, 40)
	for i, c := range label {
		other[i] = 1 - c
	}
	p := NewProblem(rows, 30)
	a := mustFit(t, p, upTo(40), label, weight, 2, Options{})
	b := mustFit(t, p, upTo(40), other, weight, 2, Options{})
	for _, r := range rows {
		if x, y := a.Probabilities(r), b.Probabilities(r); math.Abs(x[0]-y[1]) > absTol {
			t.Errorf("%v and %v", x, y)
		}
	}
}

// The probabilities sum to 1, also for scores beyond exp.
func TestProbabilities(t *testing.T) {
	const absTol = 1e-12
	for _, m := range []*Model{
		{Classes: 2, Weights: []float32{1}, Bias: []float64{0.5}},
		{Classes: 4, Weights: []float32{1, -1, 2, 0}, Bias: []float64{0, 1, 2, -3}},
	} {
		for _, v := range []float32{0, 1, -3, 1e4, -1e4, 1e30} {
			p := m.Probabilities(Row{Index: []int32{0}, Value: []float32{v}})
			sum := 0.0
			for _, x := range p {
				sum += x
			}
			if len(p) != m.Classes || math.Abs(sum-1) > absTol {
				t.Errorf("%d classes, %v: %v", m.Classes, v, p)
			}
		}
	}
}

// A large problem gives what a small one of only the used rows gives, be the used rows few or most of it, or one twice.
func TestSubsets(t *testing.T) {
	const absTol, n = 1e-5, spanLimit + 200
	for _, classes := range []int{2, 3, 4} {
		rng := seeded(uint64(classes))
		rows, label := textLike(n, 900, 30, classes, rng)
		p := NewProblem(rows, 900)
		for _, size := range []int{40, n * 7 / 10} {
			use := rng.Perm(n)[:size]
			use[1] = use[0]
			var some []Row
			var y []int
			for _, i := range use {
				some, y = append(some, rows[i]), append(y, label[i])
			}
			got := mustFit(t, p, use, y, ones(size), classes, Options{})
			want := mustFit(t, NewProblem(some, 900), upTo(size), y, ones(size), classes, Options{})
			if d := worst(got, want, rows); d > absTol {
				t.Errorf("%d classes, %d of %d rows: probabilities differ by %v", classes, size, n, d)
			}
		}
	}
}
