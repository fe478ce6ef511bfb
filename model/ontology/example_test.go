package ontology_test

import (
	"fmt"

	"nightjar/model/ontology"
)

// Terms are the more alike the deeper the term is that is above both.
func Example() {
	tree, repaired, err := ontology.Build([]ontology.Item{
		{Key: "instrument", Labels: []string{"instrument"}},
		{Key: "wind", Labels: []string{"wind instrument"}, Parents: []string{"instrument"}},
		{Key: "flute", Labels: []string{"flute"}, Parents: []string{"wind"}},
		{Key: "oboe", Labels: []string{"oboe"}, Parents: []string{"wind"}},
		{Key: "violin", Labels: []string{"violin"}, Parents: []string{"instrument"}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	flute, _ := tree.ByKey("flute")
	for _, key := range []string{"oboe", "violin"} {
		other, _ := tree.ByKey(key)
		fmt.Printf("flute and %s: %.2f, both are a kind of %s\n", tree.Label(other), tree.Similarity(flute, other), tree.Label(tree.Common(flute, other)))
	}
	fmt.Println(len(repaired), "faults")
	// Output:
	// flute and oboe: 0.67, both are a kind of wind instrument
	// flute and violin: 0.40, both are a kind of instrument
	// 0 faults
}
