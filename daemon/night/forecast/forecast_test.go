package forecast

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// some draws what may be known before a night.
func some(rng *rand.Rand) Inputs {
	in := Inputs{Pages: 5 + rng.IntN(400), Budget: 1 + rng.IntN(3000), NewStarts: rng.IntN(5), Strategy: Followed}
	in.Useful = Least + rng.IntN(in.Pages)
	for range rng.IntN(4) {
		n := Night{Fetched: 1 + rng.IntN(1000), Ended: rng.IntN(2) == 0}
		n.Useful = rng.Float64() * float64(n.Fetched)
		in.Nights = append(in.Nights, n)
	}
	return in
}

// TestBounds: a forecast is ordered and between no page and the budget, whatever is known.
func TestBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		in := some(rng)
		f, lack := Make(in)
		if lack != Nothing {
			t.Fatalf("%+v: nothing is lacking, not %d", in, lack)
		}
		if !(0 <= f.Low && f.Low <= f.Expected && f.Expected <= f.High && f.High <= float64(in.Budget)) {
			t.Fatalf("%+v: %+v", in, f)
		}
		left, ok := Left(in)
		if ok != (len(in.Nights) > 0) || !(0 <= left.Low && left.Low <= left.Expected && left.Expected <= left.High && left.High <= float64(Coming*in.Budget)) {
			t.Fatalf("%+v: %+v are left, %v", in, left, ok)
		}
	}
}

// TestLacks: nothing is foretold when too little is known, and the reason is said.
func TestLacks(t *testing.T) {
	full := Inputs{Pages: 60, Useful: 8, Budget: 500, NewStarts: 2, Strategy: Followed}
	night := []Night{{Fetched: 400, Useful: 12}}
	for _, tt := range []struct {
		name   string
		change func(*Inputs)
		want   Lack
	}{
		{"all is there", func(*Inputs) {}, Nothing},
		{"four useful pages", func(in *Inputs) { in.Useful = 4 }, FewUseful},
		{"five useful pages", func(in *Inputs) { in.Useful = 5 }, Nothing},
		{"four useful pages and a night", func(in *Inputs) { in.Useful, in.Nights = 4, night }, Nothing},
		{"no limit", func(in *Inputs) { in.Budget = 0 }, NoLimit},
		{"another strategy", func(in *Inputs) { in.Strategy = "random" }, OtherStrategy},
		{"another strategy and a night", func(in *Inputs) { in.Strategy, in.Nights = "random", night }, Nothing},
	} {
		in := full
		tt.change(&in)
		if f, lack := Make(in); lack != tt.want || (f == Forecast{}) != (tt.want != Nothing) {
			t.Errorf("%s: %+v, %d; want %d", tt.name, f, lack, tt.want)
		}
		if f, ok := Left(in); ok != (len(in.Nights) > 0 && in.Budget > 0) || !ok && f != (Forecast{}) {
			t.Errorf("%s: %+v are left, %v", tt.name, f, ok)
		}
	}
}

// TestMoreIsMore: more pages to fetch never lower the forecast. Nor does a last night that brought more, which raises what is left,
// too. The more nights a topic has had, the less is left.
func TestMoreIsMore(t *testing.T) {
	first := Inputs{Pages: 60, Useful: 8, Budget: 100, NewStarts: 1, Strategy: Followed}
	before, _ := Make(first)
	for _, budget := range []int{200, 500, 1000} {
		first.Budget = budget
		f, _ := Make(first)
		if f.Expected < before.Expected || f.High < before.High {
			t.Errorf("%d pages: %+v after %+v", budget, f, before)
		}
		before = f
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		in := some(rng)
		if len(in.Nights) == 0 {
			continue
		}
		more := in
		more.Nights = slices.Clone(in.Nights)
		more.Nights[len(more.Nights)-1].Useful++
		a, _ := Make(in)
		b, _ := Make(more)
		c, _ := Left(in)
		d, _ := Left(more)
		if b.Expected < a.Expected || b.High < a.High || d.Expected < c.Expected || d.High < c.High {
			t.Fatalf("%+v: %+v, %+v left; %+v: %+v, %+v left", in, a, c, more, b, d)
		}
		later := in
		later.Nights = append([]Night{{Fetched: 50, Useful: 5}}, in.Nights...)
		if e, _ := Left(later); e.Expected > c.Expected || e.High > c.High {
			t.Fatalf("%+v: %+v left; with a night before: %+v", in, c, e)
		}
	}
}

// TestCoverage: when nights come about as the model says, eight of ten lie in the interval. The nights are drawn by another way
// than the interval is computed: a Poisson number whose logarithm of the mean is normal.
func TestCoverage(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, expect := range []float64{3, 10, 60, 400} {
		l := Line{Weights: []float64{math.Log1p(expect)}, Spread: 0.6}
		f := l.forecast([]float64{1}, 100000)
		in := 0
		const nights = 4000
		for range nights {
			if f.Holds(float64(poisson(rng, expect*math.Exp(l.Spread*rng.NormFloat64())))) {
				in++
			}
		}
		if share := float64(in) / nights; share < 0.76 || share > 0.92 { // whole pages make the interval of few pages hold more
			t.Errorf("%.0f pages to expect: %.3f of the nights lie in %.1f to %.1f", expect, share, f.Low, f.High)
		}
	}
}

func poisson(rng *rand.Rand, mean float64) (n int) {
	if mean > 100 {
		return max(0, int(math.Round(mean+math.Sqrt(mean)*rng.NormFloat64())))
	}
	for p := rng.Float64(); p > math.Exp(-mean); n++ {
		p *= rng.Float64()
	}
	return n
}

func TestPart(t *testing.T) {
	for _, tt := range [][3]int{{500, 1, 500}, {500, 0, 500}, {500, 3, 166}, {0, 3, 0}, {2, 5, 1}} {
		if got := Part(tt[0], tt[1]); got != tt[2] {
			t.Errorf("%d pages of %d topics: %d", tt[0], tt[1], got)
		}
	}
}
