package conceptset_test

import (
	"fmt"

	"nightjar/model/conceptset"
)

// Pages that are described by other concepts are alike when the concepts are.
func ExampleSimilarity() {
	const flute, oboe, barrage = 1, 2, 3
	similar := func(a, b int) float64 {
		switch {
		case a == b:
			return 1
		case max(a, b) == oboe: // flute and oboe
			return .8
		}
		return .1
	}
	page := conceptset.Set{{ID: flute, Weight: 1}}
	fmt.Printf("%.2f\n", conceptset.Similarity(page, conceptset.Set{{ID: flute, Weight: .5}}, similar))
	fmt.Printf("%.2f\n", conceptset.Similarity(page, conceptset.Set{{ID: oboe, Weight: 1}}, similar))
	fmt.Printf("%.2f\n", conceptset.Similarity(page, conceptset.Set{{ID: oboe, Weight: 1}, {ID: barrage, Weight: 1}}, similar))
	// Output:
	// 1.00
	// 0.80
	// 0.62
}
