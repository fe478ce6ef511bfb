package neardup_test

import (
	"fmt"
	"strings"

	"nightjar/crawler/neardup"
)

// Two texts are the same when their simhashes differ in few bits: a changed word among many does not count, another text does.
func ExampleSameText() {
	var long strings.Builder
	for i := range 300 {
		fmt.Fprintf(&long, "gull%c%c ", 'a'+i%26, 'a'+i/26)
	}
	text := long.String()
	simhash := func(s string) uint64 { return neardup.NewSketch("https://example.org/", s).Simhash }
	fmt.Println(neardup.SameText(simhash(text), simhash(text+"Printed today.")))
	fmt.Println(neardup.SameText(simhash(text), simhash("A barrage holds the tide back, and turbines run while it leaves.")))
	// Output:
	// true
	// false
}
