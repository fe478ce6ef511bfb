package lsi_test

import (
	"fmt"

	"nightjar/model/lsi"
	"nightjar/model/text"
)

// In an LSI space documents are near each other when their words occur together, also when they share none.
func Example() {
	docs := text.Collect([]text.Counts{
		{"hockey": 1, "rink": 1},
		{"rink": 1, "skate": 1},
		{"hockey": 1, "rink": 1, "skate": 1},
		{"rain": 1, "wind": 1},
		{"wind": 1, "cloud": 1},
	})
	space, _ := lsi.Fit(docs, 2)
	hockey, _ := space.Fold(text.Counts{"hockey": 1})
	skate, _ := space.Fold(text.Counts{"skate": 1})
	rain, _ := space.Fold(text.Counts{"rain": 1})
	_, known := space.Fold(text.Counts{"budget": 1})
	fmt.Printf("hockey and skate: %.1f\n", lsi.UnitCosine(hockey, skate))
	fmt.Println("hockey and rain are far apart:", lsi.UnitCosine(hockey, rain) < 0.1)
	fmt.Println("budget has a place:", known)
	// Output:
	// hockey and skate: 1.0
	// hockey and rain are far apart: true
	// budget has a place: false
}
