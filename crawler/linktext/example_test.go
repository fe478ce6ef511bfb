package linktext_test

import (
	"fmt"

	"nightjar/crawler/linktext"
)

// The words of a link are those of its anchor and those beside it, up to the next tag that ends a block.
func ExampleExtractor_Extract() {
	const document = `<ul><li>Old harbours: <a href="/bruges">Bruges and its canals</a> silted up</li><li><a href="/">Home</a></li></ul>`
	links, err := linktext.New(linktext.Navigation(), nil).Extract("https://example.org/ports", "text/html", []byte(document))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, l := range links {
		fmt.Println(l.URL, l.Words)
	}
	// Output:
	// https://example.org/bruges [{harbours 1} {bruges 1} {canals 1} {silted 1}]
	// https://example.org/ []
}
