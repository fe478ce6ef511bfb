package model_test

import (
	"context"
	"fmt"
	"log"

	"nightjar/model"
)

// A session of five pages: a start page leads over one of two lists to a page that the person marked Useful.
func walk() model.TrainingSet {
	return model.TrainingSet{
		Topic: "Hockey",
		Pages: []model.Page{
			{URL: "https://example.org/", Text: "Welcome to our town: sports, weather, council and library."},
			{URL: "https://example.org/sports", Text: "Sports in our town: hockey, football and swimming clubs."},
			{URL: "https://example.org/hockey", Text: "Hockey: the rink, the goalie and the puck; hockey training for children.", Target: true},
			{URL: "https://example.org/council", Text: "The town council meets on Monday to discuss the budget."},
			{URL: "https://example.org/weather", Text: "Rain and wind in our town; the weather of the week."},
		},
		Edges:   [][2]int{{0, 1}, {1, 2}, {0, 3}, {0, 4}},
		Entries: []int{0},
	}
}

// Train learns from a session, and the model then reads pages that it has never seen.
func Example() {
	b, err := model.Train(context.Background(), walk(), model.DefaultSettings(), nil)
	if err != nil {
		log.Fatal(err)
	}
	rink := b.Observe("Skating at the rink: bring a puck, the goalie waits.")
	rain := b.Observe("Heavy rain and wind on Monday.")
	fmt.Println("nearer to the useful page:", rink.Similarity > rain.Similarity)
	fmt.Println("a word of the page is known:", rink.Known)
	// Output:
	// nearer to the useful page: true
	// a word of the page is known: true
}

// A model is stored as bytes, the same for the same training.
func ExampleBundle_Encode() {
	b, err := model.Train(context.Background(), walk(), model.DefaultSettings(), nil)
	if err != nil {
		log.Fatal(err)
	}
	stored, err := b.Encode()
	if err != nil {
		log.Fatal(err)
	}
	again, err := model.Decode(stored)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(again.Topic, again.Facts.Pages, again.Facts.Targets)
	// Output: Hockey 5 1
}
