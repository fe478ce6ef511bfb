package spherical_test

import (
	"fmt"

	"nightjar/model/spherical"
	"nightjar/model/text"
	"nightjar/model/tfidf"
)

// KMeans puts pages with the same words into a cluster. Clusters are numbered by size.
func ExampleKMeans() {
	pages := []text.Counts{{"tide": 1, "moon": 1}, {"violin": 1, "bow": 1}, {"tide": 2, "barrage": 1}, {"moon": 2, "barrage": 1, "tide": 1}, {"violin": 2}}
	v := tfidf.Fit(pages, tfidf.Shares{})
	var vectors []tfidf.Vector
	for _, p := range pages {
		vectors = append(vectors, v.Vector(p).Unit())
	}
	c := spherical.KMeans(vectors, v.Len(), 2, 1)
	fmt.Println(c.Assign, c.Sizes)
	// Output:
	// [0 1 0 0 1] [3 2]
}
