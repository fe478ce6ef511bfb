package naivebayes

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strconv"

	"nightjar/model/internal/parallel"
	"nightjar/model/logistic"
	"nightjar/model/text"
	"nightjar/model/tfidf"
)

const defaultFolds = 5

// training is the pages that a classifier learns from.
type training struct {
	pages []text.Counts
	class []int
	o     Options
}

func (t *training) all() []int {
	which := make([]int, len(t.pages))
	for i := range which {
		which[i] = i
	}
	return which
}

// fit trains on some of the pages. Its calibration is not set.
func (t *training) fit(which []int) *Classifier {
	pages, class := make([]text.Counts, len(which)), make([]int, len(which))
	for k, i := range which {
		pages[k], class[k] = t.pages[i], t.class[i]
	}
	c := &Classifier{vocabulary: tfidf.Fit(pages, tfidf.Shares{})}
	rows := make([]tfidf.Vector, len(pages))
	for k, p := range pages {
		rows[k] = c.vocabulary.Vector(p)
	}
	if t.o.Gaussian {
		c.model = FitGaussian(rows, class, classes, c.vocabulary.Len())
	} else {
		c.model = FitMultinomial(rows, class, classes, c.vocabulary.Len())
	}
	return c
}

// calibrate fits the probability of the pages that each fold holds back, by the evidence that a classifier of the other
// folds finds in them. A fold without which a class would have no page is left out. When all are, probabilities are ½.
func (t *training) calibrate() logistic.Sigmoid {
	fold, count := t.folds()
	scores := make([]float64, len(t.pages))
	asked := make([]bool, len(t.pages))
	parallel.Each(count, func(f int) {
		var rest, held []int
		left := [classes]int{}
		for i, k := range fold {
			if k == f {
				held = append(held, i)
				continue
			}
			rest = append(rest, i)
			left[t.class[i]]++
		}
		if left[positive] == 0 || left[other] == 0 {
			return
		}
		c := t.fit(rest)
		for _, i := range held {
			scores[i], asked[i] = c.Read(t.pages[i]).evidence(), true
		}
	})
	var known []float64
	var yes []bool
	for i, ok := range asked {
		if ok {
			known, yes = append(known, scores[i]), append(yes, t.class[i] == positive)
		}
	}
	return logistic.Platt(known, yes, nil)
}

// folds gives the fold of each page. Groups are placed in the order of their size, those of equal size in random order:
// each in the fold with the fewest positives, when it has positives, and then the fewest pages. The pages of a group without which
// a class would have no page are each on their own.
func (t *training) folds() (of []int, count int) {
	var all [classes]int
	grouped := make(map[string][classes]int)
	if t.o.Groups != nil {
		for i, c := range t.class {
			in := grouped[t.o.Groups[i]]
			in[c]++
			grouped[t.o.Groups[i]] = in
			all[c]++
		}
	}
	members := make(map[string][]int)
	var names []string
	for i := range t.pages {
		name := "page " + strconv.Itoa(i)
		if t.o.Groups != nil {
			if in := grouped[t.o.Groups[i]]; in[positive] < all[positive] && in[other] < all[other] {
				name = t.o.Groups[i]
			}
		}
		if members[name] == nil {
			names = append(names, name)
		}
		members[name] = append(members[name], i)
	}
	rng := rand.New(rand.NewPCG(t.o.Seed, 3))
	rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	slices.SortStableFunc(names, func(a, b string) int { return len(members[b]) - len(members[a]) })
	count = min(max(2, cmp.Or(t.o.Folds, defaultFolds)), len(names))
	type load struct{ positives, pages int }
	loads := make([]load, count)
	of = make([]int, len(t.pages))
	for _, name := range names {
		own := load{pages: len(members[name])}
		for _, i := range members[name] {
			own.positives += t.class[i] // 1 for c⁺, 0 for c⁻
		}
		at := 0
		for f, l := range loads {
			if own.positives > 0 && l.positives != loads[at].positives {
				if l.positives < loads[at].positives {
					at = f
				}
			} else if l.pages < loads[at].pages {
				at = f
			}
		}
		loads[at].positives += own.positives
		loads[at].pages += own.pages
		for _, i := range members[name] {
			of[i] = at
		}
	}
	return of, count
}
