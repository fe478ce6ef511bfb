package unlink_test

import (
	"fmt"

	"nightjar/crawler/unlink"
)

// Clean takes the links to an erased site out of the page of another site.
func ExampleSite_Clean() {
	const document = `<p>See <a href="https://www.erased.example/post">the post</a> and <a href="/about">us</a>.</p>`
	clean, changed, ok := unlink.New("erased.example").Clean("https://example.org/", "text/html", []byte(document))
	fmt.Printf("%s\n%v %v\n", clean, changed, ok)
	// Output:
	// <p>See <a> </a> and <a href="/about">us</a>.</p>
	// true true
}
