package frontier_test

import (
	"fmt"
	"time"

	"nightjar/crawler/frontier"
	"nightjar/crawler/strategy"
)

// Pop returns the best link whose host may be contacted now. A host gives no other link until Release.
func ExampleFrontier_Pop() {
	now := time.Date(2026, 11, 29, 2, 0, 0, 0, time.UTC)
	f := frontier.New(0, nil)
	f.Add(frontier.Entry{URL: "http://a.test/goals", Host: "a.test", Priority: strategy.Priority{9}})
	f.Add(frontier.Entry{URL: "http://a.test/rinks", Host: "a.test", Priority: strategy.Priority{7}})
	f.Add(frontier.Entry{URL: "http://b.test/", Host: "b.test", Priority: strategy.Priority{1}})
	for range 2 {
		e, _, _ := f.Pop(0, now)
		fmt.Println(e.URL)
	}
	f.Release("a.test")
	e, _, _ := f.Pop(0, now)
	fmt.Println(e.URL)
	// Output:
	// http://a.test/goals
	// http://b.test/
	// http://a.test/rinks
}
