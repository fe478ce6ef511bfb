package logistic_test

import (
	"context"
	"fmt"
	"log"
	"math"

	"nightjar/model/logistic"
)

// Fit learns the classes of documents from their terms. Scores reads a document that was not among them.
func Example() {
	row := func(terms ...int32) logistic.Row {
		r := logistic.Row{Index: terms}
		for range terms {
			r.Value = append(r.Value, 1)
		}
		return r
	}
	rows := []logistic.Row{row(0, 2), row(0), row(1, 2), row(1)}
	p := logistic.NewProblem(rows, 3)
	m, err := p.Fit(context.Background(), []int{0, 1, 2, 3}, []int{0, 0, 1, 1}, []float64{1, 1, 1, 1}, 2, logistic.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("term 0: %.2f\n", m.Scores(row(0)))
	fmt.Printf("term 1: %.2f\n", m.Scores(row(1)))
	fmt.Println("term 2 tells nothing:", math.Abs(m.Scores(row(2))[0]) < 0.01)
	// Output:
	// term 0: [-0.67]
	// term 1: [0.67]
	// term 2 tells nothing: true
}

// Platt turns scores of any scale into probabilities.
func ExamplePlatt() {
	s := logistic.Platt([]float64{-2, -1, -1, 1, 2, 3}, []bool{false, false, true, false, true, true}, nil)
	fmt.Println("higher scores are more probable:", s.P(3) > s.P(0) && s.P(0) > s.P(-3))
	fmt.Println("few samples never give certainty:", s.P(3) < 1)
	// Output:
	// higher scores are more probable: true
	// few samples never give certainty: true
}
