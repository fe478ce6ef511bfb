package naivebayes_test

import (
	"fmt"

	"nightjar/model/naivebayes"
	"nightjar/model/text"
)

// Train learns to tell pages around a topic from others by their words.
func ExampleTrain() {
	tides := []text.Counts{{"tide": 3, "moon": 1}, {"tide": 1, "barrage": 2}, {"barrage": 1, "moon": 2}}
	others := []text.Counts{{"violin": 2, "bow": 1}, {"violin": 1, "string": 2}, {"shop": 3, "bow": 1}}
	c, err := naivebayes.Train(tides, others, naivebayes.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, page := range []text.Counts{{"barrage": 1, "tide": 1}, {"string": 1, "shop": 1}, {"unheard": 1}} {
		r := c.Read(page)
		fmt.Printf("%+.1f from %d known terms\n", r.LogOdds, r.Terms)
	}
	// Output:
	// +2.6 from 2 known terms
	// -3.3 from 2 known terms
	// +0.0 from 0 known terms
}
