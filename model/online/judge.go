package online

import (
	"cmp"
	"context"
	"slices"

	"nightjar/model"
	"nightjar/model/logistic"
	"nightjar/model/text"
)

const (
	maxWords   = 2000 // of a fetched page, those with the largest weight; few pages have as many
	maxFetched = 5000 // pages of the crawl that a judge learns from; the oldest without a mark go first
	restWeight = 0.3  // of a fetched page that nobody marked, beside a page of the session
	certain    = 6.0  // largest log odds; beyond them a score is not reliable
	wordless   = -4.0 // log odds of a page without a word that the model knows
)

// Fetched is a page of the crawl that the judge learns from.
type Fetched struct {
	Page
	Mark Mark
}

func (f *Fetched) label() int {
	if f.Mark == Useful {
		return 1
	}
	return 0
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
// for a page.
//
// Useful is what the person is shown. It is trained on the session and the person's marks, and goes by the words, the title
// and the address of a page. It learns nothing from other fetched pages: what the crawl is to find is among them.
//
// LogOdds goes by the words alone and is trained on the fetched pages without a mark, too. They count as pages of the rest
// of the web, which most of them are. The outcomes of links are measured by it. It ranks pages less well than Useful does;
// yet with Useful as the outcome of links, recorded crawls found less.
type Judge struct {
	Fetched []Fetched // in the order they were fetched
	marked  bool      // a mark came since the last training

	features   *model.Features
	rows       []logistic.Row // of the session, then of the background
	label      []int
	rejected   []bool
	calibrated model.Judge // whose slope and offset make probabilities of scores

	session []Page         // without rows
	unseen  []float64      // what Unseen returns, once it was computed
	sites   map[string]int // pages of the session
	site    func(url string) string
	stems   *text.Counter

	shown, crawl weights
	manner       manner // of what is shown
}

type weights struct {
	Words []float32
	Bias  float64
}

// NewJudge returns a judge that is the model's. site tells the website of a URL.
func NewJudge(b *model.Bundle, site func(url string) string) *Judge {
	j := &Judge{features: &b.Features, calibrated: b.Judge, sites: map[string]int{}, site: site, stems: b.Counter()}
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
	for _, p := range b.Pages {
		j.sites[site(p.URL)]++
	}
	for i, p := range b.Pages {
		j.session = append(j.session, j.page(b.LanguageOf(i), p.URL, p.Title))
	}
	j.shown = weights{b.Judge.Weights, b.Judge.Bias}
	j.crawl = j.shown
	return j
}

// Row weighs a page's words for the judge.
func (j *Judge) Row(w model.Words) logistic.Row { return j.features.Row(w) }

// Useful is the calibrated probability that the person would mark the page Useful, in [0, 1].
func (j *Judge) Useful(p Page) float64 {
	if len(p.Row.Index) == 0 {
		return 0
	}
	return Probability(j.manner.logOdds(p, j.byWords(&j.shown, p.Row)))
}

// LogOdds is ln P(useful)/P(not useful), in [-6, 6], by the judge that the crawl trained.
func (j *Judge) LogOdds(r logistic.Row) float64 { return j.byWords(&j.crawl, r) }

// Said returns by how much a few words, such as an anchor text, raise the log odds that a page with them is useful, in
// [-6, 6]. It is 0 when the judge knows none of the words.
func (j *Judge) Said(r logistic.Row) float64 { return bounded(-j.calibrated.Slope * j.crawl.sum(r)) }

// byWords is the log odds of a page by its words alone.
func (j *Judge) byWords(w *weights, r logistic.Row) float64 {
	if len(r.Index) == 0 {
		return wordless
	}
	return bounded(-(j.calibrated.Slope*(w.Bias+w.sum(r)) + j.calibrated.Offset))
}

func bounded(x float64) float64 { return max(-certain, min(certain, x)) }

func (w *weights) sum(r logistic.Row) float64 {
	x := 0.0
	for i, f := range r.Index {
		x += float64(r.Value[i]) * float64(w.Words[f])
	}
	return x
}

// Add adds a fetched page without a mark. A page that was fetched before keeps its mark and gets its new words.
func (j *Judge) Add(p Page) {
	p.Row.Index, p.Row.Value = Largest(p.Row.Index, p.Row.Value, maxWords)
	if i := j.find(p.URL); i >= 0 {
		j.Fetched[i].Page = p
		return
	}
	if len(j.Fetched) >= maxFetched {
		oldest := max(0, slices.IndexFunc(j.Fetched, func(f Fetched) bool { return f.Mark == Unmarked }))
		j.Fetched = slices.Delete(j.Fetched, oldest, oldest+1)
	}
	j.Fetched = append(j.Fetched, Fetched{Page: p})
}

// Largest keeps the `most` terms of a page with the largest values, of equal ones the first. The order stays.
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
	for i := range j.Fetched {
		if j.Fetched[i].URL == url {
			return i
		}
	}
	return -1
}

