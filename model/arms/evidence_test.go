package arms

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestEvidenceIsFair: if it makes no difference who picks, the evidence of a block is 1 on average over all draws, for either
// arm and whichever of them is the second: it is a bet that cannot be expected to win.
func TestEvidenceIsFair(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		share := 1 + r.IntN(MostShare)
		_, size := Design{Share: share}.Span(0)
		worth := make([]float64, size)
		for i := range worth {
			if r.IntN(3) == 0 {
				worth[i] = r.Float64()
			}
		}
		var sumA, sumB float64
		for second := 1; second <= size; second++ {
			n := Night{Share: share, Swapped: size%2 == 0, Picks: [2]int{size - 1, 1}}
			if n.Swapped {
				n.Picks = [2]int{1, size - 1}
			}
			for i, w := range worth {
				n.Finds = append(n.Finds, Find{i + 1, i+1 == second, w})
			}
			b, a := evidence([]Night{n})
			sumA, sumB = sumA+a, sumB+b
		}
		if n := float64(size); math.Abs(sumA/n-1) > 1e-9 || math.Abs(sumB/n-1) > 1e-9 {
			t.Fatalf("share %d, worth %v: evidence %g and %g on average", share, worth, sumA/n, sumB/n)
		}
	}
}

// TestArmsAreAlike: which of the two strategies is called A makes no difference.
func TestArmsAreAlike(t *testing.T) {
	w := world{rng: rand.New(rand.NewPCG(4, 4)), level: .2, ratio: 3, picks: 995, share: 15, marked: .3}
	var nights, turned []Night
	for i := range 4 {
		n := w.night(uint64(i))
		if i == 2 {
			n = Night{Share: n.Share, Swapped: true, Picks: [2]int{n.Picks[1], n.Picks[0]}, Finds: n.Finds}
		}
		nights = append(nights, n)
		turned = append(turned, Night{Share: n.Share, Swapped: !n.Swapped, Picks: [2]int{n.Picks[1], n.Picks[0]}, Finds: n.Finds})
	}
	v, o := Compare(nights), Compare(turned)
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-6*math.Abs(a) }
	if !v.Enough || v.Arms[0].Useful != o.Arms[1].Useful || v.Arms[1].Picks != o.Arms[0].Picks {
		t.Errorf("%+v\nturned: %+v", v, o)
	}
	if !near(v.Ratio.Value, 1/o.Ratio.Value) || !near(v.Ratio.Low, 1/o.Ratio.High) || !near(v.Ratio.High, 1/o.Ratio.Low) || !near(v.Evidence, o.Evidence) {
		t.Errorf("%+v\nturned: %+v", v, o)
	}
}

// TestTooLittle: below five useful pages nothing is said, whatever they are; nor without any night.
func TestTooLittle(t *testing.T) {
	n := Night{Share: 10, Picks: [2]int{900, 100}}
	for pick := range 6 {
		n.Finds = append(n.Finds, Find{10*pick + 1, true, .8})
	}
	if v := Compare([]Night{n}); v.Enough || v.Winner != None || v.Ratio != (Interval{}) || math.Abs(v.Arms[1].Useful-4.8) > 1e-9 {
		t.Errorf("4.8 useful pages: %+v", v)
	}
	n.Finds = append(n.Finds, Find{71, true, .8})
	if v := Compare([]Night{n}); !v.Enough || v.Ratio.Low < 2 || v.Ratio.High != Unbounded || v.Arms[0].Harvest.High > .01 {
		t.Errorf("5.6 useful pages, all by the second: %+v", v)
	}
	if v := Compare(nil); v.Enough || v.Arms[0].Harvest.High != 1 {
		t.Errorf("no night: %+v", v)
	}
}

// TestWilson: the interval of a harvest is Wilson's, by his formula for whole finds (1927): 10 of 100 is .0552 to .1744.
func TestWilson(t *testing.T) {
	got := wilson(10, 10, 100)
	for _, w := range [][2]float64{{got.Value, .1}, {got.Low, .05523}, {got.High, .17437}} {
		if math.Abs(w[0]-w[1]) > 1e-4 {
			t.Errorf("%+v, want .1, .0552, .1744", got)
		}
	}
}
