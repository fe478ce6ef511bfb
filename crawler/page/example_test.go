package page_test

import (
	"fmt"

	"nightjar/crawler/page"
)

// Parse reads what a crawl needs of a document. The menu is no content, but its links are links.
func ExampleParse() {
	const document = `<title>Tides</title><nav><a href="/">Home</a></nav>
		<h1>Tides</h1><p>Twice a day the water rises, as <a href="moon.html#pull">the moon</a> pulls it.`
	p, err := page.Parse("https://example.org/sea/tides.html", "text/html", []byte(document))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Text)
	for _, l := range p.Links {
		fmt.Printf("%s %q below %q\n", l.URL, l.Anchor, l.Heading)
	}
	// Output:
	// Tides
	// Tides
	// Twice a day the water rises, as the moon pulls it.
	// https://example.org/ "Home" below ""
	// https://example.org/sea/moon.html "the moon" below "Tides"
}
