package measure_test

import (
	"fmt"
	"math/rand/v2"

	"nightjar/model/measure"
)

// AUC measures how well scores tell useful pages from others. Its interval says how sure that is.
func ExampleAUC() {
	scores := []float64{0.9, 0.8, 0.7, 0.4, 0.3, 0.1}
	useful := []bool{true, true, false, true, false, false}
	f := measure.AUC(scores, useful, rand.New(rand.NewPCG(1, 1)))
	fmt.Printf("%.2f of %d pages\n", f.Value, f.N)
	fmt.Println("the interval holds the value:", f.Low <= f.Value && f.Value <= f.High)
	// Output:
	// 0.89 of 6 pages
	// the interval holds the value: true
}

// The right link is second of four, where a random order would place it worse on average.
func ExampleReciprocalRank() {
	scores := []float64{0.2, 0.9, 0.6, 0.1}
	right := []bool{false, false, true, false}
	fmt.Printf("%.2f, by chance %.2f\n", measure.ReciprocalRank(scores, right), measure.ChanceReciprocalRank(4, 1))
	// Output: 0.50, by chance 0.52
}
