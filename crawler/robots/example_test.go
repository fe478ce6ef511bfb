package robots_test

import (
	"fmt"

	"nightjar/crawler/robots"
)

func Example() {
	rules := robots.Parse([]byte("User-agent: *\nCrawl-delay: 2\nDisallow: /archive/\nAllow: /archive/index"), "Nightjar")
	fmt.Println(rules.Delay)
	for _, url := range []string{"https://example.org/archive/index.html", "https://example.org/archive/1999"} {
		if by := rules.Forbids(robots.PathOf(url)); by != nil {
			fmt.Println(by.Why(url))
			continue
		}
		fmt.Println("allowed:", url)
	}
	// Output:
	// 2s
	// allowed: https://example.org/archive/index.html
	// the robots.txt of example.org forbids the page
}
