package online_test

import (
	"context"
	"fmt"
	"log"

	"nightjar/model/logistic"
	"nightjar/model/online"
	"nightjar/model/text"
	"nightjar/model/webgraph"
)

// A crawl learns from the links that it followed: Vocabulary makes tokens of a link, and Regression weighs them by where
// links like it led.
func Example() {
	words := online.NewVocabulary(text.NewCounter(), func([]text.Counted) logistic.Row { return logistic.Row{} })
	r := online.NewRegression(nil)
	tokens := func(anchor string) []uint32 {
		return words.Link(text.English, webgraph.Link{URL: "https://example.org/", Anchor: anchor}, true).Tokens
	}
	if err := r.Fit(context.Background(), []online.Example{
		{Tokens: tokens("hockey results"), Outcome: 1, Weight: 1},
		{Tokens: tokens("hockey clubs"), Outcome: 1, Weight: 1},
		{Tokens: tokens("imprint"), Outcome: 0, Weight: 1},
		{Tokens: tokens("contact"), Outcome: 0, Weight: 1},
	}); err != nil {
		log.Fatal(err)
	}
	hockey, imprint := r.LogOdds(tokens("hockey training"), nil), r.LogOdds(tokens("imprint"), nil)
	fmt.Println("a link about hockey is the better one:", hockey > imprint)
	// Output: a link about hockey is the better one: true
}

// Means keeps what each folder of a site brought so far.
func ExampleMeans() {
	m := online.NewMeans()
	news, shop := online.Key("example.org", "news"), online.Key("example.org", "shop")
	for range 5 {
		m.Add(news, 1)
		m.Add(shop, 0)
	}
	fmt.Println(m.LogOdds(news) > 0, m.LogOdds(shop) < 0, m.LogOdds(online.Key("elsewhere")))
	// Output: true true 0
}
