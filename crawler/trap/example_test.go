package trap_test

import (
	"fmt"

	"nightjar/crawler/trap"
)

// A path that repeats its parts is a loop of links, and is not followed.
func ExampleGuard_Admit() {
	g := trap.New(trap.Options{Pages: 100, Starts: []string{"https://example.org/"}})
	fmt.Printf("%q\n", g.Admit("https://example.org/birds/gulls"))
	fmt.Printf("%q\n", g.Admit("https://example.org/a/b/a/b/a/b/a/b/a/b"))
	// Output:
	// ""
	// "the address repeats a folder too often"
}
