package cobweb_test

import (
	"context"
	"fmt"

	"nightjar/model/cobweb"
	"nightjar/model/conceptset"
)

// Build grows a tree of clusters from objects with attributes; Levels cuts it at each depth.
func Example() {
	const wings, sings, fins, swims = 1, 2, 3, 4
	animal := func(attributes ...int) (s conceptset.Set) {
		for _, a := range attributes {
			s = append(s, conceptset.Concept{ID: a, Weight: 1})
		}
		return s
	}
	objects := []conceptset.Set{animal(wings, sings), animal(fins, swims), animal(wings, sings), animal(wings, swims), animal(fins, swims)}
	tree, err := cobweb.Build(context.Background(), objects, 1, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, l := range tree.Levels(len(objects), 9) {
		fmt.Println("depth", l.Depth, "clusters", l.Cluster, "sizes", l.Sizes)
	}
	// Output:
	// depth 2 clusters [0 1 0 -1 1] sizes [2 2]
	// depth 1 clusters [0 1 0 0 1] sizes [3 2]
}
