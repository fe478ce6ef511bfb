package weburl_test

import (
	"fmt"

	"nightjar/crawler/weburl"
)

// A crawl follows each page once, however links to it are written.
func ExampleCanonical() {
	for _, link := range []string{"HTTP://News.test:80/ice/../rink?utm_source=feed&id=7", "http://news.test/rink?id=7#goals"} {
		u, err := weburl.Canonical(link)
		fmt.Println(u, err)
	}
	// Output:
	// http://news.test/rink?id=7 <nil>
	// http://news.test/rink?id=7 <nil>
}
