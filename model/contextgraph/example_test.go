package contextgraph_test

import (
	"fmt"
	"math/rand/v2"

	"nightjar/model/contextgraph"
)

// Learn builds a classifier for each layer of pages around the targets. Classify tells how many links a page is away.
func Example() {
	const hockey, sport, town = 0, 1, 2 // the words, by number
	page := func(word int32) contextgraph.Document {
		return contextgraph.Document{Index: []int32{word}, Count: []int32{3}}
	}
	m := contextgraph.Learn(contextgraph.Graph{
		Pages:     []contextgraph.Document{page(hockey), page(sport), page(sport), page(town)},
		Edges:     [][2]int{{1, 0}, {2, 0}, {3, 1}},
		Target:    []bool{true, false, false, false},
		Reference: []contextgraph.Document{page(town), page(town)},
	}, 3, contextgraph.Defaults())
	fmt.Println("hockey:", m.Classify(page(hockey)).Layer)
	fmt.Println("sport:", m.Classify(page(sport)).Layer)
	fmt.Println("no known word fits no layer:", m.Classify(contextgraph.Document{}).Layer == contextgraph.Other)
	// Output:
	// hockey: 0
	// sport: 1
	// no known word fits no layer: true
}

// Layers sorts pages by their distance from the targets.
func ExampleLayers() {
	edges := [][2]int{{1, 0}, {2, 1}, {3, 1}}
	target := []bool{true, false, false, false}
	fmt.Println(contextgraph.Layers(edges, target, 2, 100, rand.New(rand.NewPCG(1, 1))))
	// Output: [[0] [1] [2 3]]
}