// Retrain trains the judge again. When ctx ends, or there is only one class of pages, the judge stays unchanged.
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
	crawl, err := j.fitAll(ctx, all)
	if err != nil {
		return err
	}
	if j.marked {
		if err := j.retrainShown(ctx, marked); err != nil {
			return err
		}
	}
	j.crawl, j.marked = crawl, false
	return nil
}

// retrainShown trains what is shown on the session and the marked pages.
func (j *Judge) retrainShown(ctx context.Context, marked []Fetched) error {
	shown, err := j.fit(ctx, nil, marked)
	if err != nil {
		return err
	}
	unseen, err := j.unseenWords(ctx, marked)
	if err != nil {
		return err
	}
	m, err := j.fitManner(ctx, unseen, marked)
	if err != nil {
		return err
	}
	j.shown, j.manner = shown, m
	return nil
}

// fit trains on the rows of the session and background, those of which leave says so left out, and on marked pages, as
// model.Offsets says.
func (j *Judge) fit(ctx context.Context, leave func(int) bool, marked []Fetched) (weights, error) {
	e := j.examples(leave, marked)
	rows, columns := logistic.Grouped(e.rows, len(j.features.Terms), e.groups())
	return j.fitTo(ctx, logistic.NewProblem(rows, columns), e)
}

// fitAll trains on all fetched pages, too.
func (j *Judge) fitAll(ctx context.Context, fetched []Fetched) (weights, error) {
	e := j.examples(nil, fetched)
	return j.fitTo(ctx, logistic.NewProblem(e.rows, len(j.features.Terms)), e)
}

// fitTo fits to a problem of the examples. Useful pages and others weigh the same in sum.
func (j *Judge) fitTo(ctx context.Context, p *logistic.Problem, e *examples) (weights, error) {
	use, weight := make([]int, len(e.rows)), slices.Clone(e.weight)
	for i, l := range e.label {
		use[i] = i
		weight[i] *= (e.sum[0] + e.sum[1]) / (2 * e.sum[l])
	}
	m, err := p.Fit(ctx, use, e.label, weight, 2, logistic.Options{})
	if err != nil {
		return weights{}, err
	}
	return weights{m.Weights[:len(j.features.Terms)], m.Bias[0]}, nil
}

// examples are what a judge learns from.
type examples struct {
	rows     []logistic.Row
	urls     []string // "" for the background
	label    []int
	rejected []bool // marked Not useful
	weight   []float64
	sum      [2]float64 // of the weights, by label
}

func (e *examples) add(url string, r logistic.Row, label int, rejected bool, weight float64) {
	e.rows, e.urls = append(e.rows, r), append(e.urls, url)
	e.label, e.rejected, e.weight = append(e.label, label), append(e.rejected, rejected), append(e.weight, weight)
	e.sum[label] += weight
}

// groups groups the examples as model.Offsets does.
func (e *examples) groups() []int {
	useful := make([]bool, len(e.label))
	for i, l := range e.label {
		useful[i] = l == 1
	}
	return model.Offsets(e.urls, useful, e.rejected)
}

func (j *Judge) examples(leave func(int) bool, fetched []Fetched) *examples {
	var e examples
	for i, r := range j.rows {
		url := ""
		if i < len(j.session) {
			url = j.session[i].URL
		}
		switch {
		case leave != nil && leave(i):
		case j.rejected[i]:
			e.add(url, r, 0, true, model.MarkWeight)
		default:
			e.add(url, r, j.label[i], false, 1)
		}
	}
	for _, f := range fetched {
		if f.Mark == Unmarked {
			e.add(f.URL, f.Row, 0, false, restWeight)
		} else {
			e.add(f.URL, f.Row, f.label(), f.Mark == NotUseful, model.MarkWeight)
		}
	}
	return &e
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
