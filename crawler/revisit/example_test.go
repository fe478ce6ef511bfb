package revisit_test

import (
	"fmt"

	"nightjar/crawler/revisit"
)

// A page on which each look finds something new is due after a day, one that never changes is not.
func Example() {
	var lively, still revisit.History
	for range 4 {
		lively, still = lively.Add(1, true), still.Add(1, false)
	}
	for _, h := range []revisit.History{lively, still} {
		rate := h.Rate(revisit.Usual(nil))
		fmt.Printf("%.2f new things a day, due after a day: %v\n", rate, revisit.Due(rate, 1, 0))
	}
	// Output:
	// 1.22 new things a day, due after a day: true
	// 0.15 new things a day, due after a day: false
}
