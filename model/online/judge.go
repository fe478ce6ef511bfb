package online

import (
	"cmp"
	"context"
	"slices"

	"nightjar/model"
	"nightjar/model/logistic"
)

const (
	maxWords   = 2000 // of a fetched page, those with the largest weight; few pages have as many
	maxFetched = 5000 // pages of the crawl that a judge learns from; the oldest without a mark go first
	restWeight = 0.3  // of a fetched page that nobody marked, beside a page of the session
	markWeight = 2.0  // of a page that the person marked, as marks are on just the pages that the crawl brings
	certain    = 6.0  // largest log odds; beyond them a score is not reliable
)

// Fetched is a page of the crawl that the judge learns from.
type Fetched struct {
	URL  string
	Row  logistic.Row
	Mark Mark
}

// Mark is the person's mark on a page.
type Mark int8

// The marks.
const (
	Unmarked Mark = iota
	Useful
	NotUseful
)

// Judge tells useful pages from all others, as model.Judge does, and is retrained during a crawl. It makes two predictions
// for a page. Useful is trained on the session and the person's marks; it decides what the person is shown. LogOdds is
// trained on the fetched pages without a mark, too. They count as pages of the rest of the web, which most of them are. So
// it knows better what is usual where the crawl is; the outcomes of links are measured by it.
type Judge struct {
	Fetched []Fetched // in the order they were fetched
	marked  bool      // a mark came since the last training

	features   *model.Features
	rows       []logistic.Row // of the session, then of the background
	label      []int
	rejected   []bool
	calibrated model.Judge // whose slope and offset make probabilities of scores

	shown, crawl weights
}

type weights struct {
	Words []float32
	Bias  float64
}

// NewJudge returns a judge that starts as the model's.
func NewJudge(b *model.Bundle) *Judge {
	j := &Judge{features: &b.Features, calibrated: b.Judge}
	for i, w := range slices.Concat(b.Lessons.Pages, b.Lessons.Background) {
		label, rejected := 0, false
		if i < len(b.Pages) {
			rejected = b.Pages[i].Rejected
			if b.Pages[i].Target {
				label = 1
			}
		}
		j.rows, j.label, j.rejected = append(j.rows, b.Features.Row(w)), append(j.label, label), append(j.rejected, rejected)
	}
	j.shown = weights{b.Judge.Weights, b.Judge.Bias}
	j.crawl = j.shown
	return j
}

// Row weighs a page's words for the judge.
func (j *Judge) Row(w model.Words) logistic.Row { return j.features.Row(w) }

// Useful is the calibrated probability that the person would mark the page Useful, in [0, 1].
func (j *Judge) Useful(r logistic.Row) float64 {
	if len(r.Index) == 0 {
		return 0
	}
	return Probability(j.logOdds(&j.shown, r))
}

// LogOdds is ln P(useful)/P(not useful), in [-6, 6], by the judge that the crawl trained.
func (j *Judge) LogOdds(r logistic.Row) float64 {
	if len(r.Index) == 0 {
		return -certain * 2 / 3
	}
	return max(-certain, min(certain, j.logOdds(&j.crawl, r)))
}

// Said returns by how much a few words, such as an anchor text, raise the log odds that a page with them is useful, in
// [-6, 6]. It is 0 when the judge knows none of the words.
func (j *Judge) Said(r logistic.Row) float64 {
	return max(-certain, min(certain, -j.calibrated.Slope*j.crawl.sum(r)))
}

func (j *Judge) logOdds(w *weights, r logistic.Row) float64 {
	return -(j.calibrated.Slope*(w.Bias+w.sum(r)) + j.calibrated.Offset)
}

func (w *weights) sum(r logistic.Row) float64 {
	x := 0.0
	for i, f := range r.Index {
		x += float64(r.Value[i]) * float64(w.Words[f])
	}
	return x
}

// Add adds a fetched page without a mark. A page that was fetched before keeps its mark and gets its new words.
func (j *Judge) Add(url string, r logistic.Row) {
	r.Index, r.Value = Largest(r.Index, r.Value, maxWords)
	if i := j.find(url); i >= 0 {
		j.Fetched[i].Row = r
		return
	}
	if len(j.Fetched) >= maxFetched {
		oldest := max(0, slices.IndexFunc(j.Fetched, func(f Fetched) bool { return f.Mark == Unmarked }))
		j.Fetched = slices.Delete(j.Fetched, oldest, oldest+1)
	}
	j.Fetched = append(j.Fetched, Fetched{URL: url, Row: r})
}

// Largest keeps so many terms of a page, those of the largest values; of equal ones the first. The order stays.
func Largest[V cmp.Ordered](index []int32, value []V, most int) ([]int32, []V) {
	if len(index) <= most {
		return index, value
	}
	order := make([]int, len(index))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(value[b], value[a]) })
	kept := order[:most]
	slices.Sort(kept)
	keptIndex, keptValue := make([]int32, most), make([]V, most)
	for to, from := range kept {
		keptIndex[to], keptValue[to] = index[from], value[from]
	}
	return keptIndex, keptValue
}

