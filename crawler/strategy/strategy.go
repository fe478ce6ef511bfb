// Package strategy decides which link to follow next. A strategy reads each fetched page and returns the relevance of the
// page and a priority for each of its links. It never fetches.
package strategy

import (
	"context"

	"nightjar/crawler/page"
)

// Strategy is one way to order the frontier. It belongs to one crawl and is used by one goroutine at a time. The same calls
// in the same order get the same answers.
type Strategy interface {
	// Name is the strategy's name on the command line and in results.
	Name() string
	// Read reads a fetched page and says how relevant it is and how promising each of its links is. An error says what the
	// strategy failed to learn; the judgement is then the best one without it, and the crawl uses it. Once ctx ends, no fit
	// begins and one that is running stops: the former fit stays in use, the next fit comes with the next page, and that is
	// no error.
	Read(ctx context.Context, v Visit) (Judgement, error)
}

// Learner is a strategy that learns during the crawl.
type Learner interface {
	Strategy
	// Priority returns the current value of a queued link, from the note that Read made of it.
	Priority(url string, note []byte) Priority
	// Teach passes on the person's mark of a page that was read before, by its final URL; a mark of any other page changes
	// nothing. A later mark of the same page replaces an earlier one, and the same mark again changes nothing. Its effect
	// reaches the queued links when Read next returns Reorder.
	Teach(Mark)
	// Ask lists up to n pages that were read and are not marked yet, by final URL, beginning with those whose marks would
	// teach most.
	Ask(n int) []string
	// Snapshot returns what was learned, and Restore of a new strategy of the same name and model reads it. Restore returns
	// an error for what it cannot read, and then changes nothing.
	Snapshot() []byte
	Restore([]byte) error
}

// Misser is a strategy that also learns from links behind which there was no page.
type Misser interface {
	// Missed says that a link was followed and gave no page: the address is gone, was refused, or holds no HTML. note is the
	// link's, as Read made it, and cost the pages of budget that it used. reorder is Judgement.Reorder, and ctx and err are
	// as in Read.
	Missed(ctx context.Context, url string, note []byte, cost int) (reorder bool, err error)
}

// Preparer is a strategy that can do a part of Read beforehand: what depends on nothing but the page and the model.
type Preparer interface {
	// Prepare reads a page. It may be called concurrently, also with all other methods but Restore. With the answer
	// as Visit.Prepared, Read of the page gives the same result, faster.
	Prepare(p *page.Page) any
}

// Explorer is a strategy that gives a share of its pages to hosts that the crawl has hardly seen.
type Explorer interface {
	// Explore is asked before each fetch. When it is true, the next link is the best one of the host with the fewest
	// attempts, if a host has had few; otherwise the best of all.
	Explore() bool
}

// Lister is a strategy that can value addresses that a host lists, of which nothing else is known.
type Lister interface {
	// List answers with the Priorities and Notes of the links of a list.
	List(list string, links []page.Link) Judgement
}

// Foreteller is a strategy that can tell what waiting links promise.
type Foreteller interface {
	// Chance is the probability that the page behind a waiting link would be marked Useful, as far as the strategy can tell
	// now from the note that Read made of it. ok is false when it can tell nothing.
	Chance(url string, note []byte) (p float64, ok bool)
}

// FirstParent is a strategy that may want links to keep the priority of the first page that held them, also when another
// page would give them a higher one.
type FirstParent interface {
	Strategy
	FirstParent() bool
}

// Mark is what the person says of a page: Useful, not Useful, or, when Gone, nothing any more.
type Mark struct {
	URL    string // final
	Useful bool   // false when Gone
	Gone   bool   // the mark was removed: the page counts as never marked
}

// Visit is a fetched page and how it was reached.
type Visit struct {
	Page  *page.Page
	Body  []byte // the document that Page was read from, as UTF-8; nil when it is not known. It must not be changed
	URL   string // as it was queued, before redirects
	Note  []byte // of the link that was followed, see Judgement.Notes; nil for a start page
	Start bool   // no page led to it that was read: a start page, or one that its host lists. Parent is empty

	// Visited says that the page was not fetched: the person visited it. How it was reached, and whether it is useful, says nothing
	// of what a crawl meets, so that a strategy values only its links. Parent is that of a visited page that links to it, if one does.
	Visited bool
	Parent  []byte // what the strategy answered as Judgement.Path for the page that held the link

	Prepared any // what Preparer.Prepare of the same strategy returned for the page, or nil
}

// MaxPath is the longest Judgement.Path in bytes. A longer one is an error of the strategy, and is dropped.
const MaxPath = 4 << 10

// Judgement is a strategy's answer for one page.
type Judgement struct {
	Similarity float64    // largest LSI cosine to a target, in [-1, 1]
	Useful     float64    // calibrated probability that the person would mark the page Useful, in [0, 1]
	Relevant   bool       // model.Bundle.Relevant
	Cluster    int        // of the nearest training pages; -1 when the page has no known term
	Evidence   []float64  // proportional to P(page | T_j), what the page alone says; nil without states or observation
	States     []float64  // P(T_j | o_1..t), empty for strategies without states
	Signs      []float64  // what the page and the link to it say for each label of model.Bundle.Ways, see Labels; nil without labels
	Path       []byte     // handed to the page's children and stored with each of them; only the strategy can read it
	Priorities []Priority // one for each of Page.Links, same order
	Notes      [][]byte   // one for each link, stored with it until it is followed; an empty note counts as none
	Reorder    bool       // the strategy has learned: ask Learner.Priority for the priorities of all queued links
	Why        []Reason   // what set the link that led here apart from others; a crawl sets it, see Explainer
}

// Reason is one part of what a link was worth, in the unit that Measure names.
type Reason struct {
	Name  string  `json:"name"` // in plain words
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
