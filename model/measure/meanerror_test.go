package measure

import (
	"math"
	"testing"
)

func TestMeanError(t *testing.T) {
	// The deviations of 2, 4, 9 from 5 are -3, -1, 4: variance 26/2 = 13, standard error √(13/3).
	if m, se := MeanError([]float64{2, 4, 9}); m != 5 || math.Abs(se-math.Sqrt(13./3)) > 1e-15 {
		t.Errorf("%v ± %v", m, se)
	}
	if m, se := MeanError([]float64{7}); m != 7 || se != 0 {
		t.Errorf("%v ± %v", m, se)
	}
}
