package trainingset

import (
	"cmp"
	"context"
	_ "embed" // unrelated.txt
	"slices"
	"strings"

	"nightjar/daemon/morning/search"
	"nightjar/daemon/morning/search/words"
	"nightjar/daemon/store"
)

// unrelatedTitles are titles of books and papers on many subjects, or texts like such titles, one a line. It is unlikely that a
// document of the person's names one of them.
//
//go:embed unrelated.txt
var unrelatedTitles string

// How a title is compared with unrelated ones.
const (
	compared    = 60  // unrelated titles, those most like it in their number of words
	chanceError = .05 // of them that may have pages as good as those that count
)

// chance is how well the pages stored answer to unrelated titles by words near each other, which is by chance. The zero value is
// ready.
type chance struct {
	best map[string]float64 // by unrelated title: the rank of its best page, 0 without one
}

// rank is the rank that pages reach for at most chanceError of the unrelated titles with about as many words as a title has.
func (c *chance) rank(ctx context.Context, s *store.Store, title string) (float64, error) {
	if c.best == nil {
		c.best = map[string]float64{}
	}
	var ranks []float64
	for _, other := range unrelatedTo(title) {
		best, known := c.best[other]
		if !known {
			hits, err := search.FindTitle(ctx, s.DB, other, search.TitleEnough, false)
			if err != nil {
				return 0, err
			}
			for _, h := range hits {
				if near(h) {
					best = max(best, h.Rank)
				}
			}
			c.best[other] = best
		}
		ranks = append(ranks, best)
	}
	slices.SortFunc(ranks, func(a, b float64) int { return cmp.Compare(b, a) })
	return ranks[int(chanceError*float64(len(ranks)))], nil
}

// unrelatedTo lists the unrelated titles whose number of different words is nearest to that of a title.
func unrelatedTo(title string) []string {
	count := func(s string) int {
		all := words.List(s)
		slices.Sort(all)
		return len(slices.Compact(all))
	}
	own, query := count(title), Query(title)
	distance := func(s string) int { return max(count(s)-own, own-count(s)) }
	all := strings.Split(strings.TrimSpace(unrelatedTitles), "\n")
	all = slices.DeleteFunc(all, func(s string) bool { return Query(s) == query || count(s) <= search.ShortTitle })
	slices.SortStableFunc(all, func(a, b string) int { return cmp.Compare(distance(a), distance(b)) })
	return all[:compared]
}
