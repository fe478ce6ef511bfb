package crf_test

import (
	"context"
	"fmt"

	"nightjar/model/crf"
)

// Fit learns from labelled paths what pages and links of each label look like, and which label comes next. Start, Follow and
// Arrive then go with a crawl from page to page: of each link they say what is probably behind it, before it is fetched.
func Example() {
	const (
		department, faculty, course = 0, 1, 2 // labels
		home, people, teaching      = 0, 1, 2 // features of pages
		toStaff, toCourse, toNews   = 0, 1, 2 // features of links
	)
	set := []crf.Sequence{
		{Count: 3, Positive: true, Labels: []int{department, faculty, course}, Steps: []crf.Step{
			{Page: []int32{home}}, {Page: []int32{people}, Link: []int32{toStaff}},
			{Page: []int32{teaching}, Link: []int32{toCourse}},
		}},
		{Count: 1, Labels: []int{department, department}, Steps: []crf.Step{
			{Page: []int32{home}}, {Page: []int32{home}, Link: []int32{toNews}},
		}},
	}
	m, fitted, err := crf.Fit(context.Background(), set, 3, 3, 3, crf.Options{C2: .05})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(fitted.Weights, "weights")

	reward := m.RewardVisits(set, .5)
	fmt.Printf("rewards %.2f\n", reward)
	page := m.Arrive(m.Follow(m.Start([]int32{home}), []int32{toStaff}), []int32{people})
	links := m.From(page)
	for _, link := range [][]int32{{toCourse}, {toNews}} {
		score, label := links.Score(link, reward)
		fmt.Printf("link %d: label %d, score %.2f\n", link[0], label, score)
	}
	// Output:
	// 9 weights
	// rewards [0.17 0.49 0.96]
	// link 1: label 2, score 0.89
	// link 2: label 2, score 0.68
}

// Lattice and Viterbi label a path that is known as a whole.
func ExampleModel_Viterbi() {
	m := &crf.Model{
		Labels: 2,
		Pages:  crf.Table{Start: []int32{0, 1, 2}, Label: []int32{0, 1}, Weight: []float64{1, 2}},
		Steps:  []float64{0, 1, -1, .5},
	}
	path := []crf.Step{{Page: []int32{0}}, {}, {Page: []int32{1}}}
	labels, score := m.Viterbi(path)
	lattice := m.Lattice(path)
	fmt.Println(labels, score)
	fmt.Printf("log Z %.3f, second page %.3f\n", lattice.LogZ, lattice.Marginal(1))
	// Output:
	// [0 1 1] 4.5
	// log Z 5.185, second page [0.365 0.635]
}
