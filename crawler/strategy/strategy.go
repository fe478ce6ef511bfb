// Package strategy decides which link to follow next. A strategy reads each fetched page and returns the relevance of the
// page and a priority for each of its links. It never fetches.
package strategy

import (
	"context"
	"errors"
	"fmt"
	"math"

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

// Picker is a strategy with two orders of the links, which takes turns between them; see Priority. It numbers its choices. The
// numbers are stored with links and pages, and only the strategy can read them.
type Picker interface {
	Strategy
	// Turn is the order by which the next link is chosen, 0 or 1.
	Turn() (order int)
	// Pick is called when the fetch of a link begins. made is false when there is no new pick: none is made, or the fetch began
	// before and was interrupted or put back, and the pick is the one of that time.
	Pick(url string) (p Pick, made bool)
	// Picked is called when the attempt at a link is recorded, with the pages of budget that it used. It returns the number of
	// the link's pick, 0 for a link without one, which Unpicked gives back when the attempt is undone.
	Picked(url string, cost int) (n int)
	Unpicked(url string, n int)
	// RecallPicks continues after the picks of an interrupted crawl: those of links that wait, by URL, and those of all recorded
	// attempts, in order.
	RecallPicks(waiting map[string]int, picked []PickCost)
	// Merge is called when a page holds a link that waits already. It returns the link as it is to wait from now on; moved says
	// that it is then one of that page, and changed that it is not as it was.
	Merge(waits, held Held) (now Held, moved, changed bool)
}

// Pick is one choice of a Picker.
type Pick struct {
	N     int // 0 for none
	Order int
	By    string // name of the strategy that chose, "" for the main one
}

// PickCost is the number of a pick, and the pages of budget that the attempt used.
type PickCost struct{ N, Cost int }

// Held is what a strategy said of a link of a page.
type Held struct {
	Priority Priority
	Path     []byte // of the page
	Note     []byte
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

// MaxPath is the longest Judgement.Path in bytes. A longer one is an error of the strategy, and is dropped. A strategy that is
// made of two has room for a path of half that length for each.
const MaxPath = 8 << 10

// Read has a strategy read a page. It returns the answer without a path state of more than longest bytes.
func Read(ctx context.Context, s Strategy, v Visit, longest int) (Judgement, error) {
	j, err := s.Read(ctx, v)
	if n := len(j.Path); n > longest {
		j.Path = nil
		err = errors.Join(err, fmt.Errorf("the path state has %d bytes, more than %d", n, longest))
	}
	return j, err
}

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

// Priority orders the frontier: compared element by element, larger first, a missing element counting as 0. A Picker has two
// orders: the first OrderLen elements count in the first one, all others in the second. A priority that has no others counts in both.
type Priority []int32

// LastPriority returns the priority of links that come after all others, such as those on a copy of an earlier page: it is lower
// than any that a strategy gives, even when those are negative.
func LastPriority() Priority { return Priority{math.MinInt32} }

// Of is the part of a priority that counts in an order.
func (p Priority) Of(order int) Priority {
	switch {
	case len(p) <= OrderLen:
		return p
	case order == 0:
		return p[:OrderLen]
	}
	return p[OrderLen:]
}

// OrderLen is the number of elements of a Priority of two orders that belong to the first.
const OrderLen = 16

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
