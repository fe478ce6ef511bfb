package yield

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestCoverage draws crawls from the model that Of supposes: about 80 of 100 numbers lie in the intervals, with and without
// marks, and marks make them narrower. Of few finds whole numbers let it hold more.
func TestCoverage(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 18))
	const crawls = 400
	width := map[int]float64{}
	for _, marks := range []int{0, 5, 20} {
		inside, off := 0, 0.0
		for range crawls {
			by := rng.NormFloat64() * Spread
			var open []float64
			var marked []Marked
			useful := 0
			for i := range 60 {
				p := rng.Float64()
				is := rng.Float64() < shifted(p, by)
				if is {
					useful++
				}
				if i < marks {
					marked = append(marked, Marked{p, is})
				} else {
					open = append(open, p)
				}
			}
			n := Of(open, marked, nil)
			if n.Low <= useful && useful <= n.High {
				inside++
			}
			width[marks] += float64(n.High-n.Low) / crawls
			off += (n.Expected - float64(useful)) / crawls
		}
		if share := float64(inside) / crawls; share < .75 || share > .88 { // chance: 6 % in three standard deviations
			t.Errorf("with %d marks %.1f %% of the intervals hold", marks, 100*share)
		}
		if math.Abs(off) > 1.6 {
			t.Errorf("with %d marks the number is off by %.2f on average", marks, off)
		}
	}
	if !(width[20] < width[5] && width[5] < width[0]) {
		t.Errorf("widths %v", width)
	}
}

// TestBounds: the number is never below what is known, nor above the number of finds.
func TestBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 18))
	for range 300 {
		var open []float64
		var marked, others []Marked
		for range rng.IntN(12) {
			open = append(open, rng.Float64())
		}
		for range rng.IntN(6) {
			marked = append(marked, Marked{math.Round(rng.Float64()), rng.IntN(2) == 0})
			others = append(others, Marked{rng.Float64(), rng.IntN(2) == 0})
		}
		n := Of(open, marked, others)
		if !(n.Known <= n.Low && n.Low <= n.High && n.High <= n.Known+n.Open) || n.Finds != len(open)+len(marked) ||
			!(n.Expected >= float64(n.Known) && n.Expected <= float64(n.Known+n.Open)) {
			t.Fatalf("open %v, marked %v: %+v", open, marked, n)
		}
	}
	if n := Of(nil, []Marked{{.1, true}, {.9, false}}, nil); n != (Number{Finds: 2, Known: 1, Expected: 1, Low: 1, High: 1}) {
		t.Errorf("all marked: %+v", n)
	}
}

// TestOthersTell: marks on finds of other nights move the estimate, and are not counted.
func TestOthersTell(t *testing.T) {
	open := []float64{.5, .5, .5, .5, .5, .5, .5, .5, .5, .5}
	plain := Of(open, nil, nil)
	if math.Abs(plain.Expected-5) > 1e-9 {
		t.Errorf("%+v", plain)
	}
	var wrong []Marked
	for range 12 {
		wrong = append(wrong, Marked{.8, false})
	}
	told := Of(open, nil, wrong)
	if told.Finds != 10 || told.Known != 0 || told.Expected > 2.5 || told.High >= plain.High || told.High-told.Low >= plain.High-plain.Low {
		t.Errorf("without marks %+v, with %+v", plain, told)
	}
}

// TestTendency: what all marks of a topic tell gives the same numbers as Of, crawl by crawl.
func TestTendency(t *testing.T) {
	open := []float64{0.1, 0.5, 0.9, 0.3, 0.7}
	own := []Marked{{0.9, true}, {0.8, false}, {0.4, false}}
	others := []Marked{{0.7, false}, {0.95, false}, {0.2, true}}
	want := Of(open, own, others)
	if got := float64(want.Known) + Tell(append(own, others...)).Expected(open); math.Abs(got-want.Expected) > 0.01 {
		t.Errorf("%v, want %v", got, want.Expected)
	}
	if got := Tell(nil).Expected(nil); got != 0 {
		t.Errorf("no finds, and %v useful ones", got)
	}
}
