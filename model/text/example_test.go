package text_test

import (
	"fmt"
	"slices"

	"nightjar/model/text"
)

// Count turns a text into stems and how often each occurs; stop words and everything but letters are left out.
func ExampleCount() {
	counts, written := text.Count("The skaters skate: 2 skates, a rink.")
	fmt.Println(counts)
	fmt.Println(written["rink"])
	// Output:
	// map[rink:1 skate:2 skater:1]
	// rink
}

// Words lists the words before they are stemmed.
func ExampleWords() {
	var all []string
	for w := range text.Words("Skating at the Rink") {
		all = append(all, string(w))
	}
	fmt.Println(slices.Compact(all))
	// Output: [skating rink]
}

// ShortWords cuts words as stems are cut, and stems nothing.
func ExampleShortWords() {
	for w := range text.ShortWords("Institute for Electroencephalographically measured skating") {
		fmt.Println(string(w))
	}
	// Output:
	// institute
	// electroencephalograp
	// measured
	// skating
}
