package model

import "errors"

// Rehearsal is what test crawls of the session's own web found, with parts of the session held back. A strategy that had
// learned from the rest crawled it, as in a night, and so did two that know nothing. Only pages of the session were served,
// with the links between them.
type Rehearsal struct {
	Strategy string     `json:"strategy"` // name of the strategy that was tested
	Pages    int        `json:"pages"`    // of the session's web
	Older    int        `json:"older"`    // pages of the session left out because it has too many
	Folds    []HeldBack `json:"folds"`
	Capped   int        `json:"capped"` // page limit of each crawl; 0: none was cut short
	Why      string     `json:"why"`    // why there are no folds, in words; "" when there are
}

// HeldBack is a part of the session that was held back, and what crawls found of it.
type HeldBack struct {
	Pages     int `json:"pages"`     // held back
	Useful    int `json:"useful"`    // of them
	Reachable int `json:"reachable"` // pages held back that links lead to from the start pages, these left out
	Wanted    int `json:"wanted"`    // useful pages among the reachable ones

	Strategy     Course   `json:"strategy"`
	BreadthFirst Course   `json:"breadth_first"` // links in the order in which they were found
	Random       []Course `json:"random"`        // links in random order, with several seeds
}

// Course is what one crawl found, in order. Start pages are not counted: no strategy chooses them.
type Course struct {
	Fetched int   `json:"fetched"` // pages
	New     int   `json:"new"`     // of them pages held back: the others are no news to the person
	At      []int `json:"at"`      // for each useful page held back, how many pages had been fetched with it
	NewAt   []int `json:"new_at"`  // the same, of the pages held back
}

// Found returns how many useful pages held back were among the first n pages fetched.
func (c Course) Found(n int) int { return upTo(c.At, n) }

// FoundNew returns how many useful pages held back were among the first n pages held back that were fetched.
func (c Course) FoundNew(n int) int { return upTo(c.NewAt, n) }

// upTo counts the entries of an ascending list that are at most n.
func upTo(list []int, n int) int {
	count := 0
	for count < len(list) && list[count] <= n {
		count++
	}
	return count
}

// Area is the area under the recall curve of the useful pages of a part, in [0, 1]: the mean share of them that was found
// after each of the pages held back. 0 when the part has none that can be reached.
func (h HeldBack) Area(c Course) float64 {
	if h.Wanted == 0 || h.Reachable == 0 {
		return 0
	}
	sum := 0
	for _, at := range c.NewAt {
		sum += h.Reachable - at + 1
	}
	return float64(sum) / float64(h.Wanted*h.Reachable)
}

// check returns an error for a rehearsal that no test crawls can have made.
func (r *Rehearsal) check() error {
	if r == nil {
		return nil
	}
	bad := r.Pages < 0 || r.Older < 0 || r.Capped < 0
	for _, h := range r.Folds {
		bad = bad || h.Pages < 0 || h.Useful < 0 || h.Reachable < 0 || h.Wanted < 0 || h.Wanted > h.Useful || h.Useful > h.Pages || h.Reachable > h.Pages
		for _, c := range append([]Course{h.Strategy, h.BreadthFirst}, h.Random...) {
			bad = bad || !c.possible(h)
		}
	}
	if bad {
		return errors.New("the rehearsal of the report is out of range")
	}
	return nil
}

// possible reports whether a crawl can have found this of what was held back.
func (c Course) possible(h HeldBack) bool {
	return len(c.At) == len(c.NewAt) && len(c.At) <= h.Wanted && c.New <= h.Reachable && c.New <= c.Fetched &&
		ascends(c.At, c.Fetched) && ascends(c.NewAt, c.New)
}

// ascends reports whether the numbers of a list rise from at least 1 to at most last.
func ascends(list []int, last int) bool {
	before := 0
	for _, n := range list {
		if n <= before {
			return false
		}
		before = n
	}
	return before <= last
}
