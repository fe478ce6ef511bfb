package lsi_test

import (
	"fmt"
	"slices"

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
	fold := func(word string) []float64 {
		place, _ := slices.BinarySearch(space.Terms, word)
		at, _ := space.Fold([]text.Occurrence{text.NewOccurrence(int32(place), 1)})
		return at
	}
	hockey, skate, rain := fold("hockey"), fold("skate"), fold("rain")
	_, known := space.Fold(nil) // a document without a word of the space
	fmt.Printf("hockey and skate: %.1f\n", lsi.UnitCosine(hockey, skate))
	fmt.Println("hockey and rain are far apart:", lsi.UnitCosine(hockey, rain) < 0.1)
	fmt.Println("a document without known words has a place:", known)
	// Output:
	// hockey and skate: 1.0
	// hockey and rain are far apart: true
	// a document without known words has a place: false
}
