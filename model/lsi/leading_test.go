package lsi

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"nightjar/model/text"
)

// The leading coordinates of a page are its coordinates in the space of that rank, for the documents of the space and others.
func TestLeadingIsTheSpaceOfLowerRank(t *testing.T) {
	const absTol = 1e-5 // the basis is stored in single precision
	rng := rand.New(rand.NewPCG(3, 1))
	docs := make([]text.Counts, 40)
	for i := range docs {
		docs[i] = text.Counts{}
		for range 30 {
			docs[i][fmt.Sprintf("w%d", 10*(i%4)+rng.IntN(40))]++
		}
	}
	other := text.Counts{"w1": 2, "w17": 1, "w60": 3, "elsewhere": 1}
	high, all := Fit(text.Collect(docs), 20)
	for _, rank := range []int{1, 3, 8, 20} {
		low, few := Fit(text.Collect(docs), rank)
		wide, _ := high.Fold(occurrences(high, other))
		narrow, _ := low.Fold(occurrences(low, other))
		testSamePlace(t, Leading(wide, rank), narrow, absTol)
		for i := range docs {
			testSamePlace(t, Leading(all[i], rank), few[i], absTol)
		}
	}
}

// testSamePlace compares coordinates without their signs, which are free in each dimension.
func testSamePlace(t *testing.T, got, want []float64, absTol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d coordinates, want %d", len(got), len(want))
	}
	for d := range want {
		if math.Abs(math.Abs(got[d])-math.Abs(want[d])) > absTol {
			t.Errorf("coordinate %d of %d: %v, want %v", d, len(want), got[d], want[d])
		}
	}
}

func TestLeadingOfNothing(t *testing.T) {
	for _, v := range [][]float64{{0, 0, 1}, {1e-12, 0, 1}, {0, 0, 0}} {
		if w := Leading(v, 2); len(w) != 2 || w[0] != 0 || w[1] != 0 {
			t.Errorf("leading two of %v: %v", v, w)
		}
	}
	if w := Leading([]float64{0.6, 0.8}, 5); len(w) != 2 || math.Abs(w[0]-0.6) > 1e-15 || math.Abs(w[1]-0.8) > 1e-15 {
		t.Errorf("more dimensions than there are: %v", w)
	}
}
