package model

import "errors"

// Features are the words that the classifiers read: those of the session and of the background pages. The value of a term
// in a page is (1 + ln tf)·idf; the values of a page are scaled to length 1.
type Features struct {
	Terms   []string  // stems, sorted; f of them
	Written []string  // the most frequent spelling in the session, or else in the background; len f
	IDF     []float32 // ln((1+N)/(1+df)) + 1, len f
}

// Soft is the soft emission: a multinomial logistic regression of the hop state on the features.
type Soft struct {
	Weights []float32 // f×n, row-major: one row a term
	Bias    []float64 // len n
	Prior   []float64 // P(T_j): weighted share of the training rows; len n; 0 for a state without rows
}

// Judge is the classifier of useful and other pages: a logistic regression on the features, whose score is calibrated on
// folds.
type Judge struct {
	Weights   []float32 // len f
	Bias      float64
	Slope     float64 // P(useful) = 1/(1+exp(Slope·score+Offset)), Slope ≤ 0
	Offset    float64
	Threshold float64 // smallest probability of a relevant page, in (0, 1)
	F1        float64 // of the threshold on the folds; 0 when there were none
	How       string  // how the threshold was found, in words
}

// check returns an error for words that do not ascend, are not in [0, terms), or have no count.
func (w Words) check(terms int) error {
	if len(w.Index) != len(w.Count) {
		return errors.New("the words of a page and their counts differ in number")
	}
	for i, f := range w.Index {
		if f < 0 || int(f) >= terms || i > 0 && f <= w.Index[i-1] || w.Count[i] < 1 {
			return errors.New("a page holds a word that the model does not have")
		}
	}
	return nil
}
