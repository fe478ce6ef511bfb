//go:build !race

package finds

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"nightjar/daemon/lab/effort"
)

// TestActionsAndUndo does random things and takes random ones back, with restarts in between, and compares lists and counts
// with the reference after each.
func TestActionsAndUndo(t *testing.T) {
	for seed := range uint64(effort.Seeds()) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { actAtRandom(t, rand.New(rand.NewPCG(seed, 1))) })
	}
}
