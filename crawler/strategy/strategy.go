// Package strategy decides which link to follow next. A strategy is told of each fetched page and answers with that
// page's relevance and a priority for each of its links; it never fetches.
package strategy

import (
	"context"

	"nightjar/crawler/page"
)

// Strategy is one way to order the frontier. It belongs to one crawl and is used by one goroutine at a time. The same
// visits, marks and restored snapshots in the same order get the same judgements.
type Strategy interface {
	// Name is the strategy's name on the command line and in results.
	Name() string
	// Read reads a fetched page and says how relevant it is and how promising each of its links is. An error says what the
	// strategy failed to learn; the judgement is then the best one without it, and the crawl uses it. Once ctx ends, no fit
	// begins and one that is running stops: the former fit stays in use, the next fit comes with the next page, and that is
	// no error.
	Read(ctx context.Context, v Visit) (Judgement, error)
}

// Learner is a strategy that goes on learning from what its crawl brings.
type Learner interface {
	Strategy
	// Priority values a queued link anew, by the note that Read made of it.
	Priority(url string, note []byte) Priority
	// Teach tells the person's word on a page that was judged before, by its final URL; one of another page teaches
	// nothing. A later word on the same page takes the place of an earlier one, and the same word again changes nothing.
	// What it teaches reaches the queued links when Read next answers Reorder.
	Teach(Mark)
	// Ask names up to n pages that were judged and not marked yet, by final URL, those first whose mark would teach most.
	Ask(n int) []string
	// Snapshot is what it has learned, in a form that Restore of a new strategy of the same name and model reads. What
	// Restore cannot read is an error and changes nothing.
	Snapshot() []byte
	Restore([]byte) error
}

// Mark is the person's word on a page: Useful, not Useful, or, when Gone, none any more.
type Mark struct {
	URL    string // final
	Useful bool   // false when Gone
	Gone   bool   // the word was taken back: the page is judged as if it had never been marked
}

// Visit is a fetched page and how it was reached.
type Visit struct {
	Page   *page.Page
	URL    string // as it was queued, before redirects
	Note   []byte // of the link that was followed, see Judgement.Notes; nil for a start page
	Start  bool   // a start page: Parent is empty
	Parent []byte // what the strategy answered as Judgement.Path for the page that held the link
}

// MaxPath is the longest Judgement.Path in bytes. A longer one is an error of the strategy, and is dropped.
const MaxPath = 4 << 10

// Judgement is a strategy's answer for one page.
type Judgement struct {
	Similarity float64    // largest LSI cosine to a target, in [-1, 1]
	Useful     float64    // calibrated probability that the person would mark the page Useful, in [0, 1]
	Relevant   bool       // by the judge that the model chose, model.Bundle.Relevant
	Cluster    int        // of the nearest training pages; -1 when the page has no known term
	Evidence   []float64  // proportional to P(page | T_j), what the page alone says; nil without states or observation
	States     []float64  // P(T_j | o_1..t), empty for strategies without states
	Path       []byte     // handed to the page's children and stored with each of them; only the strategy can read it
	Priorities []Priority // one for each of Page.Links, same order
	Notes      [][]byte   // of each link, kept with its place in the queue until it is followed; an empty note is none
	Reorder    bool       // it has learned: the priorities of all queued links are to be asked for again (Learner.Priority)
	Why        []Reason   // what the link that led here was worth, taken apart; empty for strategies that cannot say
}

// Reason is one part of what a link was worth. The parts of a link add up to the log odds that it leads somewhere useful.
type Reason struct {
	Name  string  `json:"name"` // in words a person understands
	Value float64 `json:"value"`
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
