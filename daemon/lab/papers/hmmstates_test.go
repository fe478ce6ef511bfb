package papers

import (
	"math"
	"testing"
)

// TestTold: a cluster tells all of the state when each has states of one kind, nothing when it is independent, and half when it halves
// the uncertainty.
func TestTold(t *testing.T) {
	for name, tt := range map[string]struct {
		cluster, state []int
		want           float64
	}{
		"all":       {[]int{1, 1, 2, 3}, []int{1, 1, 2, 2}, 1},
		"nothing":   {[]int{1, 2, 1, 2}, []int{1, 1, 2, 2}, 0},
		"half":      {[]int{1, 1, 2, 2}, []int{1, 2, 3, 4}, .5},
		"one state": {[]int{1, 2}, []int{3, 3}, 0},
	} {
		if got := told(tt.cluster, tt.state); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%s: %.3f, want %.3f", name, got, tt.want)
		}
	}
}
