package trainer

import (
	"context"
	"errors"
	"strings"

	"nightjar/crawler/weburl"
	"nightjar/model"
	"nightjar/model/naivebayes"
	"nightjar/model/text"
)

// learnBayes returns a model with a classifier that tells pages around the topic from others ([PANORAMA] §3.3), learned from
// the targets, without hidden ones, and the negative pages. Too few of them are no error: the model then says why it has none.
func learnBayes(ctx context.Context, b *model.Bundle, in *input, hidden map[string]bool, progress func(model.Progress)) (*model.Bundle, error) {
	progress(model.Progress{Stage: model.StageBayes, Total: 1})
	if in.noBayes != "" {
		return b.WithBayes(nil, in.noBayes), nil
	}
	var texts []text.Source
	var groups []string
	for _, p := range in.set.Pages {
		if p.Target && !hidden[p.URL] && strings.TrimSpace(p.Text) != "" {
			texts, groups = append(texts, text.Source{Text: p.Text, Declared: p.Declared}), append(groups, weburl.Site(p.URL))
		}
	}
	positives := len(texts)
	for _, p := range in.negatives {
		texts, groups = append(texts, text.Source{Text: p.text, Declared: p.declared}), append(groups, weburl.Site(p.url))
	}
	if in.examples.Paper { // the crawl reads no more of a page, either
		for i := range texts {
			texts[i].Text = naivebayes.Head(texts[i].Text)
		}
	}
	counts, _, _, err := text.CountPages(ctx, texts, nil)
	if err != nil {
		return nil, err
	}
	o := naivebayes.Options{Gaussian: in.examples.Paper, Groups: groups, Seed: b.Settings.Seed}
	c, err := unlessDone(ctx, func() (*naivebayes.Classifier, error) {
		return naivebayes.Train(counts[:positives], counts[positives:], o)
	})
	if errors.Is(err, naivebayes.ErrOneClass) {
		return b.WithBayes(nil, err.Error()), nil
	}
	if err != nil {
		return nil, err
	}
	progress(model.Progress{Stage: model.StageBayes, Done: 1, Total: 1})
	return b.WithBayes(c, ""), nil
}
