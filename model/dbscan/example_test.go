package dbscan_test

import (
	"context"
	"fmt"
	"iter"
	"math"

	"nightjar/model/dbscan"
)

// Objects with enough similar ones around them form clusters, whatever their shape. Others are noise.
func ExampleFind() {
	points := []float64{0, 1, 2, 3, 10, 11, 12, 50}
	near := func(i int) iter.Seq2[int, float64] {
		return func(yield func(int, float64) bool) {
			for j := range points {
				if j != i && !yield(j, -math.Abs(points[i]-points[j])) {
					return
				}
			}
		}
	}
	c, err := dbscan.Find(context.Background(), len(points), near, -1, 2)
	fmt.Println(c.Cluster, err)
	fmt.Println("sizes", c.Sizes)
	// Output:
	// [0 0 0 0 1 1 1 -1] <nil>
	// sizes [4 3]
}
