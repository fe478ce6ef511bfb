package online

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"nightjar/model"
	"nightjar/model/logistic"
)

const (
	// folds is how many judges score the session's pages, each without its own.
	folds = 5

	// homePages is how many pages of a site the session must have for the judge to trust what their addresses have in common.
	homePages = 5

	// mannerWeight is the weight of a page among the examples: with 1, the penalty on tokens would leave them little to say.
	mannerWeight = 3.0

	// wordScale makes the words' log odds a small signal, whose weight the penalty holds near its usual one: title and address
	// add to the words and do not replace them.
	wordScale = 0.1
)

// manner is what the judge reads besides the words of a page. Sites share templates: news are below /news/ with a long name
// joined by hyphens, people below /people/. On a site that the session does not know the habits are others, and only the
// title counts. A manner of nil regressions has not learned anything.
type manner struct {
	home   *Regression // on sites of the session, of title and address
	abroad *Regression // elsewhere, of the title
}

// logOdds corrects the log odds that a page has by its words.
func (m *manner) logOdds(p Page, words float64) float64 {
	switch {
	case m.home == nil:
		return words
	case p.Address == nil:
		return bounded(m.abroad.LogOdds(p.Title, wordSignal(words)))
	}
	return bounded(m.home.LogOdds(slices.Concat(p.Title, p.Address), wordSignal(words)))
}

func wordSignal(words float64) []float32 { return []float32{float32(words * wordScale)} }

// Learn teaches the judge what titles and addresses of the session's useful pages have in common, for what is shown. It
// teaches nothing when fewer than two pages are useful, or fewer than two are not.
func (j *Judge) Learn(ctx context.Context) error {
	unseen, err := j.Unseen(ctx)
	switch {
	case errors.Is(err, logistic.ErrNoRows):
		return nil // no page has a known word
	case err != nil:
		return err
	}
	j.manner, err = j.fitManner(ctx, unseen, nil)
	return err
}

// fitManner trains on the pages of the session and then on marked pages; unseen are their log odds by the words. These must
// be those of judges that have not seen the page: such are the log odds of the pages to be judged.
func (j *Judge) fitManner(ctx context.Context, unseen []float64, marked []Fetched) (manner, error) {
	var home, abroad []Example
	var count [2]int
	background := func(i int) bool { return i >= len(j.session) }
	group := j.examples(background, marked).groups()
	take := func(p Page, label int, weight float64) {
		i := len(home)
		title := p.Title
		if group[i] >= 0 {
			title = slices.Concat(title, []uint32{hash32(groupField, strconv.Itoa(group[i]))})
		}
		e := Example{Tokens: slices.Concat(title, p.Address), Signals: wordSignal(unseen[i]), Outcome: float64(label), Weight: weight * mannerWeight}
		home = append(home, e)
		e.Tokens = title
		abroad = append(abroad, e)
		count[label]++
	}
	for i, p := range j.session {
		if j.rejected[i] {
			take(p, 0, model.MarkWeight)
		} else {
			take(p, j.label[i], 1)
		}
	}
	for _, f := range marked {
		take(f.Page, f.label(), model.MarkWeight)
	}
	if min(count[0], count[1]) < 2 {
		return manner{}, nil
	}
	m := newManner()
	return m, errors.Join(m.home.Fit(ctx, home), m.abroad.Fit(ctx, abroad))
}

func newManner() manner {
	usual := []float64{1 / wordScale}
	return manner{NewRegression(usual), NewRegression(usual)}
}

// Unseen returns LogOdds of each page of the session by a judge that was trained without it: the log odds that a similar
// page of the web would get.
func (j *Judge) Unseen(ctx context.Context) (_ []float64, err error) {
	if j.unseen == nil {
		j.unseen, err = j.unseenWords(ctx, nil)
	}
	return slices.Clone(j.unseen), err
}

// unseenWords returns the log odds by the words of the session's pages and then of marked pages, each by a judge trained
// without it. The background is left out of none. A fold whose training pages are all of one class uses the model's own
// judge.
func (j *Judge) unseenWords(ctx context.Context, marked []Fetched) ([]float64, error) {
	pages := len(j.session)
	rows, label := slices.Clone(j.rows[:pages]), slices.Clone(j.label[:pages])
	for _, f := range marked {
		rows, label = append(rows, f.Row), append(label, f.label())
	}
	fold, dealt := deal(label)
	out := make([]float64, len(rows))
	for k := range folds {
		w := weights{j.calibrated.Weights, j.calibrated.Bias}
		if dealt[1] > 1 && dealt[0]+len(j.rows)-pages > folds {
			var others []Fetched
			for i, f := range marked {
				if fold[pages+i] != k {
					others = append(others, f)
				}
			}
			var err error
			if w, err = j.fit(ctx, func(i int) bool { return i < pages && fold[i] == k }, others); err != nil {
				return nil, err
			}
		}
		for i := range out {
			if fold[i] == k {
				out[i] = j.byWords(&w, rows[i])
			}
		}
	}
	return out, nil
}

// deal deals the pages of each label to the folds in turn, so that every fold has its share of both. dealt counts them.
func deal(label []int) (fold []int, dealt [2]int) {
	for _, l := range label {
		fold = append(fold, dealt[l]%folds)
		dealt[l]++
	}
	return fold, dealt
}
