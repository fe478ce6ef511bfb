package strategy

import (
	"context"
	"fmt"
	"math"
	"slices"

	"nightjar/crawler/page"
	"nightjar/crawler/weburl"
	"nightjar/model"
	"nightjar/model/online"
	"nightjar/model/text"
)

// reader is what all strategies share: how relevant a page is, in the same way for all of them, so that their results can be
// compared.
type reader struct {
	bundle *model.Bundle
	name   string
}

// Name is the strategy's name.
func (r reader) Name() string { return r.name }

// read reads the page as the model does.
func (r reader) read(v Visit) (Judgement, model.Observation) {
	o, _, _ := r.bundle.ReadPage(v.Page.Language, v.Page.Text)
	return r.judgement(o), o
}

func (r reader) judgement(o model.Observation) Judgement {
	return Judgement{Similarity: o.Similarity, Useful: o.Useful, Relevant: r.bundle.Relevant(o), Cluster: o.Cluster}
}

// newJudge returns a judge that has learned all that the session tells.
func (r reader) newJudge(ctx context.Context) (*online.Judge, error) {
	j := r.freshJudge()
	if err := j.Learn(ctx); err != nil {
		return nil, fmt.Errorf("learn to judge from the session: %w", err)
	}
	return j, nil
}

// freshJudge returns a judge that has learned nothing yet, to be given a state.
func (r reader) freshJudge() *online.Judge { return online.NewJudge(r.bundle, weburl.Site) }

// readBy reads the page with a judge that is retrained during the crawl, and also returns the page as the judge reads it, and the
// language of the page and the texts of its links.
func (r reader) readBy(judge *online.Judge, v Visit) (Judgement, model.Observation, online.Page, text.Language) {
	o, p, l := r.observe(judge, v.Page)
	return r.judgementBy(judge, o, p), o, p, l
}

// observe is the part of readBy that depends on the page alone.
func (r reader) observe(judge *online.Judge, p *page.Page) (model.Observation, online.Page, text.Language) {
	o, words, l := r.bundle.ReadPage(p.Language, p.Text)
	return o, judge.Page(l, p.URL, p.Title, words), l
}

// judgementBy judges a page as it was observed. Relevance rests on the session and the person's marks alone. Its threshold is a
// probability that was chosen for the words alone; it holds for the judge's, which is calibrated as well.
func (r reader) judgementBy(judge *online.Judge, o model.Observation, p online.Page) Judgement {
	j := r.judgement(o)
	if j.Useful = judge.Useful(p); r.bundle.Choice.Relevance == model.RelevantByJudge {
		j.Relevant = o.Emission != nil && j.Useful >= r.bundle.Judge.Threshold
	}
	return j
}

// written is a word of a stem, in the spelling that the session has most often, or the stem itself.
func (r reader) written(stem string) string {
	f := &r.bundle.Features
	if i, ok := slices.BinarySearch(f.Terms, stem); ok && i < len(f.Written) && f.Written[i] != "" {
		return f.Written[i]
	}
	return stem
}

// same gives each of a page's links the same priority, as [HMM] fig. 7 does. All links share one slice, which must not be
// changed.
func same(v Visit, p Priority) []Priority {
	return slices.Repeat([]Priority{slices.Clip(p)}, len(v.Page.Links))
}

// epsilon is the smallest difference between two probabilities that counts, [HMM] §4.1.
const epsilon = 0.001

// quantise cuts a probability into steps of epsilon. "Differs by less than ε", as printed, is not transitive and would
// break a heap; steps are. The small addend keeps a value that rounding left just below a step in that step.
func quantise(p float64) int32 { return int32(math.Floor(p/epsilon + 1e-9)) }

// fineSteps is the number of steps between 0 and 1 for a priority of a single number.
const fineSteps = 1_000_000

// fine is a value in [-1, 1] as a priority.
func fine(x float64) Priority { return Priority{int32(math.Round(x * fineSteps))} }
