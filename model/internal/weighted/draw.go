// Package weighted draws by weight.
package weighted

import "math/rand/v2"

// Draw chooses an index with a probability proportional to its weight, which is at least 0; -1 when all are 0.
func Draw(weights []float64, rng *rand.Rand) int {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	left, at := rng.Float64()*sum, -1
	for i, w := range weights {
		if w == 0 {
			continue
		}
		at = i
		if left -= w; left < 0 {
			break
		}
	}
	return at
}
