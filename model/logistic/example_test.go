package logistic_test

import (
	"context"
	"fmt"
	"log"

	"nightjar/model/logistic"
)

// Fit learns the classes of documents from their terms. Probabilities reads a document that was not among them.
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
	fmt.Printf("term 0: %.2f\n", m.Probabilities(row(0), nil))
	fmt.Printf("term 1: %.2f\n", m.Probabilities(row(1), nil))
	fmt.Printf("term 2: %.2f\n", m.Probabilities(row(2), nil))
	// Output:
	// term 0: [0.66 0.34]
	// term 1: [0.34 0.66]
	// term 2: [0.50 0.50]
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
