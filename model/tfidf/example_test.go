package tfidf_test

import (
	"fmt"

	"nightjar/model/text"
	"nightjar/model/tfidf"
)

// Words of few pages weigh more than words of many, and pages that share such words are near each other.
func Example() {
	pages := []text.Counts{{"page": 1, "tide": 2, "barrage": 1}, {"page": 2, "tide": 1, "moon": 1}, {"page": 1, "violin": 3}}
	v := tfidf.Fit(pages, tfidf.Shares{})
	for i, page := range pages[1:] {
		cosine := tfidf.Dot(v.Vector(pages[0]).Unit(), v.Vector(page).Unit())
		fmt.Printf("page 0 and page %d: %.2f\n", i+1, cosine)
	}
	// Output:
	// page 0 and page 1: 0.15
	// page 0 and page 2: 0.00
}
