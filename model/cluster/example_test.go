package cluster_test

import (
	"fmt"
	"math/rand/v2"

	"nightjar/model/cluster"
	"nightjar/model/text"
)

// XMeans finds the groups of points, and how many there are.
func ExampleXMeans() {
	rng := rand.New(rand.NewPCG(1, 1))
	var points [][]float64
	for i := range 60 { // around 0, 1 and 2 in turn
		points = append(points, []float64{float64(i%3) + rng.NormFloat64()/20, rng.NormFloat64() / 20})
	}
	c := cluster.XMeans(points, 1, 8, rng)
	fmt.Println(len(c.Centroids), "clusters")
	fmt.Println("points 0 and 3 together:", c.Assign[0] == c.Assign[3])
	fmt.Println("points 0 and 1 together:", c.Assign[0] == c.Assign[1])
	// Output:
	// 3 clusters
	// points 0 and 3 together: true
	// points 0 and 1 together: false
}

// Words describes each cluster by the terms that are more frequent in it than elsewhere.
func ExampleWords() {
	docs := []text.Counts{
		{"hockey": 3, "town": 1}, {"hockey": 1, "town": 2},
		{"rain": 1, "town": 1}, {"rain": 2, "town": 1},
	}
	logOdds, _ := cluster.Words(text.Collect(docs), []int{0, 0, 1, 1}, 2, 1)
	fmt.Println(logOdds[0][0].Term, logOdds[1][0].Term)
	// Output: hockey rain
}
