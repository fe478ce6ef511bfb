package chart

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestApart holds random heights to what Apart promises, and to the best of all placements of three, found by trying.
func TestApart(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	const absTol = 1e-9 // heights are below 300, sums of 40 of them exact to 1e-11
	for range 500 {
		heights := make([]float64, rng.IntN(40))
		for i := range heights {
			heights[i] = math.Floor(300 * rng.Float64() * rng.Float64()) // many near and equal ones
		}
		gap, top, bottom := 1+14*rng.Float64(), 10.0, 290.0
		moved := Apart(heights, gap, top, bottom)
		if len(heights) > 1 {
			gap = math.Min(gap, (bottom-top)/float64(len(heights)-1))
		}
		for i := range heights {
			if moved[i] < top-absTol || moved[i] > bottom+absTol {
				t.Fatalf("%v went to %v, outside of %v to %v", heights[i], moved[i], top, bottom)
			}
			for j := range i {
				if math.Abs(moved[i]-moved[j]) < gap-absTol {
					t.Fatalf("%v and %v are nearer than %v", moved[i], moved[j], gap)
				}
				if heights[j] < heights[i] && moved[j] > moved[i] || heights[j] == heights[i] && moved[j] > moved[i] {
					t.Fatalf("%v and %v changed their order to %v and %v", heights[j], heights[i], moved[j], moved[i])
				}
			}
		}
	}
	for _, c := range []struct{ heights, want []float64 }{
		{[]float64{50, 20, 80}, []float64{50, 20, 80}},
		{[]float64{50, 50}, []float64{45, 55}},
		{[]float64{0, 0, 0}, []float64{0, 10, 20}},
		{[]float64{100, 98, 40}, []float64{100, 90, 40}},
		{[]float64{30, 31, 32, 70}, []float64{21, 31, 41, 70}},
	} {
		if got := Apart(c.heights, 10, 0, 100); !near(got, c.want, absTol) {
			t.Errorf("Apart(%v) = %v, want %v", c.heights, got, c.want)
		}
	}
}

func near(a, b []float64, tol float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) <= tol })
}

// TestLongest holds the shortened texts to those found by trying every length, and the number of tries for a stranger's text of any
// length.
func TestLongest(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	for range 300 {
		text := strings.Repeat("a word 名 ", rng.IntN(5)) + strings.Repeat("w", rng.IntN(9))
		room := rng.IntN(60)
		fits := func(t string) bool { return len(t) <= room }
		want := text
		for n := len([]rune(text)); n > 1 && !fits(want); n-- {
			want = Shorten(n-1, want)
		}
		if got := longest(text, fits); got != want {
			t.Fatalf("%q with room for %d bytes: %q, want %q", text, room, got, want)
		}
	}
	tries := 0
	longest(strings.Repeat("word ", 20_000), func(t string) bool {
		tries++
		return len(t) < 50
	})
	if tries > 30 {
		t.Errorf("%d tries for a long text", tries)
	}
}
