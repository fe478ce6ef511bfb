// Package strategy decides which link to follow next. A strategy is told of each fetched page and answers with that
// page's relevance and a priority for each of its links; it never fetches.
package strategy

import "nightjar/crawler/page"

// Strategy is one way to order the frontier. The same visits in the same order get the same judgements.
type Strategy interface {
	// Name is the strategy's name on the command line and in results.
	Name() string
	// Judge reads a fetched page and says how relevant it is and how promising each of its links.
	Judge(Visit) Judgement
}

// Visit is a fetched page and how it was reached.
type Visit struct {
	Page   *page.Page
	Start  bool      // a start page: Parent is empty
	Parent PathState // what the strategy answered for the page that held the link
}

// PathState is what a strategy carries along a path, stored with every frontier entry. It is JSON to the store.
type PathState struct {
	Alpha []float64 `json:"alpha,omitempty"` // P(T_j | o_1..t), sums to 1
}

// Judgement is a strategy's answer for one page.
type Judgement struct {
	Similarity float64    // largest LSI cosine to a target, in [-1, 1]
	Useful     float64    // calibrated probability that the person would mark the page Useful, in [0, 1]
	Relevant   bool       // by the judge that the model chose, model.Bundle.Relevant
	Cluster    int        // of the nearest training pages; -1 when the page has no known term
	Evidence   []float64  // proportional to P(page | T_j), what the page alone says; nil without states or observation
	States     []float64  // P(T_j | o_1..t), empty for strategies without states
	Path       PathState  // handed to the page's children
	Priorities []Priority // one for each of Page.Links, same order
}

// Priority orders the frontier: compared element by element, larger first, a missing element counting as 0.
type Priority []int32

// Compare is positive when p comes before q, negative when after, 0 when equal.
func (p Priority) Compare(q Priority) int {
	for i := range max(len(p), len(q)) {
		var a, b int32
		if i < len(p) {
			a = p[i]
		}
		if i < len(q) {
			b = q[i]
		}
		if a != b {
			if a > b {
				return 1
			}
			return -1
		}
	}
	return 0
}
