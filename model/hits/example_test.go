package hits_test

import (
	"fmt"

	"nightjar/model/hits"
)

// Pages 0 and 1 are lists of links: hubs. Both name page 2, which is the authority of them all.
func ExampleGraph_Run() {
	g := hits.New(4, [][2]int{{0, 2}, {1, 2}, {0, 3}}, hits.Options{})
	scores := g.Run([]float64{1, 1, 1, 1})
	cluster := []int{0, 0, 0, 0}
	fmt.Println("authorities", hits.Top(scores.Authorities, cluster, 0, 2))
	fmt.Println("hubs", hits.Top(scores.Hubs, cluster, 0, 2))
	// Output:
	// authorities [2 3]
	// hubs [0 1]
}