// Mark sets the person's mark on a fetched page, and returns the page's log odds. changed is false when the page is unknown
// or has the mark already. The mark counts from the next training on.
func (j *Judge) Mark(url string, m Mark) (logOdds float64, changed bool) {
	i := j.find(url)
	if i < 0 || j.Fetched[i].Mark == m {
		return 0, false
	}
	j.Fetched[i].Mark, j.marked = m, true
	return j.LogOdds(j.Fetched[i].Row), true
}

// Marked reports whether a mark came since the last training.
func (j *Judge) Marked() bool { return j.marked }

// find is the place of a fetched page, -1 when it is not there.
func (j *Judge) find(url string) int {
	return slices.IndexFunc(j.Fetched, func(f Fetched) bool { return f.URL == url })
}

// Retrain trains the judge again. When ctx ends, or there is only one class of pages, the judge stays as it is.
func (j *Judge) Retrain(ctx context.Context) error {
	var all, marked []Fetched
	for _, f := range j.Fetched {
		if len(f.Row.Index) == 0 {
			continue
		}
		all = append(all, f)
		if f.Mark != Unmarked {
			marked = append(marked, f)
		}
	}
	crawl, err := j.fit(ctx, nil, all)
	if err != nil {
		return err
	}
	if j.marked {
		if j.shown, err = j.fit(ctx, nil, marked); err != nil {
			return err
		}
		j.marked = false
	}
	j.crawl = crawl
	return nil
}

// fit trains on the rows of the session and background, those of which leave says so left out, and on fetched pages.
// Useful pages and others weigh the same in sum.
func (j *Judge) fit(ctx context.Context, leave func(int) bool, fetched []Fetched) (weights, error) {
	rows := make([]logistic.Row, 0, len(j.rows)+len(fetched))
	var label []int
	var weight []float64
	var sum [2]float64
	take := func(r logistic.Row, l int, w float64) {
		rows, label, weight = append(rows, r), append(label, l), append(weight, w)
		sum[l] += w
	}
	for i, r := range j.rows {
		switch {
		case leave != nil && leave(i):
		case j.rejected[i]:
			take(r, 0, markWeight)
		default:
			take(r, j.label[i], 1)
		}
	}
	for _, f := range fetched {
		switch f.Mark {
		case Useful:
			take(f.Row, 1, markWeight)
		case NotUseful:
			take(f.Row, 0, markWeight)
		default:
			take(f.Row, 0, restWeight)
		}
	}
	use := make([]int, len(rows))
	for i := range use {
		use[i] = i
		weight[i] *= (sum[0] + sum[1]) / (2 * sum[label[i]])
	}
	m, err := logistic.NewProblem(rows, len(j.features.Terms)).Fit(ctx, use, label, weight, 2, logistic.Options{})
	if err != nil {
		return weights{}, err
	}
	return weights{m.Weights, m.Bias[0]}, nil
}

// folds is how many judges score the session for Unseen.
const folds = 5

// Unseen returns LogOdds of each page of the session by a judge that was trained without it: the log odds that a similar
// page of the web would get. A fold whose training pages are all of one class uses the model's own judge.
func (j *Judge) Unseen(ctx context.Context, pages int) ([]float64, error) {
	out := make([]float64, pages)
	fold := make([]int, len(j.rows))
	var dealt [2]int
	for i := range fold { // each label dealt in turn, so that every fold has its share; the background is left out of none
		fold[i] = -1
		if i < pages {
			fold[i] = dealt[j.label[i]] % folds
			dealt[j.label[i]]++
		}
	}
	own := j.crawl
	defer func() { j.crawl = own }()
	for k := range folds {
		j.crawl = own
		if dealt[1] > 1 && dealt[0]+len(j.rows)-pages > folds {
			w, err := j.fit(ctx, func(i int) bool { return fold[i] == k }, nil)
			if err != nil {
				return nil, err
			}
			j.crawl = w
		}
		for i := range out {
			if fold[i] == k {
				out[i] = j.LogOdds(j.rows[i])
			}
		}
	}
	return out, nil
}

// Uncertain returns up to n fetched pages without a mark, the least certain first: there the judge learns most from a mark.
func (j *Judge) Uncertain(n int) []string {
	type open struct {
		url   string
		doubt float64
	}
	var all []open
	for _, f := range j.Fetched {
		if f.Mark == Unmarked {
			x := j.LogOdds(f.Row)
			all = append(all, open{f.URL, x * x})
		}
	}
	slices.SortStableFunc(all, func(a, b open) int { return cmp.Compare(a.doubt, b.doubt) })
	var urls []string
	for _, o := range all[:max(0, min(n, len(all)))] {
		urls = append(urls, o.url)
	}
	return urls
}
