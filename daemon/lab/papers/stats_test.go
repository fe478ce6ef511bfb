package papers

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"nightjar/model/measure"
)

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.Abs(got-want) > within || math.IsNaN(got) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// TestPairedT: Student's sleep data (1908, Biometrika 6), as ?t.test of R prints it: t = 4.0621, df = 9, p = 0.002833 for two tails.
func TestPairedT(t *testing.T) {
	a := []float64{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4}
	b := []float64{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0}
	stat, p := pairedT(a, b)
	near(t, "t", stat, 4.0621, 5e-5)
	near(t, "p", p, 0.002833/2, 5e-7)
	_, other := pairedT(b, a)
	near(t, "p of the other tail", other, 1-p, 1e-12)
	if _, same := pairedT(a, a); same != .5 {
		t.Errorf("no difference: p %v", same)
	}
}

// TestWindow: against the mean of each window, taken anew.
func TestWindow(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	v := make([]float64, 50)
	for i := range v {
		v[i] = rng.Float64()
	}
	for _, n := range []int{1, 7, 50, 80} {
		for i, got := range window(v, n) {
			some := v[max(0, i+1-n) : i+1]
			near(t, "window", got, sum(some)/float64(len(some)), 1e-12)
		}
	}
}

// TestGain: the interval is that of all samples there are, listed one by one.
func TestGain(t *testing.T) {
	a, b := []float64{9, 4, 7, 3, 8}, []float64{5, 4, 3, 4, 6}
	f := gain(a, b, 1)
	var all []float64
	for code := range 5 * 5 * 5 * 5 * 5 {
		x, y := 0.0, 0.0
		for k, rest := 0, code; k < 5; k, rest = k+1, rest/5 {
			x, y = x+a[rest%5], y+b[rest%5]
		}
		all = append(all, x/y-1)
	}
	slices.Sort(all)
	near(t, "gain", f.Value, 31./22-1, 1e-12)
	near(t, "low", f.Low, all[len(all)*25/1000], .02)
	near(t, "high", f.High, all[len(all)*975/1000], .02)
	if f.N != 5 {
		t.Errorf("n %d", f.N)
	}
	if none := gain([]float64{1}, []float64{0}, 1); none.Low != 0 || none.High != 0 || none.Value != -1 {
		t.Errorf("nothing to compare with: %+v", none)
	}
}

// TestAgree: the example of Manning, Raghavan, Schütze, Introduction to Information Retrieval, figure 16.4 and table 16.2: 17 points in 3
// clusters, purity 12/17 = 0.71, 20 pairs rightly together of 40 in clusters and 44 in classes; the adjusted Rand index and the entropy
// follow from these.
func TestAgree(t *testing.T) {
	const x, o, d = 0, 1, 2
	cluster := []int{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, -1}
	classes := []int{x, x, x, x, x, o, x, o, o, o, o, d, x, x, d, d, d, 7}
	a := agree(cluster, classes)
	near(t, "purity", a.Purity, 12./17, 1e-12)
	chance := 40. * 44 / 136
	near(t, "ARI", a.ARI, (20-chance)/(42-chance), 1e-12)
	h := func(shares ...float64) (s float64) {
		for _, p := range shares {
			s -= p * math.Log10(p)
		}
		return s
	}
	near(t, "entropy", a.Entropy, 6./17*h(5./6, 1./6)+6./17*h(1./6, 4./6, 1./6)+5./17*h(2./5, 3./5), 1e-12)
	if a.Pages != 17 || a.Clusters != 3 || a.Categories != 3 {
		t.Errorf("%+v: the page in no cluster counts", a)
	}
	near(t, "decrease", a.Decrease, 1-a.Entropy/math.Log10(3), 1e-12)
	if pure := agree([]int{4, 4, 9}, []int{1, 1, 0}); pure.ARI != 1 || pure.Purity != 1 || pure.Decrease != 1 {
		t.Errorf("the categories themselves: %+v", pure)
	}
}

// TestChance: against all ways to put four pages of two categories into two clusters of two: in 2 of 6 they are pure, else each cluster
// has one of each.
func TestChance(t *testing.T) {
	c, asGood := chance([]int{0, 0, 1, 1, -1}, []int{0, 0, 1, 1, 0}, 20000, rand.New(rand.NewPCG(1, 1)))
	near(t, "decrease", c.Decrease, 1./3, .01)
	near(t, "purity", c.Purity, 1./3+2./3*.5, .01)
	near(t, "ARI", c.ARI, 0, .01)
	near(t, "so good by chance", asGood, 1./3, .01)
}

// TestExpected: as many clusters as pages are pure, one cluster is not.
func TestExpected(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	near(t, "each page alone", expected(12, 3, 12, rng), 1, 1e-9)
	near(t, "one cluster", expected(12, 3, 1, rng), 0, 1e-9)
}

// TestHypergeometric: an urn of 10 with 5 white, 4 drawn: at least 3 are white in (10·5 + 5)/210 of the draws.
func TestHypergeometric(t *testing.T) {
	near(t, "at least 3", atLeast(3, 5, 4, 10), 55./210, 1e-12)
	near(t, "at least 0", atLeast(0, 5, 4, 10), 1, 1e-12)
}

// TestVerdicts: what counts as reached.
func TestVerdicts(t *testing.T) {
	f := func(value, low, high float64) measure.Figure {
		return measure.Figure{Value: value, Low: low, High: high, N: 9}
	}
	for _, c := range []struct{ got, want string }{
		{amount(f(.6, .1, .7), .5), reached}, {amount(f(.4, .1, .6), .5), inKind}, {amount(f(.3, .1, .4), .5), inKind}, {amount(f(.9, -.1, 2), .5), missed}, {amount(f(-.4, -.6, -.1), .5), missed},
		{order(f(.1, .05, .2), f(.3, .1, .4)), reached}, {order(f(.1, -.05, .2), f(.3, .1, .4)), inKind}, {order(f(.1, .05, .2), f(-.1, -.4, .4)), missed},
		{level(f(.92, .85, .95), .91), reached}, {level(f(.9, .85, .95), .91), inKind}, {level(f(.85, .82, .88), .91), inKind}, {level(f(.8, .75, .85), .91), missed},
		{notWorse(f(0, -1, 1)), reached}, {notWorse(f(-.1, -1, 1)), inKind}, {notWorse(f(-.5, -.7, -.1)), missed},
		{minOrders([]measure.Figure{f(20, 9, 30), f(12, 5, 20)}), reached}, {minOrders([]measure.Figure{f(20, 9, 30), f(1, .5, 2)}), inKind},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
