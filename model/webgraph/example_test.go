package webgraph_test

import (
	"fmt"

	"nightjar/model/webgraph"
)

// Build makes a graph of the pages that were visited. Layers labels each with its distance from the useful ones.
func Example() {
	g := webgraph.Build([]webgraph.Load{
		{ID: "1", URL: "https://example.org/", Links: []webgraph.Link{{URL: "https://example.org/sports"}, {URL: "https://example.org/shop"}}},
		{ID: "2", URL: "https://example.org/sports", From: "1", Links: []webgraph.Link{{URL: "https://example.org/hockey"}}},
		{ID: "3", URL: "https://example.org/hockey", From: "2", Target: true},
	})
	target := make([]bool, len(g.Pages))
	for i, p := range g.Pages {
		target[i] = p.Target
	}
	for i, layer := range webgraph.Layers(len(g.Pages), g.Edges, target, 4) {
		fmt.Println(layer, g.Pages[i].URL)
	}
	// Output:
	// 2 https://example.org/
	// 1 https://example.org/sports
	// 0 https://example.org/hockey
}
