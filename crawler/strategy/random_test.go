package strategy

import (
	"fmt"
	"math"
	"testing"
)

// TestDraw holds what makes the order of links a random one: the numbers of neighbouring addresses are spread evenly, do
// not depend on each other, and change with the seed.
func TestDraw(t *testing.T) {
	const n = 20_000
	var bins [20]int
	pairs, same, sum := 0.0, 0, 0.0
	last := 0.0
	for i := range n {
		url := fmt.Sprintf("https://a.test/page/%d", i)
		x := draw(1, url)
		if x < 0 || x != draw(1, url) {
			t.Fatalf("%s is drawn as %d and as %d", url, x, draw(1, url))
		}
		if x == draw(2, url) {
			same++
		}
		u := float64(x) / (1 << 31)
		bins[int(u*20)]++
		pairs += (u - .5) * (last - .5)
		sum, last = sum+u, u
	}
	for i, c := range bins { // binomial with mean 1,000 and standard deviation 31
		if math.Abs(float64(c)-n/20) > 5*31 {
			t.Errorf("bin %d holds %d of %d", i, c, n)
		}
	}
	if mean := sum / n; math.Abs(mean-.5) > 5*.289/math.Sqrt(n) {
		t.Errorf("mean %v", mean)
	}
	if r := pairs / n * 12; math.Abs(r) > 5/math.Sqrt(n) { // 1/12 is the variance
		t.Errorf("neighbours correlate: %v", r)
	}
	if same > 2 {
		t.Errorf("%d of %d links have the same number by another seed", same, n)
	}
}

// TestRandomFollowsTheSeed: the order is the model's, not the run's.
func TestRandomFollowsTheSeed(t *testing.T) {
	j := mustRead(mustNew(t, "random"), visit("hockey", 3))
	for i, p := range j.Priorities {
		if want := draw(bundle().Settings.Seed, fmt.Sprintf("https://a.test/%d", i)); p.Compare(Priority{want}) != 0 {
			t.Errorf("link %d has priority %v, want %d", i, p, want)
		}
	}
}
